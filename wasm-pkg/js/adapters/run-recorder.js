// Records what frameworks show of a run as facts of a recorder. Nothing here can fail the observed run.
import { REPORT_UNRECORDED } from '../api/report-unrecorded.ts'
import { parseJson } from './content.ts'
import { appendChunk, withChunks } from './partial-answer.ts'

/** A text as data if it is JSON. */
export const parseData = (text) => parseJson(text) ?? null

/** An error as recordings have it. */
const describeError = (error) => {
  if (typeof error !== 'object' || error === null) return String(error)
  const { name, message, statusCode, status = statusCode, error: recorded } = error
  // A recorded failure is recorded again unchanged.
  if (name === 'RecordedModelError' && recorded !== undefined) return recorded
  return { type: String(name ?? 'Error'), message: String(message ?? error), ...(typeof status === 'number' ? { status } : {}) }
}

const messageKey = ({ role, content }) => JSON.stringify([role, content])

/** Records one run of an agent. */
class RunRecorder {
  #recorder
  #names
  #runField
  #isFirst = true
  /** How many messages of each role and content the store has. */
  #messageCounts = new Map()
  /** The visible instructions, by content. */
  #visibleSystems = new Map()
  /** Instructions that are hidden now: an agent that takes the conversation back sends them again. */
  #hiddenSystems = new Map()
  /** The tool calls by id: whether each is recorded, has ended, and has its message. */
  #calls = new Map()
  /** The chunks of answers that are streamed now, by call. */
  #chunks = new Map()

  constructor(recorder, names, run) {
    this.#recorder = recorder
    this.#names = names
    this.#runField = run === undefined ? {} : { run }
  }

  #append(fields) {
    const id = this.#names.message()
    this.#recorder.messageAppended({ ...this.#runField, id, ...fields })
    return id
  }

  #appendMessage(entry) {
    const id = this.#append({ role: entry.role, content: entry.content })
    const key = messageKey(entry)
    this.#messageCounts.set(key, (this.#messageCounts.get(key) ?? 0) + 1)
    if (entry.role === 'system') this.#visibleSystems.set(key, id)
  }

  /** Records the messages before the first answer: a history, which is the initial state of the run. */
  #appendHistory(entries) {
    for (const entry of entries) {
      const { role, content } = entry
      if (role === 'assistant') this.#append({ role, content, tool_calls: entry.calls })
      else if (role === 'tool') this.#append({ role, content, tool_call_id: entry.id, tool_name: entry.name })
      else this.#appendMessage(entry)
    }
  }

  /** Records what is new since the last call: user messages and results. */
  #appendNew(entries) {
    const seen = new Map()
    // Tools had ended before another agent took over, whose instructions stand in front.
    for (const entry of entries) if (entry.role === 'tool') this.#appendResult(entry)
    for (const entry of entries) {
      if (entry.role !== 'system' && entry.role !== 'user') continue
      const key = messageKey(entry)
      seen.set(key, (seen.get(key) ?? 0) + 1)
      if (this.#hiddenSystems.has(key)) this.#showSystem(key)
      if (seen.get(key) > (this.#messageCounts.get(key) ?? 0)) this.#appendMessage(entry)
    }
    // Another agent that takes the conversation over has instructions of its own.
    for (const [key, message] of this.#visibleSystems) {
      if (seen.has(key)) continue
      this.#recorder.visibilityChanged({ ...this.#runField, message, visible: false })
      this.#visibleSystems.delete(key)
      this.#hiddenSystems.set(key, message)
    }
  }

  #showSystem(key) {
    const message = this.#hiddenSystems.get(key)
    this.#recorder.visibilityChanged({ ...this.#runField, message, visible: true })
    this.#hiddenSystems.delete(key)
    this.#visibleSystems.set(key, message)
  }

  /** Records a result as the model receives it; the tool itself may not have been recorded. */
  #appendResult({ id, name, content, result, failed }) {
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
  modelCalled(request, entries, settings = {}) {
    if (this.#isFirst) this.#appendHistory(entries)
    else this.#appendNew(entries)
    this.#isFirst = false
    const call = this.#names.call()
    this.#recorder.modelCalled({ ...this.#runField, call, request, ...settings })
    return call
  }

  chunk(call, delta) {
    this.#recorder.chunk({ ...this.#runField, call, delta })
    this.#chunks.set(call, appendChunk(this.#chunks.get(call) ?? [], delta))
  }

  modelAnswered(call, answer) {
    this.#chunks.delete(call)
    this.#recorder.modelAnswered({ ...this.#runField, call, ...answer })
    for (const { id, name, arguments: args } of answer.tool_calls ?? []) this.#calls.set(id, { name, arguments: args })
    this.#append({ role: 'assistant', call })
  }

  modelFailed(call, error) {
    this.#recorder.modelFailed({ ...this.#runField, call, error: withChunks(describeError(error), this.#chunks.get(call)) })
    this.#chunks.delete(call)
  }

  toolCalled(id, name, args) {
    const call = this.#calls.get(id) ?? { name, arguments: args }
    this.#calls.set(id, call)
    if (call.isCalled) return
    call.isCalled = true
    this.#recorder.toolCalled({ ...this.#runField, id, name: name ?? call.name, arguments: parseData(args ?? call.arguments) })
  }

  #markDone(id) {
    this.toolCalled(id)
    const call = this.#calls.get(id)
    if (call.isDone) return false
    call.isDone = true
    return true
  }

  toolReturned(id, result) {
    if (!this.#markDone(id)) return
    const value = result === undefined ? null : result
    this.#calls.get(id).result = value
    this.#recorder.toolReturned({ ...this.#runField, id, result: value })
  }

  toolFailed(id, error) {
    if (!this.#markDone(id)) return
    const message = typeof error === 'string' ? error : String(error?.message ?? error)
    this.#recorder.toolFailed({ ...this.#runField, id, error: message })
  }

  /** Returns the id of the first open call of a tool with these arguments, and claims it. */
  claimCall(name, args) {
    const wanted = JSON.stringify(parseData(args) ?? {})
    for (const [id, call] of this.#calls) {
      if (call.isTaken || call.isDone || call.name !== name || JSON.stringify(parseData(call.arguments) ?? {}) !== wanted) continue
      call.isTaken = true
      return id
    }
    return undefined
  }

  /** Whether a tool was called by this run. */
  hasCall(id) {
    return this.#calls.has(id)
  }
}

/** The runs of a recorder. */
class RecordedRuns {
  #recorder
  #runs = new Map()
  #counts = { message: 0, call: 0, run: 0 }

  constructor(recorder) {
    this.#recorder = recorder
  }

  #nextId(kind, letter) {
    this.#counts[kind] += 1
    return `${letter}${String(this.#counts[kind]).padStart(3, '0')}`
  }

  /** A run; the outermost when it has no name. */
  run(name) {
    const found = this.#runs.get(name)
    if (found !== undefined) return found
    const nextId = { message: () => this.#nextId('message', 'msg_'), call: () => this.#nextId('call', 'model_') }
    const run = new RunRecorder(this.#recorder, nextId, name)
    this.#runs.set(name, run)
    return run
  }

  /** Starts the run of another agent, and returns its name. */
  enter({ agent, parentRun, parentCall, ...more }) {
    const run = this.#nextId('run', 'run_')
    const outer = parentRun === undefined ? {} : { parent_run: parentRun }
    const within = parentCall === undefined ? {} : { parent_call: parentCall }
    this.#recorder.agentEntered({ run, agent, ...outer, ...within, ...more })
    return run
  }

  leave(run) {
    this.#recorder.agentLeft({ run })
  }
}

const allRuns = new WeakMap()

const isRecorder = (value) => typeof value?.modelCalled === 'function' && typeof value.finish === 'function'

/** The runs of `recorder`, shared by all of its adapters. */
export const runsOf = (call, recorder) => {
  if (!isRecorder(recorder)) throw new TypeError(`${call}() takes a recorder, which createRecorder() makes`)
  if (!allRuns.has(recorder)) allRuns.set(recorder, new RecordedRuns(recorder))
  return allRuns.get(recorder)
}

const reportedParts = new WeakMap()

/** Reports parts of an answer that a recording cannot represent, each kind once. */
export const reportUnsupportedParts = (recorder, kinds) => {
  if (!reportedParts.has(recorder)) reportedParts.set(recorder, new Set())
  const reported = reportedParts.get(recorder)
  for (const kind of kinds) {
    if (reported.has(kind)) continue
    reported.add(kind)
    recorder[REPORT_UNRECORDED]?.(`an answer has a part \`${kind}\`, which is not recorded`, 'a replay answers without such parts')
  }
}

/** Runs code that only observes; errors in it do not reach the run. */
export const guardRecording = (recorder, work) => {
  try {
    return work()
  } catch (error) {
    // An invalid fact is reported as a problem of the recorder.
    recorder.observe({ fact: `unreadable: ${error?.message ?? error}` })
    return undefined
  }
}
