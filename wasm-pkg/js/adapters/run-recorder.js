// What frameworks let be seen of a run, told to a recorder as facts. Nothing here fails the run that is watched.
import { UNRECORDED } from '../api/report-unrecorded.js'
import { parsed } from './content.js'
import { heard, withHeard } from './partial-answer.js'

/** Words as data where they are JSON. */
export const dataOf = (words) => parsed(words) ?? null

/** An error as recordings have it. */
const failureOf = (error) => {
  if (typeof error !== 'object' || error === null) return String(error)
  const { name, message, statusCode, status = statusCode, error: told } = error
  // What a recorded failure says is told once more as it was.
  if (name === 'RecordedModelError' && told !== undefined) return told
  return { type: String(name ?? 'Error'), message: String(message ?? error), ...(typeof status === 'number' ? { status } : {}) }
}

const keyOf = ({ role, content }) => JSON.stringify([role, content])

/** One run of an agent, as its recorder is told of it. */
class RunTelling {
  #recorder
  #names
  #own
  #isFirst = true
  /** How many messages of a role and content the store has. */
  #known = new Map()
  /** The instructions that are shown, by content. */
  #systems = new Map()
  /** Those that were shown before: an agent that takes the conversation back says them again. */
  #hidden = new Map()
  /** The calls of tools, by id: whether each was told of, came back, and has its message. */
  #calls = new Map()
  /** What came so far of answers that are streamed, by the call. */
  #heard = new Map()

  constructor(recorder, names, run) {
    this.#recorder = recorder
    this.#names = names
    this.#own = run === undefined ? {} : { run }
  }

  #append(fields) {
    const id = this.#names.message()
    this.#recorder.messageAppended({ ...this.#own, id, ...fields })
    return id
  }

  #said(entry) {
    const id = this.#append({ role: entry.role, content: entry.content })
    const key = keyOf(entry)
    this.#known.set(key, (this.#known.get(key) ?? 0) + 1)
    if (entry.role === 'system') this.#systems.set(key, id)
  }

  /** The messages before the first answer: a history, which is the state that the run begins with. */
  #history(entries) {
    for (const entry of entries) {
      const { role, content } = entry
      if (role === 'assistant') this.#append({ role, content, tool_calls: entry.calls })
      else if (role === 'tool') this.#append({ role, content, tool_call_id: entry.id, tool_name: entry.name })
      else this.#said(entry)
    }
  }

  /** What came since the last call: words of the user, and results. */
  #news(entries) {
    const seen = new Map()
    // Tools had ended before another agent took over, whose instructions stand in front.
    for (const entry of entries) if (entry.role === 'tool') this.#result(entry)
    for (const entry of entries) {
      if (entry.role !== 'system' && entry.role !== 'user') continue
      const key = keyOf(entry)
      seen.set(key, (seen.get(key) ?? 0) + 1)
      if (this.#hidden.has(key)) this.#show(key)
      if (seen.get(key) > (this.#known.get(key) ?? 0)) this.#said(entry)
    }
    // Another agent that takes the conversation over has instructions of its own.
    for (const [key, message] of this.#systems) {
      if (seen.has(key)) continue
      this.#recorder.visibilityChanged({ ...this.#own, message, visible: false })
      this.#systems.delete(key)
      this.#hidden.set(key, message)
    }
  }

  #show(key) {
    const message = this.#hidden.get(key)
    this.#recorder.visibilityChanged({ ...this.#own, message, visible: true })
    this.#hidden.delete(key)
    this.#systems.set(key, message)
  }

  /** A result as the model is told it; the tool itself may have told nothing. */
  #result({ id, name, content, result, failed }) {
    const call = this.#calls.get(id)
    if (call === undefined || call.isAppended) return
    const data = result === undefined ? dataOf(content) : result
    if (!call.isDone) {
      if (failed) this.toolFailed(id, content)
      else this.toolReturned(id, data)
    }
    call.isAppended = true
    // Words that are the result as JSON are the recorder's to write.
    const isWritten = !failed && typeof data !== 'string' && JSON.stringify(data) === JSON.stringify(call.result)
    this.#append({ role: 'tool', ...(isWritten ? {} : { content }), tool_call_id: id, tool_name: name ?? call.name })
  }

  /** A call of the model with these messages: `request` in the words of the framework, `entries` in those of this file. */
  asked(request, entries, about = {}) {
    if (this.#isFirst) this.#history(entries)
    else this.#news(entries)
    this.#isFirst = false
    const call = this.#names.call()
    this.#recorder.modelCalled({ ...this.#own, call, request, ...about })
    return call
  }

  chunk(call, delta) {
    this.#recorder.chunk({ ...this.#own, call, delta })
    this.#heard.set(call, heard(this.#heard.get(call) ?? [], delta))
  }

  answered(call, answer) {
    this.#heard.delete(call)
    this.#recorder.modelAnswered({ ...this.#own, call, ...answer })
    for (const { id, name, arguments: args } of answer.tool_calls ?? []) this.#calls.set(id, { name, arguments: args })
    this.#append({ role: 'assistant', call })
  }

  failed(call, error) {
    this.#recorder.modelFailed({ ...this.#own, call, error: withHeard(failureOf(error), this.#heard.get(call)) })
    this.#heard.delete(call)
  }

  toolCalled(id, name, args) {
    const call = this.#calls.get(id) ?? { name, arguments: args }
    this.#calls.set(id, call)
    if (call.isCalled) return
    call.isCalled = true
    this.#recorder.toolCalled({ ...this.#own, id, name: name ?? call.name, arguments: dataOf(args ?? call.arguments) })
  }

  #done(id) {
    this.toolCalled(id)
    const call = this.#calls.get(id)
    if (call.isDone) return false
    call.isDone = true
    return true
  }

  toolReturned(id, result) {
    if (!this.#done(id)) return
    const told = result === undefined ? null : result
    this.#calls.get(id).result = told
    this.#recorder.toolReturned({ ...this.#own, id, result: told })
  }

  toolFailed(id, error) {
    if (!this.#done(id)) return
    const words = typeof error === 'string' ? error : String(error?.message ?? error)
    this.#recorder.toolFailed({ ...this.#own, id, error: words })
  }

  /** The id of the first call of a tool with these arguments that nobody carries out yet; it is taken then. */
  take(name, args) {
    const wanted = JSON.stringify(dataOf(args) ?? {})
    for (const [id, call] of this.#calls) {
      if (call.isTaken || call.isDone || call.name !== name || JSON.stringify(dataOf(call.arguments) ?? {}) !== wanted) continue
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
class Telling {
  #recorder
  #runs = new Map()
  #counts = { message: 0, call: 0, run: 0 }

  constructor(recorder) {
    this.#recorder = recorder
  }

  #next(kind, letter) {
    this.#counts[kind] += 1
    return `${letter}${String(this.#counts[kind]).padStart(3, '0')}`
  }

  /** A run; the outermost when it has no name. */
  run(name) {
    const found = this.#runs.get(name)
    if (found !== undefined) return found
    const names = { message: () => this.#next('message', 'msg_'), call: () => this.#next('call', 'model_') }
    const run = new RunTelling(this.#recorder, names, name)
    this.#runs.set(name, run)
    return run
  }

  /** Begins the run of another agent, and gives it a name. */
  enter({ agent, parentRun, parentCall, ...more }) {
    const run = this.#next('run', 'run_')
    const outer = parentRun === undefined ? {} : { parent_run: parentRun }
    const within = parentCall === undefined ? {} : { parent_call: parentCall }
    this.#recorder.agentEntered({ run, agent, ...outer, ...within, ...more })
    return run
  }

  leave(run) {
    this.#recorder.agentLeft({ run })
  }
}

const tellings = new WeakMap()

const isRecorder = (value) => typeof value?.modelCalled === 'function' && typeof value.finish === 'function'

/** What tells `recorder`: one for all adapters of a recorder. */
export const tellingOf = (call, recorder) => {
  if (!isRecorder(recorder)) throw new TypeError(`${call}() takes a recorder, which createRecorder() makes`)
  if (!tellings.has(recorder)) tellings.set(recorder, new Telling(recorder))
  return tellings.get(recorder)
}

const leftOut = new WeakMap()

/** Tells a recorder of the kinds of parts of an answer that it has no place for, of each kind once. */
export const tellLeftOut = (recorder, kinds) => {
  if (!leftOut.has(recorder)) leftOut.set(recorder, new Set())
  const told = leftOut.get(recorder)
  for (const kind of kinds) {
    if (told.has(kind)) continue
    told.add(kind)
    recorder[UNRECORDED]?.(`an answer has a part \`${kind}\`, which is not recorded`, 'a replay answers without such parts')
  }
}

/** Runs what only watches; nothing that goes wrong in it reaches the run. */
export const watching = (recorder, work) => {
  try {
    return work()
  } catch (error) {
    // A fact that is none is told among the problems of the recorder.
    recorder.observe({ fact: `unreadable: ${error?.message ?? error}` })
    return undefined
  }
}
