// Observed facts, made into a transcript and a journal. A recorder never fails the run that it watches.
import type { RecorderHandle } from '#core'
import type {
  Fact,
  FactFields,
  FactKind,
  Recorder as PublicRecorder,
  RecordOptions,
  RecordProblem,
  Recording,
  RecoveredRecording,
  RecorderOptions,
  RecoverOptions,
} from '../types/index.ts'
import { eventFields, saveEvents } from './agent-events.ts'
import { invoke, invokeJson, beginRecorder, readExchange, resumeRecorder, writeExchange } from './core.ts'
import { toLenientJson, toData } from './data.ts'
import { disposable } from './disposable.ts'
import { ADD_FACT_LISTENER, type FactListener } from './fact-listeners.ts'
import type { Fields } from './fields.ts'
import { invalidState, misuse } from './misuse.ts'
import { checkNames, kindOf } from './options.ts'
import { type RecordingFiles, type Time, nameFromPath, systemClock, formatTime } from './saving.ts'
import { READ_EXCHANGE } from './read-exchange.ts'
import { addSymbolMethod } from './symbol-method.ts'
import { RequestDeltas } from './request-deltas.ts'
import { REPORT_UNRECORDED } from './report-unrecorded.ts'
import { WRITE_EXCHANGE } from './write-exchange.ts'

/** The kinds of facts, by the method that records each. */
const FACTS: { readonly [method: string]: FactKind } = {
  messageAppended: 'message_appended',
  modelCalled: 'model_called',
  modelAnswered: 'model_answered',
  modelFailed: 'model_failed',
  chunk: 'chunk',
  toolCalled: 'tool_called',
  toolReturned: 'tool_returned',
  toolFailed: 'tool_failed',
  toolMessageCreated: 'tool_message_created',
  contextChanged: 'context_changed',
  visibilityChanged: 'visibility_changed',
  toolsListed: 'tools_listed',
  metadataSet: 'metadata_set',
  agentEntered: 'agent_entered',
  agentLeft: 'agent_left',
}

const CORE_OPTIONS = [
  'recording',
  'name',
  'created',
  'metadata',
  'config',
  'context',
  'compact',
  'chunks',
  'serializer',
  'serializers',
  'nested',
  'maxBytes',
  'events',
]
const CLIENT_OPTIONS = ['includeUlids', 'journal', 'onJournal', 'onProblem', 'clock']

let files: RecordingFiles | undefined

/**
 * Lets recorders write files; the entry for Node calls it, with `append` (at once), `write` (later) and `isCut`, whether
 * a file ends within a line.
 * @internal
 */
export const useRecording = (functions: RecordingFiles) => {
  files = functions
}

/** The options of a recorder, or of a recovery. */
type RecordSettings = Omit<RecordOptions, 'recording' | 'serializers'> & {
  recording?: number | string | undefined
  serializers?: RecorderOptions['serializers']
  readonly [name: string]: unknown
}

/** How the results of a tool are written. */
type Serializer = (result: unknown) => string

/** The facts about a tool call, for serializers. */
interface KnownCall {
  name?: string
  result?: unknown
  hasContent?: boolean
}

/** The options of the core, and the functions among the serializers, by tool. */
const settingsOf = (call: string, options: RecordSettings) => {
  const { includeUlids, serializers = {}, created } = options
  const coreOptions: { [name: string]: unknown } = Object.fromEntries(
    CORE_OPTIONS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  )
  if (coreOptions.name === '') delete coreOptions.name
  if (includeUlids !== undefined) {
    if (typeof includeUlids !== 'boolean')
      throw misuse(`the option \`includeUlids\` of ${call}() is a boolean, but got ${kindOf(includeUlids)}`)
    coreOptions.ulids = includeUlids ? 'keep' : 'drop'
  }
  if (created instanceof Date) coreOptions.created = created.toISOString()
  const entries = Object.entries(serializers)
  coreOptions.serializers = Object.fromEntries(entries.filter(([, how]) => typeof how !== 'function'))
  const functions = new Map(entries.filter((entry): entry is [string, Serializer] => typeof entry[1] === 'function'))
  return { text: JSON.stringify(toData(coreOptions, `the options of ${call}()`)), functions }
}

const checkFunction = (name: string, value: unknown) => {
  if (value !== undefined && typeof value !== 'function') {
    throw misuse(`the option \`${name}\` of createRecorder() is a function, but got ${kindOf(value)}`)
  }
}

type WriteLine = (line: string, isFirst: boolean) => void

/** Returns the function that writes a line of the journal. The first line may follow another recording, so the function gets `isFirst`. */
const journalOf = ({ journal, onJournal }: RecorderOptions): WriteLine | undefined => {
  checkFunction('onJournal', onJournal)
  if (journal === undefined) return onJournal
  if (files === undefined) throw misuse('the option `journal` names a file, which only Node can write: use `onJournal`')
  return (line, isFirst) => {
    // A recording that was cut off may have left an incomplete line.
    const between = isFirst && files!.isCut(journal) ? '\n' : ''
    files!.append(journal, between + line)
    onJournal?.(line)
  }
}

const listOf = (value: unknown): NonNullable<Fields>[] => (Array.isArray(value) ? value : [])

/** Distinguishes a recording from others in the same journal. */
const newId = () => globalThis.crypto?.randomUUID?.()

/** The text of a thrown value, which may be anything. */
const errorText = (error: unknown) => {
  try {
    return String((error as Fields)?.message ?? error)
  } catch {
    return 'something that has no words'
  }
}

/** What was recorded, as YAML and as data; a recording that has no name and no time of creation gets these. */
const buildRecording = (handle: RecorderHandle, name?: string, created?: string): Recording => {
  const finished = (format: 'json' | 'yaml') => invokeJson(handle, 'finish', JSON.stringify({ format, name, created }))
  const { text: json, files: inner } = finished('json')
  const { files: outer, ...fields } = finished('yaml')
  const both = outer.map((file, at) => ({ ...file, transcript: JSON.parse(inner[at]!.text) }))
  return { ...fields, transcript: JSON.parse(json), files: both, ...eventFields(handle) }
}

/** The core's answer to a fact: its number, its line for the journal, and its problem. */
interface TakenFact {
  seq: number
  line: string | null
  problem: RecordProblem | null
}

type RecordFact = (fields: FactFields) => number

/** @internal */
export class Recorder implements PublicRecorder {
  declare readonly messageAppended: RecordFact
  declare readonly modelCalled: RecordFact
  declare readonly modelAnswered: RecordFact
  declare readonly modelFailed: RecordFact
  declare readonly chunk: RecordFact
  declare readonly toolCalled: RecordFact
  declare readonly toolReturned: RecordFact
  declare readonly toolFailed: RecordFact
  declare readonly toolMessageCreated: RecordFact
  declare readonly contextChanged: RecordFact
  declare readonly visibilityChanged: RecordFact
  declare readonly toolsListed: RecordFact
  declare readonly metadataSet: RecordFact
  declare readonly agentEntered: RecordFact
  declare readonly agentLeft: RecordFact
  declare readonly [Symbol.dispose]: () => void
  readonly #handle: RecorderHandle
  readonly #functions: ReadonlyMap<string, Serializer>
  #tools = new Map<string, KnownCall>()
  readonly #journal: WriteLine | undefined
  #isBegun = false
  readonly #onProblem: RecorderOptions['onProblem']
  readonly #clock: (() => Time) | undefined
  #created: string | undefined
  #problems: RecordProblem[] = []
  #requestDeltas = new RequestDeltas()
  #freed = false
  /** The reported problems of changed messages, by run and message. */
  #changedMessages = new Map<string, RecordProblem>()
  /** Modules of the package that listen to facts. */
  #listeners: FactListener[] = []

  constructor(options: RecorderOptions) {
    disposable(this)
    // Members that are computed would keep bundlers from dropping an unused class.
    for (const [method, fact] of Object.entries(FACTS)) {
      // A getter of the host may throw, so it is read where errors are reported.
      const value = (fields: FactFields) => this.#takeFact(() => ({ ...fields, fact }))
      Object.defineProperty(this, method, { value, configurable: true, writable: true })
    }
    addSymbolMethod(this, READ_EXCHANGE, readExchange)
    addSymbolMethod(this, WRITE_EXCHANGE, writeExchange)
    addSymbolMethod(this, REPORT_UNRECORDED, (message: string, help: string | null = null) =>
      this.#reportProblem({ seq: 0, message, help }),
    )
    addSymbolMethod(this, ADD_FACT_LISTENER, (listener: FactListener) => this.#listeners.push(listener))
    const named = options.recording === undefined ? { ...options, recording: newId() } : options
    const { text, functions } = settingsOf('createRecorder', named)
    checkFunction('onProblem', options.onProblem)
    checkFunction('clock', options.clock)
    this.#handle = beginRecorder(text)
    this.#functions = functions
    this.#journal = journalOf(options)
    this.#onProblem = options.onProblem
    this.#clock = options.clock
  }

  get problems() {
    return this.#problems
  }

  /** A fact after the listeners have merged it; undefined for one that is recorded already. */
  #mergeFact(fact: Fact) {
    let merged: Fact | undefined = fact
    for (const listener of this.#listeners) merged &&= this.#safely('reading a fact', () => listener.merge(merged!))
    return merged
  }

  #reportProblem(problem: RecordProblem) {
    this.#problems.push(problem)
    try {
      this.#onProblem?.(problem)
    } catch (error) {
      // If the callback fails, the problem is still in the list.
      this.#problems.push({ seq: 0, message: `the function \`onProblem\` failed: ${errorText(error)}`, help: null, cause: error })
    }
  }

  /** Runs code of the host. A failure is reported and does not reach the run. */
  #safely<Result>(what: string, work: () => Result) {
    try {
      return work()
    } catch (error) {
      this.#reportProblem({ seq: 0, message: `${what} failed: ${errorText(error)}`, help: null, cause: error })
      return undefined
    }
  }

  #withTime(fact: Fact): Fact {
    if (this.#clock === undefined || fact.at !== undefined) return fact
    const at = this.#safely('the clock', () => formatTime(this.#clock!()))
    return at === undefined ? fact : { ...fact, at }
  }

  /**
   * Serializes results of tools that have a function as serializer, as soon as both the name of the tool and its result are
   * known. The text is recorded as a fact, whenever the message comes.
   */
  #serializeResults(fact: Fact) {
    const { run = '', fact: kind, id, tool_name: named = fact.toolName, tool_call_id: answers = fact.toolCallId } = fact
    const changed = new Map<string, unknown>()
    const note = (call: unknown, fields: KnownCall) => {
      const key = JSON.stringify([run, call])
      // The first name and the first result count, as they do in the core.
      this.#tools.set(key, { ...fields, ...this.#tools.get(key) })
      changed.set(key, call)
    }
    for (const call of listOf(fact.tool_calls ?? fact.toolCalls)) {
      const name = (call?.function as Fields)?.name ?? call?.name ?? call?.tool_name ?? call?.toolName
      if (typeof name === 'string') note(call.id ?? call.tool_call_id ?? call.toolCallId ?? call.call_id, { name })
    }
    if (kind === 'tool_called') note(id, { name: fact.name as string })
    if (kind === 'tool_returned') note(id, { result: fact.result })
    if (kind === 'message_appended' && typeof answers === 'string') {
      // Text from the host takes precedence over a serializer.
      if (fact.content !== undefined && fact.content !== null) note(answers, { hasContent: true })
      else if (typeof named === 'string') note(answers, { name: named })
    }
    for (const [key, call] of changed) {
      const { name, result, hasContent = false, ...rest } = this.#tools.get(key)!
      if (name === undefined || !Object.hasOwn(this.#tools.get(key)!, 'result')) continue
      this.#tools.set(key, { ...rest, name, hasContent: true })
      const serializer = hasContent ? undefined : this.#functions.get(name)
      if (serializer === undefined) continue
      const content = this.#safely(`the serializer of \`${name}\``, () => serializer(result))
      if (content !== undefined) this.#sendFact({ fact: 'tool_message_created', ...(run === '' ? {} : { run }), id: call, content })
    }
  }

  #writeJournal(line: string) {
    this.#safely('writing the journal', () => {
      // The line that identifies the facts comes first; if it cannot be written it is tried again.
      if (!this.#isBegun) this.#journal!(this.#handle.header(), true)
      this.#isBegun = true
      this.#journal!(line, false)
    })
  }

  observe(fact: Fact) {
    return this.#takeFact(() => fact)
  }

  /** Takes the fact that `read` gives; nothing that goes wrong reaches the run. */
  #takeFact(read: () => Fact) {
    if (this.#freed) {
      this.#reportProblem({
        seq: 0,
        message: 'the recorder was freed before this fact, which is not recorded',
        help: 'free it after the run',
      })
      return 0
    }
    const observed = this.#safely('reading a fact', () => {
      const fields = read()
      if (typeof fields !== 'object' || fields === null) {
        throw misuse(`observe() takes a fact, such as {fact: 'model_called', call: 'c1'}, but got ${kindOf(fields)}`)
      }
      return this.#withTime({ ...fields })
    })
    const fact = observed && this.#mergeFact(observed)
    if (fact === undefined) return 0
    const seq = this.#sendFact(fact)
    if (seq !== 0 && this.#functions.size > 0) this.#safely('reading a fact', () => this.#serializeResults(fact))
    if (seq !== 0) for (const listener of this.#listeners) this.#safely('reading a fact', () => listener.received(fact))
    return seq
  }

  #sendFact(fact: Fact) {
    const replaced: string[] = []
    const textOf = (value: Fact) => toLenientJson(value, (message) => replaced.push(message))
    const delta = this.#requestDeltas.shorten(fact)
    let text = this.#safely('reading a fact', () => textOf(delta))
    if (delta !== fact && replaced.length > 0) {
      // Problems are reported with their place in the whole list.
      replaced.length = 0
      this.#requestDeltas.forget(fact)
      text = this.#safely('reading a fact', () => textOf(fact))
    }
    // No fact has an empty text.
    const answer = (text && this.#safely('recording a fact', () => JSON.parse(invoke(this.#handle, 'observe', text)))) as
      | TakenFact
      | undefined
    this.#requestDeltas.noteTaken(fact, answer?.problem === null)
    if (answer === undefined) return 0
    const { seq, line, problem } = answer
    if (line !== null && this.#journal !== undefined) this.#writeJournal(line)
    for (const message of replaced) this.#reportProblem({ seq, message, help: null })
    if (problem !== null) this.#reportProblem(problem)
    return seq
  }

  finish(): Recording {
    return this.#buildRecording()
  }

  #buildRecording(name?: string, created?: string): Recording {
    if (this.#freed) throw invalidState('this recorder has been freed')
    for (const listener of this.#listeners) this.#safely('reading a fact', () => listener.finishing())
    this.#reportChangedMessages()
    const { problems, ...recording } = buildRecording(this.#handle, name, created)
    return { ...recording, problems: [...problems, ...this.#changedMessages.values()] }
  }

  /** Reports messages in long lists that were changed after they were recorded, each once. */
  #reportChangedMessages() {
    for (const { run, call, at } of this.#requestDeltas.findChanges()) {
      const key = JSON.stringify([run, at])
      if (this.#changedMessages.has(key)) continue
      const where = `${run === undefined || run === '' ? '' : `run \`${run}\`, `}call \`${call}\``
      const message = `${where}: \`messages[${at}]\` was changed after it was reported, and is recorded as it was`
      const help = 'replace it with a new message, or report a copy of the list'
      const problem = { seq: 0, message, help }
      this.#changedMessages.set(key, problem)
      this.#reportProblem(problem)
    }
  }

  async save<Path extends string | URL>(path: Path) {
    if (files === undefined) throw misuse('save() writes files, which only Node can: use finish().text here')
    // Saved again, it is still the same recording.
    this.#created ??= this.#safely('the clock', () => formatTime((this.#clock ?? systemClock)()))
    const { text, transcript, files: others, events } = this.#buildRecording(nameFromPath(path), this.#created)
    const isJson = /\.json(\.gz)?$/i.test(String(path))
    await files.write(path, isJson ? `${JSON.stringify(transcript, null, 2)}\n` : text)
    for (const other of others) await files.write(files.siblingPath(path, other.path), other.text)
    await saveEvents(files, path, events)
    return path
  }

  free() {
    if (this.#freed) return
    this.#freed = true
    this.#handle.free()
  }
}

/**
 * Starts to record.
 *
 * @returns A recorder. What it cannot record is in its `problems`: it never fails the run.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const recorder = createRecorder({ name: 'weather', journal: 'run.journal' })
 * recorder.messageAppended({ id: 'm1', role: 'user', content: 'Hi' })
 * recorder.modelCalled({ call: 'c1', messages: ['m1'] })
 * recorder.modelAnswered({ call: 'c1', content: 'Hello!' })
 * await recorder.save('run.yaml')
 */
export const createRecorder = (options: RecorderOptions = {}): PublicRecorder => {
  checkNames('createRecorder', options, [...CORE_OPTIONS, ...CLIENT_OPTIONS])
  return new Recorder(options)
}

/** The text of a journal; it may be cut within a character. */
const journalText = (journal: string | Uint8Array) => {
  if (typeof journal === 'string') return journal
  if (journal instanceof Uint8Array) return new TextDecoder().decode(journal)
  throw misuse(`recover() takes the text of a journal or its bytes, but got ${kindOf(journal)}`)
}

/**
 * Builds the recording from a journal, up to its last whole fact. The journal contains its options; these
 * options override them.
 *
 * @param journal The text of the journal, or its bytes in UTF-8.
 * @returns The recording, and what of the journal could not be read.
 * @throws {TypeError} when the journal has no such recording, or an option is wrong.
 * @example
 * const { text, truncatedLine } = recover(readFileSync('run.journal'))
 */
export const recover = (journal: string | Uint8Array, options: RecoverOptions = {}): RecoveredRecording => {
  checkNames('recover', options, [...CORE_OPTIONS, 'includeUlids'])
  const { text, functions } = settingsOf('recover', options)
  if (functions.size > 0) throw misuse('recover() takes serializers by name only: the journal already has the results of functions')
  const handle = resumeRecorder(text, journalText(journal))
  try {
    const { facts, truncatedAt, problems: lines, recordings, recording } = invokeJson(handle, 'recovered')
    return { ...buildRecording(handle), facts, truncatedLine: truncatedAt?.line ?? null, lines, recordings, recording }
  } finally {
    handle.free()
  }
}
