// Logs of events: reading and writing them, their order, and the proof that they replay the same each time.
import { toExactJson } from '../api/data.ts'
import { invalidState, misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import type { Fields } from '../api/fields.ts'
import type { Diagnostic, Source } from '../types/index.ts'
import type {
  EventHandler,
  EventFailure,
  EventInput,
  EventLog,
  EventOrder,
  EventTool,
  TraceDivergence,
  VerifyDeterminism,
} from '../types/experimental.ts'
import type { EventAnswers, EventRequest } from './answers.ts'
import type { OpenedLog, Proof, ProofRun, ReplayOptions, ReplaySettings } from './proof.ts'
import { type EventLogModule, eventModule } from './wasm-module.ts'
import { createVerify } from './verify.ts'

/** The `$id` of the JSON Schema of an event, which is the file `transcript-workbench/schema/event.schema.json`. */
export const SCHEMA_URI: string = 'npm:transcript-workbench/schema/event.schema.json'

const ORDERS = ['kahn', 'layers']
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Appends events to a file. */
interface EventFile {
  write(line: string): void
  close(): void
}

interface EventFiles {
  append(path: string | URL): EventFile
}

let proof: Proof | undefined
let files: EventFiles | undefined

/** Lets a proof run isolated, and events be appended to files: the entry for Node calls it. @internal */
export const useNode = (platform: { proof: Proof; files: EventFiles }) => {
  proof = platform.proof
  files = platform.files
}

const isMap = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

const checkEventOptions = <Given extends object>(name: string, options: Given | undefined, names: readonly string[]): Given => {
  const checked: { readonly [option: string]: unknown } = options ?? {}
  if (!isMap(checked)) throw misuse(`the options of ${name}() are an object, but got ${kindOf(checked)}`)
  const unknown = Object.keys(checked).find((key) => !names.includes(key))
  if (unknown !== undefined) throw misuse(`${name}() has no option \`${unknown}\`; it has ${names.map((key) => `\`${key}\``).join(', ')}`)
  for (const key of ['maxBytes', 'seed', 'runs', 'from', 'count', 'timeout']) {
    const value = checked[key]
    if (value !== undefined && (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > 0xffffffff)) {
      throw misuse(`the option \`${key}\` of ${name}() is an integer, but got ${kindOf(value)}`)
    }
  }
  if (checked.order !== undefined && !ORDERS.includes(checked.order as string)) {
    throw misuse(
      `the option \`order\` of ${name}() is 'kahn' or 'layers', but got ${JSON.stringify(checked.order) ?? kindOf(checked.order)}`,
    )
  }
  return checked as Given
}

const checkToolFunctions = (name: string, tools: unknown = {}) => {
  if (!isMap(tools)) throw misuse(`the option \`tools\` of ${name}() is an object of functions, but got ${kindOf(tools)}`)
  for (const [tool, run] of Object.entries(tools)) {
    if (typeof run !== 'function') throw misuse(`the option \`tools.${tool}\` of ${name}() is a function, but got ${kindOf(run)}`)
  }
  return tools as { [name: string]: EventTool }
}

/** Handlers of agents: functions of messages, or models such as `mockModel()` makes, which are reset. */
const checkHandlers = (name: string, handlers: unknown = {}) => {
  if (!isMap(handlers))
    throw misuse(`the option \`handlers\` of ${name}() is an object of models or functions, by agent, but got ${kindOf(handlers)}`)
  const entries = Object.entries(handlers).map(([agent, handler]): [agent: string, handler: EventHandler] => {
    if (typeof handler === 'function') return [agent, handler as EventHandler]
    if (typeof (handler as Fields)?.call !== 'function') {
      throw misuse(
        `the option \`handlers.${agent}\` of ${name}() is a model, as \`mockModel()\` makes them, or a function, but got ${kindOf(handler)}`,
      )
    }
    return [agent, handler as EventHandler]
  })
  return new Map(entries)
}

/** The default timeout of a tool or a handler, in milliseconds. */
const DEFAULT_TIMEOUT = 60_000

class NoAnswerError extends Error {}

/** The result of `work`, unless it takes longer than so many milliseconds; 0 for no limit. */
const withTimeout = async (timeout: number, what: string, work: () => unknown) => {
  const timeoutError = () => new NoAnswerError(`${what} did not answer within ${timeout} ms`)
  const stop = () => {
    throw timeoutError()
  }
  const result = timeout > 0 && proof !== undefined ? proof.runWithTimeout(timeout, work, stop) : work()
  if (timeout === 0 || typeof (result as Fields)?.then !== 'function') return result
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(timeoutError()), timeout)
  })
  try {
    return await Promise.race([result, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

const outcomeJson = async (work: () => unknown, what: string) => {
  try {
    const result = await work()
    return `{"result":${toExactJson(result, `what ${what} returned`)}}`
  } catch (error) {
    if (error instanceof NoAnswerError) throw error
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}

const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** The text of a source, which must not change. */
const readText = (name: string, source: Source) => {
  const { text, bytes, file } = sourceOf(name, source)
  try {
    return text ?? strictDecoder.decode(bytes)
  } catch {
    throw misuse(`${name}() takes text, but \`${file}\` is not UTF-8`)
  }
}

/** The most calls of a handler for one answer: a response that calls tools is no answer yet. */
const MAX_REPLIES = 50

/** The answer of a handler. It gets the whole history of its agent. */
const runHandler = async (handler: EventHandler, messages: object[], agent: string) => {
  if (typeof handler === 'function') return handler([...messages], { agent })
  for (let count = 0; count < MAX_REPLIES; count += 1) {
    const response = await handler.call({ messages: [...messages] })
    if ((response.tool_calls ?? []).length === 0) return response.content
    messages.push({ role: 'assistant', content: response.content ?? '', tool_calls: response.tool_calls })
  }
  throw new Error(`it called tools ${MAX_REPLIES} times and never answered`)
}

/** The key of the function of a log that runs it for a proof; the thread uses it. */
const PROOF_RUN = Symbol.for('transcript-workbench: a run of a proof')

/** The returned log, and the functions that a proof needs. */
const createLog = ({ call, shuffled, free }: EventLogModule): OpenedLog => {
  const data = <Method extends keyof EventAnswers>(method: Method, argument?: object): EventAnswers[Method] => {
    const text = call(method, argument)
    // Only methods that may find nothing answer nothing.
    return (text === undefined ? undefined : JSON.parse(text)) as EventAnswers[Method]
  }
  const ordered = <Given extends { order?: EventOrder }>(name: string, options: Given | undefined, known: readonly string[] = []) => {
    const { order = 'kahn', ...rest } = checkEventOptions(name, options, ['order', ...known])
    return { ...rest, order }
  }

  /** Replays with live tools and handlers; `traceOptions` selects which part of the trace is kept, and `read` reads it. */
  const play = async <Trace>(
    { order = 'kahn', tools: toolFunctions, handlers: models, timeout = DEFAULT_TIMEOUT }: ReplayOptions,
    read: (replay: number) => Trace,
    traceOptions: object = {},
  ) => {
    const tools = checkToolFunctions('replay', toolFunctions)
    const handlers = checkHandlers('replay', models)
    for (const model of handlers.values()) if (typeof model !== 'function') model.reset?.()
    const histories = new Map<string, object[]>()
    const settings: ReplaySettings = { order, live: Object.keys(tools), agents: [...handlers.keys()] }
    const outcomeOf = (request: EventRequest) => {
      const { event, agent } = request
      if (request.messages === undefined) {
        const what = `the tool \`${request.tool}\``
        const parameters = JSON.parse(request.arguments)
        return outcomeJson(
          () => withTimeout(timeout, what, () => tools[request.tool]!(parameters, { event, agent, callId: request.call ?? undefined })),
          what,
        )
      }
      const messages = [...(histories.get(agent) ?? []), ...JSON.parse(request.messages)]
      histories.set(agent, messages)
      const what = `the handler of \`${agent}\``
      return outcomeJson(() => withTimeout(timeout, what, () => runHandler(handlers.get(agent)!, messages, agent)), what)
    }
    const timeouts: EventFailure[] = []
    const outcomes: string[] = []
    const replay = data('begin', { ...settings, ...traceOptions })
    try {
      for (let request = data('advance', { replay }); request !== undefined; request = data('advance', { replay })) {
        let outcome: string
        try {
          outcome = await outcomeOf(request)
        } catch (error) {
          if (!(error instanceof NoAnswerError)) throw error
          timeouts.push({ event: request.event, message: error.message })
          break
        }
        outcomes.push(outcome)
        call('answer', { replay, outcome })
      }
      const { failed, failures, ...summary } = data('summary', { replay })
      const result = { ...summary, failed: failed + timeouts.length, failures: [...failures, ...timeouts], timedOut: timeouts.length > 0 }
      return { settings, outcomes, result, trace: read(replay) }
    } finally {
      call('end', { replay })
    }
  }

  /** A run for a proof: fingerprints of its trace, and everything that is needed to write any line of it again. */
  const proofRun = async (playing: ReplayOptions): Promise<ProofRun> => {
    const { settings, outcomes, result, trace } = await play(playing, (replay) => data('prints', { replay }), { prints: true })
    return { ...result, fingerprints: trace, settings, outcomes }
  }

  /** Some lines of the trace of such a run. */
  const traceLines = ({ settings, outcomes }: ProofRun, from: number, count: number) => {
    const replay = data('begin', { ...settings, from, count })
    try {
      for (const outcome of outcomes) {
        call('advance', { replay })
        call('answer', { replay, outcome })
      }
      call('advance', { replay })
      return call('trace', { replay })!
    } finally {
      call('end', { replay })
    }
  }

  const log: EventLog = {
    ok: data('ok'),
    get diagnostics() {
      return data('diagnostics')
    },
    get overview() {
      return data('overview')
    },
    get tools() {
      return data('tools')
    },
    get agents() {
      return data('agents')
    },
    render: ({ color = false } = {}) => call('render', { color })!,
    order: (options) =>
      call('order', ordered('order', options))!
        .split('\n')
        .filter((id) => id !== ''),
    layers: () => data('layers'),
    rows: (options) => {
      const { order, from = 0, count = 0xffffffff } = ordered('rows', options, ['from', 'count'])
      return data('rows', { order, from, count })
    },
    event: (id) => data('event', { id }),
    past: (id) => data('past', { id }),
    future: (id) => data('future', { id }),
    explain: (place, options) => data('explain', { place, ...ordered('explain', options) }),
    between: (one, other, options) => data('between', { one, other, ...ordered('between', options) }),
    shuffled: (seed) => decoder.decode(shuffled(seed)),
    nest: (recording, options) => {
      const { replace = false } = checkEventOptions('nest', options, ['replace'])
      return data('nest', { recording: readText('nest', recording), replace })
    },
    replay: async (options) => {
      const playing = ordered('replay', options, ['tools', 'handlers', 'timeout'])
      const { trace, result } = await play(playing, (replay) => call('trace', { replay })!)
      return { trace, ...result }
    },
    free,
  }
  Object.defineProperty(log, PROOF_RUN, { value: proofRun })
  return { log, proofRun, traceLines, shuffled, free }
}

const openLog = (name: string, source: Source, { maxBytes }: { maxBytes?: number | undefined } = {}) => {
  const { text, bytes, file } = sourceOf(name, source, { maxBytes })
  return createLog(eventModule.open(bytes ?? encoder.encode(text), file, maxBytes))
}

/** Opens a log: lines of JSON, a list, or a recording with `_inter_agent_events`. */
export const readEvents = (source: Source, options?: { maxBytes?: number }): EventLog =>
  openLog('readEvents', source, checkEventOptions('readEvents', options, ['maxBytes'])).log

/** The text of events, one a line. */
export const writeEvents = (events: EventInput[]): string => {
  if (!Array.isArray(events)) throw misuse(`writeEvents() takes a list of events, but got ${kindOf(events)}`)
  return events.map((event) => eventModule.call('line', toExactJson(event, 'an event'))).join('')
}

/** The ids of the events in order; none when the log has errors. */
export const orderEvents = (
  source: Source,
  options?: { order?: EventOrder; maxBytes?: number },
): { ok: boolean; diagnostics: Diagnostic[]; ids: string[] } => {
  const { order = 'kahn', maxBytes } = checkEventOptions('orderEvents', options, ['order', 'maxBytes'])
  const { log } = openLog('orderEvents', source, { maxBytes })
  const { ok, diagnostics } = log
  const ids = ok ? log.order({ order }) : []
  log.free()
  return { ok, diagnostics, ids }
}

/** The hash of a payload: the first 16 hexadecimal digits of the SHA-256 of what Python writes of it. */
export const payloadHash = (payload: unknown): string => {
  if (payload === undefined) throw misuse('payloadHash() takes a payload, but got nothing')
  // A payload always has a hash.
  return eventModule.call('hash', toExactJson(payload, 'the payload'))!
}

/** The first difference of two traces; null if equal. */
export const compareTraces = (first: string, second: string): TraceDivergence | null =>
  JSON.parse(eventModule.call('compare', first, second) ?? 'null')

/**
 * Replays a log several times, with its lines in another order each time, and compares the traces.
 *
 * The stronger proof, in Node, has `tools` and `handlers` as modules, by paths or addresses: the second run is
 * isolated in a thread with its own wasm, its own instance of each module, and a clock that is more than a
 * year ahead. With functions all runs are in this program with its clock: this detects state kept between runs,
 * but no dependence on the clock or the thread.
 */
export const verifyDeterminism: VerifyDeterminism = (source, options) =>
  createVerify({
    opened: openLog,
    compareTraces,
    optionsOf: checkEventOptions,
    toolsOf: checkToolFunctions,
    handlersOf: checkHandlers,
    proof: () => proof,
    block: () => Number(eventModule.call('block', '')),
  })(source, options)

/**
 * Appends events to a file, in Node: a line for each, written by one call. Lines of writers of one program are never mixed, a crash
 * loses at most the line in flight, and after a line that was cut off the next begins on a line of its own.
 */
export class EventWriter {
  #file: EventFile | undefined

  constructor(path: string | URL) {
    if (files === undefined) throw misuse('an EventWriter writes a file, which only Node can: use writeEvents() here')
    if (typeof path !== 'string' && !(path instanceof URL)) throw misuse(`an EventWriter takes a path, but got ${kindOf(path)}`)
    this.#file = files.append(path)
  }

  /** Writes an event and returns its line. The whole line is in the file, or this throws. */
  write(event: EventInput): string {
    if (this.#file === undefined) throw invalidState('this EventWriter has been closed')
    const line = eventModule.call('line', toExactJson(event, 'an event'))!
    this.#file.write(line)
    return line
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }
}
