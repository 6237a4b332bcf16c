import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { compress } from './compressed.js'
import { Misuse, reasonOf } from './failure.js'

/**
 * Writes a file whole or not at all: what it held before is lost only when the new text is safe. A file whose name
 * ends in `.gz` is compressed. A link stays one, and a file keeps its mode.
 */
export const saveText = (name, text) => {
  const content = name.endsWith('.gz') ? compress(text) : text
  const before = existsSync(name) ? statSync(name) : undefined
  const file = before === undefined ? name : realpathSync(name)
  const beside = `${file}.${process.pid}.new`
  try {
    if (before !== undefined && !before.isFile()) return writeFileSync(file, content)
    writeFileSync(beside, content, { mode: before?.mode })
    if (before !== undefined) chmodSync(beside, before.mode)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new Misuse(`cannot write \`${name}\`: ${reasonOf(error)}`)
  }
}

/** Writes `text` where a command's `-o` says: to a file, or to the standard output. */
export const give = (text, output, terminal) => {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
  if (output === undefined || output === '-') terminal.out(ended)
  else saveText(output, ended)
}
