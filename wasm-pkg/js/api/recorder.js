// Observed facts, made into a transcript and a journal. A recorder never fails the run that it watches.
import { eventsOf, saveEvents } from './agent-events.js'
import { ask, askData, beginRecorder, resumeRecorder } from './core.js'
import { lenientText, plain } from './data.js'
import { misuse } from './misuse.js'
import { kindOf } from './options.js'
import { closest } from './suggest.js'

/** The kinds of facts, each by the method that tells of it. */
const FACTS = {
  messageAppended: 'message_appended',
  modelCalled: 'model_called',
  modelAnswered: 'model_answered',
  modelFailed: 'model_failed',
  chunk: 'chunk',
  toolCalled: 'tool_called',
  toolReturned: 'tool_returned',
  toolFailed: 'tool_failed',
  contextChanged: 'context_changed',
  visibilityChanged: 'visibility_changed',
  agentEntered: 'agent_entered',
  agentLeft: 'agent_left',
}

const OWN = [
  'name', 'created', 'metadata', 'config', 'context', 'ulids', 'compact', 'chunks', 'serializer', 'serializers', 'nested',
  'maxBytes', 'events',
]
const OURS = ['includeUlids', 'journal', 'onJournal', 'onProblem', 'clock']

let files

/** Lets recorders write files; the entry for Node calls it, with `append` (at once) and `write` (later). */
export const useRecording = (given) => {
  files = given
}

const checkNames = (call, options, names) => {
  if (typeof options !== 'object' || options === null) throw misuse(`${call}() takes an object of options, but got ${kindOf(options)}`)
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const near = closest(name, names)
    throw misuse(`${call}() has no option \`${name}\`; ${near ? `did you mean \`${near}\`?` : `there are: ${names.join(', ')}`}`)
  }
}

/** The options of the core, and the functions among the serializers, by tool. */
const settingsOf = (call, options) => {
  const { includeUlids, serializers = {}, created } = options
  const own = Object.fromEntries(OWN.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]))
  if (includeUlids !== undefined) own.ulids = includeUlids ? 'keep' : 'drop'
  if (created instanceof Date) own.created = created.toISOString()
  const entries = Object.entries(serializers)
  own.serializers = Object.fromEntries(entries.filter(([, how]) => typeof how !== 'function'))
  const functions = new Map(entries.filter(([, how]) => typeof how === 'function'))
  return { text: JSON.stringify(plain(own, `the options of ${call}()`)), functions }
}

const checkFunction = (name, value) => {
  if (value !== undefined && typeof value !== 'function') {
    throw misuse(`the option \`${name}\` of createRecorder() is a function, but got ${kindOf(value)}`)
  }
}

const journalOf = ({ journal, onJournal }) => {
  checkFunction('onJournal', onJournal)
  if (journal === undefined) return onJournal
  if (files === undefined) throw misuse('the option `journal` names a file, which only Node can write: use `onJournal`')
  return (line) => {
    files.append(journal, line)
    onJournal?.(line)
  }
}

/** What was thrown, in words; it may be anything. */
const wordsOf = (error) => {
  try {
    return String(error?.message ?? error)
  } catch {
    return 'something that has no words'
  }
}

/** What was recorded, as YAML and as data. */
const recordingOf = (handle) => {
  const { text: json, files: inner } = askData(handle, 'finish', 'json')
  const { files: outer, ...told } = askData(handle, 'finish', 'yaml')
  const both = outer.map((file, at) => ({ ...file, transcript: JSON.parse(inner[at].text) }))
  return { ...told, transcript: JSON.parse(json), files: both, ...eventsOf(handle) }
}

export class Recorder {
  #handle
  #functions
  #tools = new Map()
  #journal
  #onProblem
  #clock
  #problems = []
  #freed = false

  constructor(options) {
    const { text, functions } = settingsOf('createRecorder', options)
    checkFunction('onProblem', options.onProblem)
    checkFunction('clock', options.clock)
    this.#handle = beginRecorder(text)
    this.#functions = functions
    this.#journal = journalOf(options)
    this.#onProblem = options.onProblem
    this.#clock = options.clock
  }

  static {
    for (const [method, fact] of Object.entries(FACTS)) {
      Object.defineProperty(this.prototype, method, {
        value(fields) {
          // A getter of the host may throw: it is read where that is told.
          return this.#take(() => ({ ...fields, fact }))
        },
        configurable: true,
        writable: true,
      })
    }
  }

  get problems() {
    return this.#problems
  }

  #tell(problem) {
    this.#problems.push(problem)
    try {
      this.#onProblem?.(problem)
    } catch (error) {
      // Whoever cannot be told finds it here.
      this.#problems.push({ seq: 0, message: `the function \`onProblem\` failed: ${wordsOf(error)}`, help: null, cause: error })
    }
  }

  /** Runs code of the host, whose failure is told and does not reach the run. */
  #safely(what, work) {
    try {
      return work()
    } catch (error) {
      this.#tell({ seq: 0, message: `${what} failed: ${wordsOf(error)}`, help: null, cause: error })
      return undefined
    }
  }

  #stamped(fact) {
    if (this.#clock === undefined || fact.at !== undefined) return fact
    const at = this.#safely('the clock', () => {
      const now = this.#clock()
      return typeof now === 'string' ? now : new Date(now).toISOString()
    })
    return at === undefined ? fact : { ...fact, at }
  }

  /** A tool's message with the words of its serializer, where that is a function. */
  #worded(fact) {
    if (this.#functions.size === 0) return fact
    const key = JSON.stringify([fact.run ?? '', fact.id])
    if (fact.fact === 'tool_called') this.#tools.set(key, { name: fact.name })
    const tool = this.#tools.get(fact.fact === 'message_appended' ? JSON.stringify([fact.run ?? '', fact.tool_call_id]) : key)
    if (fact.fact === 'tool_returned' && tool !== undefined) tool.result = fact.result
    if (fact.fact !== 'message_appended' || tool === undefined || fact.content !== undefined) return fact
    const serializer = this.#functions.get(tool.name)
    if (serializer === undefined || !Object.hasOwn(tool, 'result')) return fact
    const content = this.#safely(`the serializer of \`${tool.name}\``, () => serializer(tool.result))
    return content === undefined ? fact : { ...fact, content }
  }

  observe(given) {
    return this.#take(() => given)
  }

  /** Takes the fact that `read` gives; nothing that goes wrong reaches the run. */
  #take(read) {
    if (this.#freed) {
      this.#tell({ seq: 0, message: 'the recorder was freed before this fact, which is not recorded', help: 'free it after the run' })
      return 0
    }
    const odd = []
    const text = this.#safely('reading a fact', () => {
      const given = read()
      if (typeof given !== 'object' || given === null) {
        throw new TypeError(`observe() takes a fact, such as {fact: 'model_called', call: 'c1'}, but got ${kindOf(given)}`)
      }
      return lenientText(this.#worded(this.#stamped(given)), (message) => odd.push(message))
    })
    if (text === undefined) return 0
    const answer = this.#safely('recording a fact', () => JSON.parse(ask(this.#handle, 'observe', text)))
    if (answer === undefined) return 0
    const { seq, line, problem } = answer
    if (line !== null && this.#journal !== undefined) this.#safely('writing the journal', () => this.#journal(line))
    for (const message of odd) this.#tell({ seq, message, help: null })
    if (problem !== null) this.#tell(problem)
    return seq
  }

  finish() {
    return recordingOf(this.#handle)
  }

  async save(path) {
    if (files === undefined) throw misuse('save() writes files, which only Node can: use finish().text here')
    const { text, transcript, files: others, events } = this.finish()
    const isJson = /\.json$/i.test(String(path))
    await files.write(path, isJson ? `${JSON.stringify(transcript, null, 2)}\n` : text)
    for (const other of others) await files.write(files.beside(path, other.path), other.text)
    await saveEvents(files, path, events)
    return path
  }

  free() {
    if (this.#freed) return
    this.#freed = true
    this.#handle.free()
  }
}

/** Begins to record. */
export const createRecorder = (options = {}) => {
  checkNames('createRecorder', options, [...OWN, ...OURS])
  return new Recorder(options)
}

/** The text of a journal; a cut in the middle of a character is none of its own. */
const journalText = (journal) => {
  if (typeof journal === 'string') return journal
  if (journal instanceof Uint8Array) return new TextDecoder().decode(journal)
  throw misuse(`recover() takes the text of a journal or its bytes, but got ${kindOf(journal)}`)
}

/** What a journal holds, up to its last whole fact. */
export const recover = (journal, options = {}) => {
  checkNames('recover', options, [...OWN, 'includeUlids'])
  const { text, functions } = settingsOf('recover', options)
  if (functions.size > 0) throw misuse('recover() takes serializers by name: the words of functions stand in the journal')
  const handle = resumeRecorder(text, journalText(journal))
  try {
    const { facts, cut, problems: lines } = askData(handle, 'recovered')
    return { ...recordingOf(handle), facts, cut: cut?.line ?? null, lines }
  } finally {
    handle.free()
  }
}
