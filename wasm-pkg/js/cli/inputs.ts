// The files that a command is to read: names, folders, patterns, and the standard input.
import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDatabase } from '../api/database.ts'
import { isPacked } from '../api/gzip.ts'
import type { Command } from './command.ts'
import { decompress } from './compressed.ts'
import { UsageError, fileErrorText } from './failure.ts'
import { glob, isPattern, isSkipped } from './glob.ts'
import { printable } from './printable.ts'
import { renderWarning } from './report.ts'
import type { Terminal } from './terminal.ts'

/** A file as a source of the package. */
export interface Input {
  bytes: Uint8Array
  file: string
}

/** The name of the standard input in messages. */
export const STDIN = '<stdin>'

/** The entries of a folder; undefined without permission to read it. */
const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}

/** The files to find in folders. */
const DOCUMENTS = /\.(ya?ml|json)(\.gz)?$/i

/** The files below a folder whose names are `wanted`. A folder that cannot be read is returned itself, so that reading it reports why. */
const filesBelow = (folder: string, wanted: RegExp): string[] =>
  entriesOf(folder)
    ?.sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter((entry) => !isSkipped(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesBelow(path, wanted)
      return wanted.test(entry.name) ? [path] : []
    }) ?? [folder]

const namesOf = (argument: string, wanted: RegExp) => {
  if (argument === '-') return [argument]
  if (argument === '') throw new UsageError('a file name is empty', 'a shell variable may be empty')
  if (!existsSync(argument) && isPattern(argument)) {
    const found = glob(argument)
    if (found.length === 0) throw new UsageError(`no file matches \`${argument}\``)
    return found
  }
  if (!existsSync(argument) || !statSync(argument).isDirectory()) return [argument]
  const found = filesBelow(argument, wanted)
  const kinds = wanted === DOCUMENTS ? '.yaml, .yml or .json' : '.yaml, .yml, .json or .jsonl'
  if (found.length === 0) throw new UsageError(`there is no ${kinds} file below \`${argument}\``)
  return found
}

const unique = (names: readonly string[]) => {
  const seen = new Set<string>()
  return names.filter((name) => {
    const key = name === '-' ? name : resolve(name)
    return !seen.has(key) && seen.add(key)
  })
}

/** The names that `args` match, each file once; in folders, those that are `wanted`. */
export const inputNames = (args: readonly string[], wanted = DOCUMENTS) => unique(args.flatMap((argument) => namesOf(argument, wanted)))

/** Whether a name was passed itself, and not found in a folder or by a pattern. */
export const isNamed = (name: string, args: readonly string[]) => args.some((argument) => argument === name)

const readStdin = async (stdin: NodeJS.ReadStream) => {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Why a file could not be read: of a folder, why one may not look into it. */
const readErrorOf = (name: string, error: unknown) => {
  if ((error as NodeJS.ErrnoException).code !== 'EISDIR') return error
  try {
    readdirSync(name)
    return error
  } catch (inner) {
    return inner
  }
}

const readBytes = async (name: string, stdin: NodeJS.ReadStream) => {
  try {
    return name === '-' ? await readStdin(stdin) : readFileSync(name)
  } catch (error) {
    throw new UsageError(`cannot read \`${name === '-' ? STDIN : name}\`: ${fileErrorText(readErrorOf(name, error))}`)
  }
}

const zipped = new WeakSet<object>()

/** Whether an input was in gzip when it was read. */
export const wasCompressed = (input: object) => zipped.has(input)

const archives = new WeakMap<Input, (at: number) => string>()

/** The input with the sample at the place `at` whole, if the input is too large to have all of them whole. */
export const withSample = (input: Input, at: number): Input => {
  const sample = archives.get(input)
  if (sample === undefined || at < 0) return input
  try {
    return { bytes: Buffer.from(sample(at)), file: input.file }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`the sample cannot be read: ${(error as Error).message}`)
  }
}

/** Whether an input does not have all of its samples whole. */
export const hasSamplesApart = (input: Input) => archives.has(input)

const warned = new Set<string>()

/** Warns once of changes of a database that are in its write-ahead log. A database that was closed has none. */
const warnOfWriteAheadLog = (file: string, terminal: Terminal) => {
  const size = statSync(`${realpathSync(file)}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || warned.has(file)) return
  warned.add(file)
  const remedy = `close the program that writes it, or run \`sqlite3 "${file}" 'PRAGMA wal_checkpoint(TRUNCATE)'\``
  terminal.err(renderWarning(`the newest changes of \`${file}\` are in \`${file}-wal\`, which is not read`, remedy))
}

/**
 * Reads one input as a source of the package; gzip and Zstandard are decompressed, up to the limit in `values`. Bytes that are
 * no text are passed on, since diagnostics show their place; the exit code shows that they could not be read.
 */
export const readInput = async (name: string, terminal: Terminal, values: { 'max-bytes'?: number } = {}): Promise<Input> => {
  const raw = await readBytes(name, terminal.stdin)
  const file = name === '-' ? STDIN : name
  const unpacked = isPacked(raw) ? decompress(raw, file, values['max-bytes']) : raw
  const isZip = unpacked.length > 3 && unpacked[0] === 0x50 && unpacked[1] === 0x4b
  const warn = (what: string) => terminal.err(`${printable(`${file}: ${what}`)}\n`)
  const log = isZip ? (await import('./eval-log.ts')).readEvalLog(unpacked, file, warn, values['max-bytes']) : undefined
  const bytes = log === undefined ? unpacked : Buffer.from(log.text)
  if (name !== '-' && isDatabase(raw)) warnOfWriteAheadLog(name, terminal)
  if (!isUtf8(bytes)) terminal.unreadable = true
  const input = { bytes, file }
  if (bytes !== raw) zipped.add(input)
  if (log?.sample !== undefined) archives.set(input, log.sample)
  return input
}

/** The one input of a command that takes no more. */
export const onlyInput = (command: Pick<Command, 'name' | 'usage'>, files: readonly string[]) => {
  const names = files.length === 0 ? [] : inputNames(files)
  if (names.length === 1) return names[0]!
  const help = `transcript ${command.usage}`
  if (names.length === 0) throw new UsageError(`\`${command.name}\` needs a file`, help)
  throw new UsageError(`\`${command.name}\` takes one file, but got ${names.length}`, help)
}
