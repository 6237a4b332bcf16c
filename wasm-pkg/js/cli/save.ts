import {
  type Stats,
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { compress } from './compressed.ts'
import { UsageError, fileErrorText } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** More links than this in a row lead nowhere. */
const MOST_LINKS = 40

const ifExists = <Result>(work: () => Result) => {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The file that `name` leads to through links, whether it exists yet or not. */
const resolveLinks = (name: string, links = 0): string => {
  const realPath = ifExists(() => realpathSync(name))
  if (realPath !== undefined) return realPath
  const isLink = ifExists(() => lstatSync(name))?.isSymbolicLink() && links < MOST_LINKS
  return isLink ? resolveLinks(resolve(dirname(name), readlinkSync(name)), links + 1) : name
}

/** Gives a new file the owner of the one that it takes the place of, as far as the system lets one. */
const copyOwner = (path: string, { uid, gid }: Stats) => {
  try {
    const { uid: ours, gid: group } = statSync(path)
    if (uid !== ours || gid !== group) chownSync(path, uid, gid)
  } catch {
    // Only an administrator may give files away.
  }
}

const checkWritable = (name: string, file: string, before: Stats) => {
  // An administrator may write to any file, but the mode shows what is wanted.
  const isLocked = (before.mode & 0o222) === 0
  if (isLocked) throw new UsageError(`\`${name}\` is read-only and was not changed`, 'make it writable first')
  accessSync(file, constants.W_OK)
}

/**
 * Writes a file whole or not at all: what it held before is lost only when the new text is safe. With `zipped`, or
 * when the name ends in `.gz`, it is compressed. A link stays one, a file keeps its mode and its owner, and one that
 * is read-only is refused.
 */
export const saveText = (name: string, text: string | Uint8Array, { zipped = name.endsWith('.gz') }: { zipped?: boolean } = {}) => {
  if (/\.zst$/i.test(name)) throw new UsageError(`cannot write \`${name}\`: Zstandard is not supported`, 'use .gz or no compression')
  const content = zipped ? compress(text) : text
  let temporary: string | undefined
  try {
    const file = resolveLinks(name)
    const before = ifExists(() => statSync(file))
    if (before !== undefined && !before.isFile()) return writeFileSync(file, content)
    if (before !== undefined) checkWritable(name, file, before)
    const path = `${file}.${process.pid}.new`
    writeFileSync(path, content, { mode: before?.mode, flag: 'wx' })
    temporary = path
    if (before !== undefined) {
      copyOwner(temporary, before)
      chmodSync(temporary, before.mode)
    }
    renameSync(temporary, file)
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true })
    if (error instanceof UsageError) throw error
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder does not exist' : fileErrorText(error)
    throw new UsageError(`cannot write \`${name}\`: ${reason}`)
  }
}

/** Writes `text` unchanged to the target of a command's `-o`: to a file, or to the standard output. */
export const writeOutputExactly = (text: string, output: string | undefined, terminal: Terminal) => {
  if (output === undefined || output === '-') terminal.out(text)
  else saveText(output, text)
}

/** The same with a line end at the end of the text. */
export const writeOutput = (text: string, output: string | undefined, terminal: Terminal) =>
  writeOutputExactly(text === '' || text.endsWith('\n') ? text : `${text}\n`, output, terminal)
