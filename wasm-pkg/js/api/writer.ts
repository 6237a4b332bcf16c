// Session logs as qbit writes them, for hosts with a file system. A log never fails the run that it is of.
import type { LogFormat, WriterOptions } from '../types/index.ts'
import type { Fields } from './fields.ts'
import { misuse } from './misuse.ts'
import { kindOf } from './options.ts'
import { closest } from './suggest.ts'

/** The formats: that of today, that of releases before February 2026, and the plan before both. */
const FORMATS: readonly unknown[] = ['lines', 'array', 'plan']

/** Pieces of what other events have whole. */
const STREAMED_EVENTS = ['text_delta', 'reasoning', 'tool_output_chunk']

/** What an agent of a session does, which has a log of its own. */
const AGENT_EVENTS = ['sub_agent_tool_request', 'sub_agent_tool_result']

/** What a host lets logs do with its files. */
interface LogFiles {
  /** Makes a file with this text where there is none. */
  begin(path: string, text: string): void
  /** Whether a file is empty, is not there, or ends with a line. */
  endsLine(path: string): Promise<boolean>
  append(path: string, text: string): Promise<void>
  replace(path: string, text: string): Promise<void>
  /** Does something while no other program that waits does it with the same file. */
  exclusively<Result>(path: string, work: () => Promise<Result>): Promise<Result>
  read(path: string): Promise<string>
  join(...parts: string[]): string
  resolve(path: string): string
  /** The path of a `file:` address. */
  pathOf(url: URL): string
  home(): string
  env: { [name: string]: string | undefined }
}

let fileSystem: LogFiles | undefined

/** Lets logs be written; the entry for Node calls it. @internal */
export const useLogs = (functions: LogFiles) => {
  fileSystem = functions
}

const requireFileSystem = (call: string) => {
  if (fileSystem === undefined) throw misuse(`${call} needs a file system, which only Node, Deno and Bun have`)
  return fileSystem
}

const isMap = (value: unknown): value is NonNullable<Fields> => typeof value === 'object' && value !== null && !Array.isArray(value)

const checkOptions = (call: string, options: unknown, names: readonly string[]) => {
  if (!isMap(options)) throw misuse(`${call} takes an object of options, but got ${kindOf(options)}`)
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const near = closest(name, names)
    throw misuse(`${call} has no option \`${name}\`; ${near ? `did you mean \`${near}\`?` : `there are: ${names.join(', ')}`}`)
  }
  const { format = 'lines' } = options
  if (!FORMATS.includes(format)) throw misuse(`the format of ${call} is ${FORMATS.join(', ')}, but got ${kindOf(format)}`)
  return format as LogFormat
}

/** Whether a value is one name of a path, and leads nowhere else. */
const isName = (value: unknown) => typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && !/[/\\\0]/.test(value)

const checkName = (what: string, value: unknown) => {
  if (!isName(value)) throw misuse(`${what} is one name of a path, but got ${typeof value === 'string' ? `\`${value}\`` : kindOf(value)}`)
  return value
}

const folderPath = (folder: string | URL) => (folder instanceof URL ? requireFileSystem('a log').pathOf(folder) : folder)

const logPath = (folder: string | URL, session: string, { format, agent, call }: WriterOptions) => {
  const { join } = requireFileSystem('transcriptPath()')
  const base = folderPath(folder)
  if (typeof base !== 'string') throw misuse(`the folder of a log is a path, but got ${kindOf(base)}`)
  checkName('the id of a session', session)
  if (agent === undefined) {
    return format === 'plan' ? join(base, `transcript-${session}.jsonl`) : join(base, session, 'transcript.json')
  }
  checkName('the id of an agent', agent)
  checkName('the id of a call', call)
  if (format === 'plan') return join(base, `transcript-${session}-${agent}-${call}.jsonl`)
  return join(base, session, 'subagents', `${agent}-${call}`, 'transcript.json')
}

/**
 * The path of the log of a session, or of an agent that a call of it began.
 *
 * @throws {TypeError} when an id contains a path.
 * @example
 * transcriptPath('/logs', 'abc') // '/logs/abc/transcript.json'
 */
export const transcriptPath = (
  folder: string | URL,
  session: string,
  options: { format?: LogFormat; agent?: string; call?: string } = {},
): string => {
  const format = checkOptions('transcriptPath()', options, ['format', 'agent', 'call'])
  return logPath(folder, session, { ...options, format })
}

/**
 * The folder in which qbit has its logs: `VT_TRANSCRIPT_DIR`, else `~/.qbit/transcripts`; for `plan` `VT_SESSION_DIR`,
 * else `~/.qbit/sessions`.
 *
 * @example
 * transcriptFolder({ env: { VT_TRANSCRIPT_DIR: '/logs' } }) // '/logs'
 */
export const transcriptFolder = (options: { format?: LogFormat; env?: { [name: string]: string | undefined } } = {}): string => {
  const format = checkOptions('transcriptFolder()', options, ['format', 'env'])
  const { join, home, env: own } = requireFileSystem('transcriptFolder()')
  const { env = own } = options
  const [name, folder] = format === 'plan' ? ['VT_SESSION_DIR', 'sessions'] : ['VT_TRANSCRIPT_DIR', 'transcripts']
  return env[name] || join(home(), '.qbit', folder)
}

/** The pending work of each file, by path: writers of one file wait for each other. */
const queues = new Map<string, Promise<unknown>>()

const enqueue = (path: string, work: () => Promise<unknown>) => {
  // A failed one does not stop the next ones.
  const result = (queues.get(path) ?? Promise.resolve()).then(work, work)
  queues.set(path, result)
  return result.finally(() => {
    if (queues.get(path) === result) queues.delete(path)
  })
}

/** The paths of files whose last line may be incomplete, whichever writer wrote it. */
const incompleteFiles = new Set<string>()

const warnError = (error: unknown, { path }: { path: string }) =>
  console.warn(`cannot write to ${path}: ${error instanceof Error ? error.message : error}`)

/** An event of a session. */
interface SessionEvent {
  type: string
  [key: string]: unknown
}

/**
 * Writes the log of a session, one event a line. Failures to write are not thrown: a log never
 * fails its run. Only for Node, Deno and Bun.
 *
 * @example
 * const writer = new TranscriptWriter(transcriptFolder(), 'abc')
 * await writer.append({ type: 'started', turn_id: 't1' })
 */
export class TranscriptWriter {
  readonly #folder: string | URL
  readonly #session: string
  readonly #options: WriterOptions & Required<Pick<WriterOptions, 'onError' | 'clock'>>
  readonly #format: LogFormat
  readonly #path: string
  #isReady = false
  #agents = new Map<string, TranscriptWriter>()

  constructor(folder: string | URL, session: string, options: WriterOptions = {}) {
    const { resolve } = requireFileSystem('new TranscriptWriter()')
    this.#format = checkOptions('new TranscriptWriter()', options, ['format', 'onError', 'clock', 'streamed', 'agent', 'call'])
    for (const name of ['onError', 'clock'] as const) {
      if (options[name] === undefined || typeof options[name] === 'function') continue
      throw misuse(`the option \`${name}\` of new TranscriptWriter() is a function, but got ${kindOf(options[name])}`)
    }
    this.#folder = folderPath(folder)
    this.#session = session
    this.#options = { onError: warnError, clock: () => new Date(), ...options }
    this.#path = resolve(logPath(folder, session, { ...options, format: this.#format }))
    try {
      fileSystem!.begin(this.#path, this.#format === 'array' ? '[]' : '')
    } catch (error) {
      this.#reportError(error)
    }
  }

  /** The file. */
  get path(): string {
    return this.#path
  }

  #reportError(error: unknown, event?: unknown) {
    try {
      this.#options.onError(error, { path: this.#path, event })
    } catch {
      // A failing callback does not fail the run either.
    }
    return false
  }

  /**
   * Adds an event with the current time. Returns true once it is on the disk; false if it was left out, or could not be
   * written, which is reported to `onError`.
   */
  async append(event: { type: string; [key: string]: unknown }): Promise<boolean> {
    try {
      if (!isMap(event)) throw misuse(`append() takes an event, but got ${kindOf(event)}`)
      if (typeof event.type !== 'string') throw misuse(`the \`type\` of an event is a string, but got ${kindOf(event.type)}`)
      const { streamed, agent } = this.#options
      if (!streamed && STREAMED_EVENTS.includes(event.type)) return false
      // An event without an agent stays in the log of the session.
      const isOfAgent = AGENT_EVENTS.includes(event.type) && [event.agent_id, event.parent_request_id].every(isName)
      if (agent === undefined && isOfAgent) return await this.#agentWriter(event).append(event)
      const now = this.#options.clock()
      const time = this.#format === 'plan' ? Number(now) : new Date(now).toISOString()
      // Writes the event as it is now, whatever changes it while others are written.
      const line = JSON.stringify({ _timestamp: time, ...event })
      await enqueue(this.#path, () => (this.#format === 'array' ? this.#appendToList(line) : this.#appendLine(line)))
      return true
    } catch (error) {
      return this.#reportError(error, event)
    }
  }

  async #appendLine(line: string) {
    // A line that was cut stays a line of its own, and so does a list of an older release.
    const isSound = (this.#isReady && !incompleteFiles.has(this.#path)) || (await fileSystem!.endsLine(this.#path))
    // A failed write may have written a part of its line.
    incompleteFiles.add(this.#path)
    await fileSystem!.append(this.#path, `${isSound ? '' : '\n'}${line}\n`)
    incompleteFiles.delete(this.#path)
    this.#isReady = true
  }

  /** Adds an entry to the list that the file has now: another program may have written to it, and its text stays as it is. */
  #appendToList(line: string) {
    return fileSystem!.exclusively(this.#path, async () => {
      const text = await fileSystem!.read(this.#path).catch((error) => {
        if (error.code !== 'ENOENT') throw error
        return ''
      })
      const list = text.trim() === '' ? '[]' : text.replace(/^\ufeff/, '').trim()
      // Overwriting a cut list or other data would lose it; a line after it can be read.
      if (!list.startsWith('[') || !list.endsWith(']')) return this.#appendLine(line)
      const before = list.slice(0, -1).trimEnd()
      const entry = JSON.stringify(JSON.parse(line), null, 2).replaceAll('\n', '\n  ')
      return fileSystem!.replace(this.#path, `${before}${before === '[' ? '' : ','}\n  ${entry}\n]`)
    })
  }

  #agentWriter({ agent_id: agent, parent_request_id: call }: SessionEvent) {
    const key = `${agent}-${call}`
    const writer = this.#agents.get(key) ?? this.forAgent(agent as string, call as string)
    this.#agents.set(key, writer)
    return writer
  }

  /** The writer of the log of an agent that the call `call` began. */
  forAgent(agent: string, call: string): TranscriptWriter {
    checkName('the id of an agent', agent)
    checkName('the id of a call', call)
    return new TranscriptWriter(this.#folder, this.#session, { ...this.#options, agent, call })
  }

  /** Waits until everything appended so far is on the disk, or reported as failed. */
  async flush(): Promise<void> {
    const paths = [this.#path, ...[...this.#agents.values()].map(({ path }) => path)]
    await Promise.allSettled(paths.map((path) => queues.get(path)))
  }
}
