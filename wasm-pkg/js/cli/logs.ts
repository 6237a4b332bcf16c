// The files of other programs on the command line: single files, or the folder of a session.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDatabase } from '../api/database.ts'
import type { ImportFormat, ImportOptions, ImportResult, Options, ImportedResponse, Source } from '../types/index.ts'
import { importLog, importSessions } from './authoring.ts'
import type { CommonValues } from './command.ts'
import { detect, formats } from './core.ts'
import { UsageError } from './failure.ts'
import { type Input, inputNames, hasSamplesApart, isNamed, readInput, withSample } from './inputs.ts'
import { cut as shortened, printable } from './printable.ts'
import { trackProgress } from './progress.ts'
import { pluralize, renderError } from './report.ts'
import type { Terminal } from './terminal.ts'

/** A list as part of a sentence. */
export const listed = (items: readonly string[], last: string) =>
  [items.slice(0, -1).join(', '), items.at(-1)].filter(Boolean).join(` ${last} `)

const programs = () => formats().flatMap(({ names }) => names.slice(0, 1))

/** The option `--from` of the commands that read logs. Only the manual and completions need the core for it. */
export const FROM_OPTION = {
  name: 'TOOL',
  get suggestions() {
    return programs()
  },
  get help() {
    return `the tool that wrote the log, if its format is not detected: ${listed(programs(), 'or')}`
  },
}

/** The files of the formats that have `extra` besides runs, as a list in a sentence. */
export const pluralsWith = (extra: ImportFormat['extras'][number], last = 'or') =>
  listed(
    formats().flatMap(({ extras, plural }) => (extras.includes(extra) && plural !== '' ? [plural] : [])),
    last,
  )

/** How files of a kind belong together; undefined for a kind that `importLog` does not read. */
export const groupingOf = (kind: string | undefined) => formats().find((format) => format.kind === kind)?.files

/** Whether a source is a file that `importLog` reads. */
export const isLog = (input: Source, options: Options) => groupingOf(detect(input, options).kind) !== undefined

const isFolder = (name: string) => {
  try {
    return statSync(name).isDirectory()
  } catch {
    return false
  }
}

/** The logs below a folder, those under the names of logs as well as those that only look so. */
const logsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return logsBelow(path)
      return /\.(jsonl?|ya?ml|har|eval)(\.gz|\.zst)?$/i.test(entry.name) || DATABASE.test(entry.name) ? [path] : []
    })

/** The names of databases. */
const DATABASE = /\.(db|sqlite3?|vscdb)(\.gz|\.zst)?$/i

/** Whether a file has the name of a database, which any program may have in a folder, and is none of an agent. */
const isOtherDatabase = (input: Input) =>
  DATABASE.test(input.file) && !(isDatabase(input.bytes) && detect(input).kind !== 'unknown' && hasConversation(input))

/** A database of Cursor for a folder that was only opened has none. */
const hasConversation = (input: Input) => {
  const { transcript, sessions } = importLog(input, {})
  return transcript !== null || sessions.length > 0
}

const namesOf = (argument: string) => {
  if (!isFolder(argument)) return inputNames([argument])
  const found = logsBelow(argument)
  if (found.length === 0)
    throw new UsageError(`there is no .json, .jsonl, .yaml, .har, .eval, .vscdb, .sqlite or .db file below \`${argument}\``)
  return found
}

/** Reads the files of a command as sources. */
export const readLogs = async (files: readonly string[], terminal: Terminal, values: CommonValues) => {
  const inputs: Input[] = []
  const names = files.flatMap(namesOf)
  const progress = trackProgress(terminal, names)
  for (const name of names) {
    progress.next(name)
    const input = await readInput(name, terminal, values)
    if (!isNamed(name, files) && isOtherDatabase(input)) terminal.err(`${printable(name)}: skipped: not a supported log\n`)
    else inputs.push(input)
  }
  if (names.length > 0 && inputs.length === 0) throw new UsageError('none of the files is a supported log')
  // A cut in the middle of a character leaves bytes that are no text, which is no fault of the log.
  terminal.unreadable = false
  return inputs
}

/** Imports sources, and prints problems to the standard error. Returns null if there is no transcript, or with `handlers` no handlers. */
export const importLogs = (
  inputs: readonly Input[],
  { handlers = false, ...options }: ImportOptions & { handlers?: boolean },
  terminal: Terminal,
  values: CommonValues,
): ImportResult | null => {
  const { session } = options
  const placeOf = (input: Input) => importLog(input, { ...options, session: undefined }).sessions.indexOf(session!)
  const sources = inputs.map((input) => (session !== undefined && hasSamplesApart(input) ? withSample(input, placeOf(input)) : input))
  const found = importLog(sources, { ...options, color: terminal.colorErr(values.color), sizes: true })
  return reportImport(found, handlers, terminal)
}

/** Prints the problems of an import to the standard error. Returns null if there is no transcript, or with `handlers` no handlers. */
const reportImport = (found: ImportResult, handlers: boolean, terminal: Terminal): ImportResult | null => {
  terminal.err(found.rendered)
  if (found.problem !== null && !(handlers && found.handlers !== null)) {
    terminal.err(renderError(found.problem.message, found.problem.help?.replace('`session`', '`--session`').replace('`from`', '`--from`')))
    if (found.sizes.length > 0) terminal.err(`\n${renderSessions(found, terminal.columns)}`)
    return null
  }
  for (const { path, layout, entries, used, kept, streamed, lost, damaged, truncatedLine } of found.files) {
    // A diagnostic reports why a file is left out.
    if (layout === 'unread') continue
    const parts = [`${pluralize(entries, 'entry', 'entries')} read`]
    if (kept.length > 0) parts.push(`${kept.length} not part of the conversation (kept in metadata)`)
    if (streamed.length > 0) parts.push(`${pluralize(streamed.length, 'stream chunk')} left out`)
    if (damaged.length > 0) parts.push(`${damaged.length} of them damaged`)
    if (lost.length > 0) parts.push(`${pluralize(lost.length, 'piece')} lost`)
    if (truncatedLine !== null) parts.push(`cut in line ${truncatedLine}`)
    if (entries !== used.length || lost.length > 0 || damaged.length > 0) terminal.err(`${printable(path)}: ${parts.join(', ')}\n`)
  }
  return found
}

/** Imports each session of sources that are one log, and prints problems to the standard error; `found` is null without a transcript. */
export function* importEachSession(
  inputs: readonly Input[],
  options: ImportOptions,
  terminal: Terminal,
  values: CommonValues,
): Generator<{ session: string | undefined; found: ImportResult | null }, void, undefined> {
  if (inputs.some(hasSamplesApart)) {
    // A sample is read out of its archive when it is needed.
    const { sessions } = importLog([...inputs], options)
    for (const session of sessions.length > 0 ? sessions : [undefined]) {
      const found = importLogs(inputs, { ...options, session }, terminal, values)
      yield { session: sessions.length > 1 ? session : undefined, found }
    }
    return
  }
  const color = terminal.colorErr(values.color)
  // Sessions of one file share its problems.
  const shown = new Set<string>()
  const isNew = (problem: string) => shown.size < shown.add(problem).size
  for (const { session, found } of importSessions(inputs, { ...options, color })) {
    const rendered = found.rendered
      .split(/(?<=\n\n)/)
      .filter(isNew)
      .join('')
    yield { session, found: reportImport({ ...found, rendered }, false, terminal) }
  }
}

/** The sessions to choose from, one a line. */
const renderSessions = ({ sessions, firstWords, sizes }: ImportResult, columns: number) => {
  const rows = sizes.map(({ responses, toolCalls, started }, at) =>
    [sessions[at]!, String(responses), String(toolCalls), started?.slice(0, 16).replace('T', ' ') ?? '-', firstWords[at]!].map(printable),
  )
  return table([['SESSION', 'RESPONSES', 'TOOL CALLS', 'STARTED', 'FIRST WORDS'], ...rows], columns)
}

/** Rows whose cells, except the last, are as wide as the widest one of their column. */
const table = (rows: readonly (readonly string[])[], columns: number) => {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  const line = (row: readonly string[]) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at]!) : cell)).join('  ')
  return `${rows.map((row) => shortened(line(row).trimEnd(), columns)).join('\n')}\n`
}

/** The options to open a transcript that was made here: it may be larger than the log it was made of, which is within the limit. */
export const withoutSizeLimit = (options: Options): Options => ({ ...options, maxBytes: 2 ** 32 - 1 })

const answerText = ({ content, toolCalls, embeddings }: ImportedResponse) => {
  if (embeddings !== null) return pluralize(embeddings, 'embedding')
  const calls = toolCalls.map(({ name, arguments: args }) => `calls ${name}(${JSON.stringify(args ?? {})})`)
  return [...(content ? [content] : []), ...calls].join(' ')
}

/** The responses of a recording by itself, one a line; null for anything else, which is a run with steps. */
export const renderResponses = ({ kind, files, responses }: ImportResult, columns: number) => {
  const isAlone = groupingOf(kind) === 'lead' && !files.some(({ kind: one, layout }) => one !== kind && layout !== 'unread')
  if (!isAlone) return null
  const rows = responses.map((answer) => {
    const { key, isHash, turn, model, usage, finishReason, isIncomplete } = answer
    return [
      `${isHash ? shortened(key, 13) : key}${turn === null ? '' : ` ${turn}`}`,
      model ?? '-',
      usage?.total_tokens === undefined ? '-' : String(usage.total_tokens),
      `${finishReason ?? '-'}${isIncomplete ? ', cut' : ''}`,
      answerText(answer).replace(/\s+/g, ' '),
    ].map(printable)
  })
  return table([['ANSWER', 'MODEL', 'TOKENS', 'END', 'CONTENT'], ...rows], columns)
}
