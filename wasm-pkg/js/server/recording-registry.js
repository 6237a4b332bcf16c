// The transcripts of a server, and the sessions of callers that play them: each session has its own cursor.
import { readFile } from 'node:fs/promises'
import { detect, mockModel, replay } from 'transcript-workbench'
import { misuse } from '../api/misuse.ts'
import { ReplaySession, isMock, isTape } from '../wire/index.ts'
import { write } from './exchange-writer.js'
import { nameOf } from './transcript-name.js'

const isFile = (source) => source instanceof URL || (typeof source === 'string' && !/[\r\n]/.test(source))

const isSource = (source) =>
  isFile(source) ||
  typeof source === 'string' ||
  source instanceof Uint8Array ||
  typeof source === 'function' ||
  isTape(source) ||
  isMock(source) ||
  (typeof source === 'object' && source !== null && (typeof source.text === 'string' || source.bytes instanceof Uint8Array))

const fileName = (source) => (isFile(source) ? String(source) : source?.file)

const loadSource = async (source) => {
  if (!isFile(source)) return source
  const file = String(source)
  try {
    return { bytes: await readFile(source), file }
  } catch (error) {
    throw Object.assign(new Error(`serve() cannot read the file \`${file}\`: ${error.message}`, { cause: error }), { code: error.code })
  }
}

/** Creates the function that opens a source for a caller. A tape or a mock is shared: it has one cursor for all callers. */
const createOpener = async (source, options) => {
  if (isTape(source) || isMock(source)) return { open: () => source, model: modelName(source) }
  if (typeof source === 'function') return { open: source, model: undefined }
  const whole = await loadSource(source)
  const bytes = typeof whole === 'object' && !(whole instanceof Uint8Array) ? (whole.bytes ?? whole.text) : whole
  const named = typeof whole === 'string' ? { text: whole } : whole
  const open = detect(bytes).kind === 'handlers' ? () => mockModel(named) : () => replay(named, options)
  // A source that cannot be played is reported when the server starts, and not to its first caller.
  return { open, model: modelName(await open()) }
}

const modelName = (source) => {
  const model = isMock(source) ? undefined : source.expectedConfig?.model
  return typeof model === 'string' ? model : undefined
}

const namedSources = (source) => {
  if (isSource(source)) return [[fileName(source) === undefined ? '' : nameOf(fileName(source)), source]]
  if (source instanceof Map) return [...source]
  if (Array.isArray(source)) return source.map((one, at) => [fileName(one) === undefined ? String(at + 1) : nameOf(fileName(one)), one])
  if (typeof source === 'object' && source !== null) return Object.entries(source)
  throw misuse('serve() takes the name of a file, {text, file}, a tape, a mock, a function, or a list or map of them')
}

/** Splits what stands before the address of an API: `NAME`, `NAME@SESSION` or `@SESSION`. */
const parseTarget = (prefix, headers) => {
  const last = decodeURIComponent(prefix.split('/').at(-1) ?? '')
  const at = last.lastIndexOf('@')
  const [name, session] = at < 0 ? [last, ''] : [last.slice(0, at), last.slice(at + 1)]
  return { name: headers.get('x-transcript') ?? name, session: headers.get('x-transcript-session') ?? session }
}

const sessionStatus = ({ name, session, replaySession }) => {
  const { source, lastError } = replaySession
  const left = isTape(source) ? (source.leftover ?? []) : []
  const model = isTape(source)
    ? { calls: source.calls?.length ?? 0, remaining: source.remainingSteps }
    : { calls: source.callCount, remaining: source.responsesRemaining }
  let problem = lastError?.message ?? null
  if (problem === null && isTape(source)) {
    try {
      source.assertComplete()
    } catch (error) {
      problem = error.message
    }
  }
  return { name, session, ...model, leftover: left, complete: problem === null, diverged: lastError !== undefined, problem }
}

export class RecordingRegistry {
  #openers
  #sessions = new Map()

  static async open(source, options) {
    const entries = namedSources(source)
    if (entries.length === 0) throw misuse('serve() got no transcript')
    const registry = new RecordingRegistry()
    registry.#openers = new Map()
    for (const [name, one] of entries) {
      if (!isSource(one)) throw misuse(`\`${name}\` of serve() is no source of a transcript, no tape and no mock`)
      if (registry.#openers.has(name)) throw misuse(`serve() got two transcripts that are named \`${name}\`: give them names with a map`)
      if (/[@/?#]/.test(name)) throw misuse(`the name \`${name}\` of a transcript has a character that cannot stand in an address`)
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

  #unknownName(name) {
    const what = name === '' ? 'the request names no transcript' : `there is no transcript \`${name}\``
    return `${what}; there are: ${this.names.join(', ')}; the header \`x-transcript\`, or the path before \`/v1\`, names one`
  }

  /** The error for an unknown name; undefined if the name is valid. */
  nameError(prefix, headers) {
    const { name } = parseTarget(prefix, headers)
    return name === '' || this.#openers.has(name) ? undefined : this.#unknownName(name)
  }

  /** The replay session for a request, or what is wrong with its name. */
  async find(prefix, headers) {
    const { name: requested, session } = parseTarget(prefix, headers)
    const [only] = this.names
    const name = this.#openers.size === 1 && !this.#openers.has(requested) && !headers.has('x-transcript') ? only : requested
    if (!this.#openers.has(name)) return { wrong: this.#unknownName(name) }
    return { name, session, replaySession: await this.replaySession(name, session) }
  }

  async replaySession(name, session) {
    const key = JSON.stringify([name, session])
    let entry = this.#sessions.get(key)
    if (entry === undefined) {
      const { open } = this.#openers.get(name)
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

  modelNames(prefix, headers) {
    const { name } = parseTarget(prefix, headers)
    const one = this.#openers.get(name)
    const openers = one === undefined ? [...this.#openers] : [[name, one]]
    return [...new Set(openers.map(([key, { model }]) => model ?? (key || 'recorded')))]
  }

  /** The status of all sessions, or of the one that is named. */
  statuses(prefix, headers) {
    const { name, session } = parseTarget(prefix, headers)
    return this.sessions.filter((status) => (name === '' || status.name === name) && (session === '' || status.session === session))
  }

  /** Forgets callers, who begin anew; all when none is named. */
  reset(prefix, headers) {
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
      if (settled.replaySession.lastError !== undefined) throw settled.replaySession.lastError
      settled.replaySession.source.assertComplete?.()
    }
  }

  source(name, session) {
    return this.#sessions.get(JSON.stringify([name, session]))?.settled?.replaySession.source
  }
}
