// Records what frameworks show of a run as facts of a recorder. Nothing here can fail the observed run.
import { misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import { REPORT_UNRECORDED, type UnrecordedReporter } from '../api/report-unrecorded.ts'
import type { FactFields, FactKind, Recorder } from '../types/index.ts'
import { nearestNumbers } from '../api/exact-json.ts'
import { parseJson } from './content.ts'
import { MessageHistory } from './message-history.ts'
import { messageKey } from './message-key.ts'
import { appendChunk, type Chunk, withChunks } from './partial-answer.ts'

/** A tool call of a message or an answer. */
export interface RunCall {
  id: string
  name: string | undefined
  arguments: unknown
}

/** A message of a request of a framework. */
export interface RunEntry {
  role: string
  content: unknown
  /** The calls of an assistant. */
  tool_calls?: readonly RunCall[]
  /** The id of the call, of a result. */
  id?: string
  /** The name of the tool, of a result. */
  name?: string
  /** The result as data, where the framework has it. */
  result?: unknown
  failed?: boolean
}

/** A result, which has the id of its call. */
type ResultEntry = RunEntry & { id: string }

/** An answer as recordings have it. */
export interface RunAnswer extends FactFields {
  tool_calls?: readonly RunCall[]
}

/** A tool call of a run, and what is known of it. */
interface ObservedCall {
  name: string | undefined
  arguments: unknown
  isCalled?: boolean
  isTaken?: boolean
  isDone?: boolean
  isAppended?: boolean
  result?: unknown
}

/** Gives the ids of messages and of calls of the model. */
interface NextId {
  message(): string
  call(): string
}

/** A string as data if it is JSON. */
export const parseData = (text: unknown) => parseJson(text) ?? null

/** An error as recordings have it. */
const describeError = (error: unknown) => {
  if (typeof error !== 'object' || error === null) return String(error)
  const { name, message, statusCode, status = statusCode, error: recorded } = error as NonNullable<Fields>
  // A recorded failure is recorded again unchanged.
  if (name === 'RecordedModelError' && recorded !== undefined) return recorded as object
  return { type: String(name ?? 'Error'), message: String(message ?? error), ...(typeof status === 'number' ? { status } : {}) }
}

/** The roles of the messages that a later request may add or repeat. Results are known by their calls. */
const HISTORY_ROLES = ['system', 'user', 'assistant']

/** Records one run of an agent. */
export class RunRecorder {
  readonly #recorder: Recorder
  readonly #names: NextId
  readonly #runField: { run?: string }
  #isFirst = true
  #history = new MessageHistory()
  /** The visible instructions, by content. */
  #visibleSystems = new Map<string, string>()
  /** Instructions that are hidden now: an agent that takes the conversation back sends them again. */
  #hiddenSystems = new Map<string, string>()
  /** The tool calls by id: whether each is recorded, has ended, and has its message. */
  #calls = new Map<string, ObservedCall>()
  /** The chunks of answers that are streamed now, by call. */
  #chunks = new Map<string, Chunk[]>()

  constructor(recorder: Recorder, names: NextId, run: string | undefined) {
    this.#recorder = recorder
    this.#names = names
    this.#runField = run === undefined ? {} : { run }
  }

  #append(fields: FactFields) {
    const id = this.#names.message()
    this.#recorder.messageAppended({ ...this.#runField, id, ...fields })
    return id
  }

  #appendMessage(entry: RunEntry) {
    const id = this.#append({ role: entry.role, content: entry.content })
    this.#history.add(entry, id)
    if (entry.role === 'system') this.#visibleSystems.set(messageKey(entry), id)
    return id
  }

  /** Records the messages before the first answer: a history, which is the initial state of the run. */
  #appendHistory(entries: readonly RunEntry[]) {
    for (const entry of entries) {
      const { role, content } = entry
      if (role === 'assistant') this.#history.add(entry, this.#append({ role, content, tool_calls: entry.tool_calls }))
      else if (role === 'tool') this.#append({ role, content, tool_call_id: entry.id, tool_name: entry.name })
      else this.#appendMessage(entry)
    }
  }

  /** Records what is new since the last call: user messages and results. */
  #appendNew(entries: readonly RunEntry[]) {
    // Tools had ended before another agent took over, with its instructions in front.
    for (const entry of entries) if (entry.role === 'tool') this.#appendResult(entry as ResultEntry)
    const systems = new Set(entries.filter(({ role }) => role === 'system').map(messageKey))
    for (const key of systems) if (this.#hiddenSystems.has(key)) this.#showSystem(key)
    const messages = entries.filter(({ role }) => HISTORY_ROLES.includes(role))
    this.#history.idsOf(messages, (entry) => {
      if (entry.role !== 'assistant') return this.#appendMessage(entry)
      // An assistant's message that is not the answer of a model call is not stored.
      this.#history.add(entry, '')
      return ''
    })
    // Another agent that takes the conversation over has instructions of its own.
    for (const [key, message] of this.#visibleSystems) {
      if (systems.has(key)) continue
      this.#recorder.visibilityChanged({ ...this.#runField, message, visible: false })
      this.#visibleSystems.delete(key)
      this.#hiddenSystems.set(key, message)
    }
  }

  #showSystem(key: string) {
    const message = this.#hiddenSystems.get(key)!
    this.#recorder.visibilityChanged({ ...this.#runField, message, visible: true })
    this.#hiddenSystems.delete(key)
    this.#visibleSystems.set(key, message)
  }

  /** Records a result as the model receives it; the tool itself may not have been recorded. */
  #appendResult({ id, name, content, result, failed }: ResultEntry) {
    const call = this.#calls.get(id)
    if (call === undefined || call.isAppended) return
    const data = result === undefined ? parseData(content) : result
    if (!call.isDone) {
      if (failed) this.toolFailed(id, content)
      else this.toolReturned(id, data)
    }
    call.isAppended = true
    // If the text is the result as JSON, the recorder writes it.
    const isWritten = !failed && typeof data !== 'string' && JSON.stringify(data) === JSON.stringify(call.result)
    this.#append({ role: 'tool', ...(isWritten ? {} : { content }), tool_call_id: id, tool_name: name ?? call.name })
  }

  /**
   * Records a call of the model: `request` in the form of the framework, `entries` in the form of this module. Returns the id
   * of the call.
   */
  modelCalled(request: object, entries: readonly RunEntry[], settings: FactFields = {}) {
    if (this.#isFirst) this.#appendHistory(entries)
    else this.#appendNew(entries)
    this.#isFirst = false
    const call = this.#names.call()
    this.#recorder.modelCalled({ ...this.#runField, call, request, ...settings })
    return call
  }

  chunk(call: string, delta: Chunk) {
    this.#recorder.chunk({ ...this.#runField, call, delta })
    this.#chunks.set(call, appendChunk(this.#chunks.get(call) ?? [], delta))
  }

  modelResponded(call: string, answer: RunAnswer) {
    this.#chunks.delete(call)
    this.#recorder.modelResponded({ ...this.#runField, call, ...answer })
    for (const { id, name, arguments: args } of answer.tool_calls ?? []) this.#calls.set(id, { name, arguments: args })
    const { content, tool_calls: calls } = answer
    this.#history.add({ role: 'assistant', content, ...(calls ? { tool_calls: calls } : {}) }, this.#append({ role: 'assistant', call }))
  }

  modelFailed(call: string, error: unknown) {
    this.#recorder.modelFailed({ ...this.#runField, call, error: withChunks(describeError(error), this.#chunks.get(call)) })
    this.#chunks.delete(call)
  }

  toolCalled(id: string, name?: string, args?: unknown) {
    const call = this.#calls.get(id) ?? { name, arguments: args }
    this.#calls.set(id, call)
    if (call.isCalled) return
    call.isCalled = true
    this.#recorder.toolCalled({ ...this.#runField, id, name: name ?? call.name, arguments: parseData(args ?? call.arguments) })
  }

  #markDone(id: string) {
    this.toolCalled(id)
    const call = this.#calls.get(id)!
    if (call.isDone) return false
    call.isDone = true
    return true
  }

  toolReturned(id: string, result: unknown) {
    if (!this.#markDone(id)) return
    const value = result === undefined ? null : result
    this.#calls.get(id)!.result = value
    this.#recorder.toolReturned({ ...this.#runField, id, result: value })
  }

  toolFailed(id: string, error: unknown) {
    if (!this.#markDone(id)) return
    const message = typeof error === 'string' ? error : String((error as Fields)?.message ?? error)
    this.#recorder.toolFailed({ ...this.#runField, id, error: message })
  }

  /** Returns the id of the first open call of a tool with these arguments, and claims it. */
  claimCall(name: string, args: unknown) {
    // A framework may have parsed the arguments, so only the nearest numbers are compared.
    const keyOf = (args: unknown) => JSON.stringify(nearestNumbers(parseData(args) ?? {}))
    const wanted = keyOf(args)
    for (const [id, call] of this.#calls) {
      if (call.isTaken || call.isDone || call.name !== name || keyOf(call.arguments) !== wanted) continue
      call.isTaken = true
      return id
    }
    return undefined
  }

  /** Whether a tool was called by this run. */
  hasCall(id: string) {
    return this.#calls.has(id)
  }
}

/** An agent that starts; other fields are recorded with it. */
interface EnteredAgent extends FactFields {
  agent: string
  parentRun?: string | undefined
  parentCall?: string | undefined
}

/** The runs of a recorder. */
export class RecordedRuns {
  readonly #recorder: Recorder
  #runs = new Map<string | undefined, RunRecorder>()
  #counts = { message: 0, call: 0, run: 0 }

  constructor(recorder: Recorder) {
    this.#recorder = recorder
  }

  #nextId(kind: 'message' | 'call' | 'run', letter: string) {
    this.#counts[kind] += 1
    return `${letter}${String(this.#counts[kind]).padStart(3, '0')}`
  }

  /** A run; the outermost when it has no name. */
  run(name?: string) {
    const found = this.#runs.get(name)
    if (found !== undefined) return found
    const nextId = { message: () => this.#nextId('message', 'msg_'), call: () => this.#nextId('call', 'model_') }
    const run = new RunRecorder(this.#recorder, nextId, name)
    this.#runs.set(name, run)
    return run
  }

  /** Starts the run of another agent, and returns its name. */
  enter({ agent, parentRun, parentCall, ...more }: EnteredAgent) {
    const run = this.#nextId('run', 'run_')
    const outer = parentRun === undefined ? {} : { parent_run: parentRun }
    const within = parentCall === undefined ? {} : { parent_call: parentCall }
    this.#recorder.agentEntered({ run, agent, ...outer, ...within, ...more })
    return run
  }

  leave(run: string) {
    this.#recorder.agentLeft({ run })
  }
}

const allRuns = new WeakMap<Recorder, RecordedRuns>()

const isRecorder = (value: unknown): value is Recorder =>
  typeof (value as Fields)?.modelCalled === 'function' && typeof (value as Recorder).finish === 'function'

/** The runs of `recorder`, shared by all of its adapters. */
export const runsOf = (call: string, recorder: unknown) => {
  if (!isRecorder(recorder)) throw misuse(`${call}() takes a recorder, which createRecorder() makes`)
  if (!allRuns.has(recorder)) allRuns.set(recorder, new RecordedRuns(recorder))
  return allRuns.get(recorder)!
}

const reportedParts = new WeakMap<UnrecordedReporter, Set<string>>()

/** Reports parts of an answer that a recording cannot represent, each kind once. */
export const reportUnsupportedParts = (recorder: UnrecordedReporter, kinds: readonly string[]) => {
  if (!reportedParts.has(recorder)) reportedParts.set(recorder, new Set())
  const reported = reportedParts.get(recorder)!
  for (const kind of kinds) {
    if (reported.has(kind)) continue
    reported.add(kind)
    recorder[REPORT_UNRECORDED]?.(`an answer has a part \`${kind}\`, which is not recorded`, 'a replay answers without such parts')
  }
}

/** Runs code that only observes; errors in it do not reach the run. */
export const guardRecording = <Result>(recorder: Recorder, work: () => Result) => {
  try {
    return work()
  } catch (error) {
    // An invalid fact is reported as a problem of the recorder.
    recorder.observe({ fact: `unreadable: ${(error as Fields)?.message ?? error}` as FactKind })
    return undefined
  }
}
