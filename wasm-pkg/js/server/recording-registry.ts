// The transcripts of a server, and the sessions of callers that play them: each session has its own cursor.
import { readFile } from 'node:fs/promises'
import { type MockModel, type Options, type ReplaySettings, type Source, type Tape, detect, mockModel, replay } from 'transcript-workbench'
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import type { ServedSession, ServedSource, ServedSources } from '../types/server.ts'
import { ReplaySession, isMock, isTape } from '../wire/index.ts'
import { write } from './exchange-writer.ts'
import { nameOf } from './transcript-name.ts'

const isFile = (source: unknown): source is string | URL => source instanceof URL || (typeof source === 'string' && !/[\r\n]/.test(source))

const isSource = (source: unknown): source is ServedSource =>
  isFile(source) ||
  typeof source === 'string' ||
  source instanceof Uint8Array ||
  typeof source === 'function' ||
  isTape(source) ||
  isMock(source) ||
  (typeof source === 'object' &&
    source !== null &&
    (typeof (source as NonNullable<Fields>).text === 'string' || (source as NonNullable<Fields>).bytes instanceof Uint8Array))

const fileName = (source: unknown) => (isFile(source) ? String(source) : ((source as Fields)?.file as string | undefined))

/** A source that is no file any more: its text, or its bytes. */
type LoadedSource =
  | string
  | Uint8Array
  | { text: string; bytes?: undefined; file?: string }
  | { text?: undefined; bytes: Uint8Array; file?: string }

const loadSource = async (source: Source | URL): Promise<LoadedSource> => {
  // Either has a string or bytes.
  if (!isFile(source)) return source as LoadedSource
  const file = String(source)
  try {
    return { bytes: await readFile(source), file }
  } catch (error) {
    throw Object.assign(new Error(`serve() cannot read the file \`${file}\`: ${(error as Error).message}`, { cause: error }), {
      code: (error as NodeJS.ErrnoException).code,
    })
  }
}

type ReplayOptions = Options & ReplaySettings

/** What callers play. */
type Played = Tape | MockModel

/** What opens a source for a caller, and the name of its model. */
interface Opener {
  open(caller: { name: string; session: string }): Played | Promise<Played>
  model: string | undefined
}

/** The session of a caller. */
interface CallerSession {
  name: string
  session: string
  replaySession: ReplaySession
}

/** Creates the function that opens a source for a caller. A tape or a mock is shared: it has one cursor for all callers. */
const createOpener = async (source: ServedSource, options: ReplayOptions | undefined): Promise<Opener> => {
  if (isTape(source) || isMock(source)) return { open: () => source, model: modelName(source) }
  if (typeof source === 'function') return { open: source, model: undefined }
  const whole = await loadSource(source)
  const bytes = typeof whole === 'object' && !(whole instanceof Uint8Array) ? (whole.bytes ?? whole.text) : whole
  const named = typeof whole === 'string' ? { text: whole } : whole
  const open = detect(bytes).kind === 'handlers' ? () => mockModel(named) : () => replay(named, options)
  // A source that cannot be played is reported when the server starts, and not to its first caller.
  return { open, model: modelName(await open()) }
}

const modelName = (source: Played) => {
  const model = isMock(source) ? undefined : source.expectedConfig?.model
  return typeof model === 'string' ? model : undefined
}

const namedSources = (source: ServedSources): [name: string, source: unknown][] => {
  if (isSource(source)) return [[fileName(source) === undefined ? '' : nameOf(fileName(source)!), source]]
  if (source instanceof Map) return [...source]
  if (Array.isArray(source)) return source.map((one, at) => [fileName(one) === undefined ? String(at + 1) : nameOf(fileName(one)!), one])
  if (typeof source === 'object' && source !== null) return Object.entries(source)
  throw misuse('serve() takes a file name, {text, file}, a tape, a mock, a function, or a list or map of them')
}

/** Splits the prefix of an API address: `NAME`, `NAME@SESSION` or `@SESSION`. */
const parseTarget = (prefix: string, headers: Headers) => {
  const last = decodeURIComponent(prefix.split('/').at(-1) ?? '')
  const at = last.lastIndexOf('@')
  const [name, session] = at < 0 ? [last, ''] : [last.slice(0, at), last.slice(at + 1)]
  return { name: headers.get('x-transcript') ?? name, session: headers.get('x-transcript-session') ?? session }
}

const sessionStatus = ({ name, session, replaySession }: CallerSession): ServedSession => {
  // Of the tape of one agent, which a function may give, less is known.
  const { source, lastError } = replaySession as { source: Played; lastError: Error | undefined }
  const left = isTape(source) ? (source.leftover ?? []) : []
  const model = isTape(source)
    ? { calls: source.calls?.length ?? 0, remaining: source.remainingSteps }
    : { calls: source.callCount, remaining: source.responsesRemaining }
  let problem = lastError?.message ?? null
  if (problem === null && isTape(source)) {
    try {
      source.assertComplete()
    } catch (error) {
      problem = (error as Error).message
    }
  }
  return { name, session, ...model, leftover: left, complete: problem === null, diverged: lastError !== undefined, problem }
}

export class RecordingRegistry {
  #openers!: Map<string, Opener>
  #sessions = new Map<string, { opening: Promise<ReplaySession>; settled?: CallerSession }>()

  static async open(source: ServedSources, options: ReplayOptions | undefined) {
    const entries = namedSources(source)
    if (entries.length === 0) throw misuse('serve() got no transcripts')
    const registry = new RecordingRegistry()
    registry.#openers = new Map()
    for (const [name, one] of entries) {
      if (!isSource(one)) throw misuse(`\`${name}\` of serve() is not a transcript, tape or mock`)
      if (registry.#openers.has(name)) throw misuse(`two transcripts of serve() are named \`${name}\`: pass a map with unique names`)
      if (/[@/?#]/.test(name)) throw misuse(`the transcript name \`${name}\` has a character that is not valid in an address`)
      registry.#openers.set(name, await createOpener(one, options))
    }
    return registry
  }

  get names() {
    return [...this.#openers.keys()]
  }

  get sessions() {
    return [...this.#sessions.values()].flatMap(({ settled }) => (settled === undefined ? [] : [sessionStatus(settled)]))
  }

  #unknownName(name: string) {
    const what = name === '' ? 'the request names no transcript' : `unknown transcript \`${name}\``
    return `${what}; choose one of ${this.names.join(', ')} with the header \`x-transcript\` or the path before \`/v1\``
  }

  /** The error for an unknown name; undefined if the name is valid. */
  nameError(prefix: string, headers: Headers) {
    const { name } = parseTarget(prefix, headers)
    return name === '' || this.#openers.has(name) ? undefined : this.#unknownName(name)
  }

  /** The replay session for a request, or what is wrong with its name. */
  async find(prefix: string, headers: Headers) {
    const { name: requested, session } = parseTarget(prefix, headers)
    const [only] = this.names
    const name = this.#openers.size === 1 && !this.#openers.has(requested) && !headers.has('x-transcript') ? only! : requested
    if (!this.#openers.has(name)) return { wrong: this.#unknownName(name) }
    return { name, session, replaySession: await this.replaySession(name, session) }
  }

  async replaySession(name: string, session: string) {
    const key = JSON.stringify([name, session])
    let entry = this.#sessions.get(key)
    if (entry === undefined) {
      const { open } = this.#openers.get(name)!
      // Stored at once, so that two first requests of a caller share a cursor.
      entry = { opening: (async () => new ReplaySession(await open({ name, session }), write))() }
      this.#sessions.set(key, entry)
    }
    try {
      const replaySession = await entry.opening
      entry.settled = { name, session, replaySession }
      return replaySession
    } catch (error) {
      this.#sessions.delete(key)
      throw error
    }
  }

  modelNames(prefix: string, headers: Headers) {
    const { name } = parseTarget(prefix, headers)
    const one = this.#openers.get(name)
    const openers: [string, Opener][] = one === undefined ? [...this.#openers] : [[name, one]]
    return [...new Set(openers.map(([key, { model }]) => model ?? (key || 'recorded')))]
  }

  /** The status of all sessions, or of the one that is named. */
  statuses(prefix: string, headers: Headers) {
    const { name, session } = parseTarget(prefix, headers)
    return this.sessions.filter((status) => (name === '' || status.name === name) && (session === '' || status.session === session))
  }

  /** Forgets callers, so that they start again; by default all. */
  reset(prefix: string, headers: Headers) {
    const { name, session } = parseTarget(prefix, headers)
    for (const [key, { settled }] of this.#sessions) {
      if (settled !== undefined && (name === '' || settled.name === name) && (session === '' || settled.session === session))
        this.#sessions.delete(key)
    }
  }

  clear() {
    this.#sessions.clear()
  }

  assertComplete() {
    for (const { settled } of this.#sessions.values()) {
      if (settled === undefined) continue
      // A mock has no end that could be checked.
      if (settled.replaySession.lastError !== undefined) throw settled.replaySession.lastError
      ;(settled.replaySession.source as Partial<Tape>).assertComplete?.()
    }
  }

  source(name: string, session: string) {
    return this.#sessions.get(JSON.stringify([name, session]))?.settled?.replaySession.source as Played | undefined
  }
}
