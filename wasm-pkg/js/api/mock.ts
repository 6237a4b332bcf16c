// A model that a handler answers for: one of a document, one in code, or a function.
import type { DocumentHandle, MockHandle } from '#core'
import type {
  CanonicalMessage,
  Diagnostic,
  HandlersInput,
  Json,
  MockEvent,
  MockExchange,
  MockModelOptions,
  MockRequest,
  MockTrace,
  Options,
  MockModel as PublicMockModel,
  ReceivedRequest,
  MockResponse,
  Source,
} from '../types/index.ts'
import type { Answers, MockOutcome, NewContext } from './answers.ts'
import { invoke, invokeJson, beginMock, writeExchange } from './core.ts'
import { History, createContext } from './context.ts'
import { toData, toJsonText } from './data.ts'
import { MockError, TranscriptError } from './errors.ts'
import { disposable } from './disposable.ts'
import { FunctionCollector, type HostFunction, toFunction, isFunctionHandler, isMap } from './functions.ts'
import { pathOfLine } from './data-places.ts'
import { invalidState, misuse } from './misuse.ts'
import { open } from './open.ts'
import { checkOptions, kindOf, oneOf } from './options.ts'
import { type ModelRequest, requestDelta } from './request.ts'
import { SentMessages } from './sent-messages.ts'
import { checkNoFileName, sourceOf } from './source.ts'
import { closest } from './suggest.ts'
import { isAbortSignal, raceAbort, errorData } from './abort.ts'
import { isRunningFor, runFor } from './reentrancy.ts'
import { addSymbolMethod } from './symbol-method.ts'
import { WRITE_EXCHANGE } from './write-exchange.ts'

const UNNAMED = '<handlers>'
const EVENTS = ['before', 'after', 'error'] as const
const DEFAULT_AGENT = 'model'

type Handlers = { [agent: string]: unknown }

/** The handlers of data by agent; undefined for a source. */
const handlersByAgent = (input: unknown, agent: string | undefined): Handlers | undefined => {
  if (isFunctionHandler(input) || Array.isArray(input)) {
    const handler = Array.isArray(input) ? { type: 'queue', responses: input } : input
    return { [agent ?? DEFAULT_AGENT]: handler }
  }
  if (!isMap(input)) return undefined
  if (typeof input.type === 'string') return { [agent ?? DEFAULT_AGENT]: input }
  return isMap(input.handlers) && input.text === undefined && input.bytes === undefined ? input.handlers : undefined
}

/** The handler that is meant, if it is one of code. */
const functionHandlerOf = (handlers: Handlers, agent: string | undefined) => {
  const names = Object.keys(handlers)
  const meant = agent ?? (names.length === 1 ? names[0] : undefined)
  const found = meant !== undefined && Object.hasOwn(handlers, meant) ? handlers[meant] : undefined
  return isFunctionHandler(found) ? { agent: meant, answer: toFunction(found) } : undefined
}

const openHandlers = (input: unknown, handlers: Handlers | undefined, agent: string | undefined, opening: Options) => {
  const functions = new FunctionCollector()
  if (handlers === undefined) {
    checkNoFileName('mockModel', input)
    return {
      handle: open('mockModel', input as Source, opening),
      file: sourceOf('mockModel', input as Source, opening).file,
      functions,
      text: undefined,
    }
  }
  // Functions of other agents are not called here.
  const wanted = Object.entries(handlers).filter(([name, handler]) => !isFunctionHandler(handler) || name === agent)
  const found = wanted.map(([name, handler]) => [name, functions.handler(handler, `handlers.${name}`)])
  const data = toData({ ...(isMap(input) && input.handlers ? input : {}), handlers: Object.fromEntries(found) }, 'the handlers')
  const text = JSON.stringify(data, null, 2)
  return { handle: open('mockModel', { text, file: UNNAMED }, opening), file: UNNAMED, functions, text }
}

/** Each error with its place in the caller's data, which is `prefix` in the text of all handlers. */
const renderInData = (diagnostics: readonly Diagnostic[], text: string, prefix: string) =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ line, message, help }) => {
      const path = pathOfLine(text, line)
      const own = path.startsWith(prefix) ? path.slice(prefix.length) : path
      return `  ${own}: ${message}${help ? `; ${help}` : ''}`
    })
    .join('\n')

/**
 * Probable mistakes in handlers: the warnings of their rules, and keys that nothing reads.
 * The library good-agent does not fill in templates.
 */
const warningsOf = (diagnostics: readonly Diagnostic[], profile: string | undefined) =>
  diagnostics.filter(({ code, severity }) => {
    if (code === 'T615' && profile === 'good-agent') return false
    return code === 'T103' || (severity === 'warning' && code.startsWith('T6'))
  })

/** The findings in valid handlers. */
const checkNoErrors = (handle: DocumentHandle, file: string, data: { text: string | undefined; prefix: string }) => {
  const diagnostics = invokeJson(handle, 'diagnostics')
  if (invoke(handle, 'isOk')) return diagnostics
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const name = data.text === undefined ? file : 'the handler'
  const message = `${name} cannot answer for a model: it has ${errors} ${errors === 1 ? 'error' : 'errors'}`
  const rendered = data.text === undefined ? invoke(handle, 'render', false) : renderInData(diagnostics, data.text, data.prefix)
  handle.free()
  throw TranscriptError.create(message, diagnostics, rendered)
}

/** A call as an object, its list of messages as it is now: agents go on writing in theirs. */
const readRequest = (request: unknown): ModelRequest => {
  if (Array.isArray(request)) return { messages: [...request] }
  if (!isMap(request)) throw misuse(`call() takes {messages, …} or a list of messages, but got ${kindOf(request)}`)
  const { iteration, context, tools } = request
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) {
    throw misuse(`the \`tools\` of call() are a list, but got ${kindOf(tools)}`)
  }
  if (iteration !== undefined && iteration !== null && (!Number.isSafeInteger(iteration) || (iteration as number) < 0)) {
    throw misuse(`the \`iteration\` of call() is an integer, but got ${typeof iteration === 'number' ? iteration : kindOf(iteration)}`)
  }
  if (context !== undefined && context !== null && !isMap(context)) {
    throw misuse(`the \`context\` of call() is an object, but got ${kindOf(context)}`)
  }
  const copy: { [key: string]: unknown } = { ...request }
  for (const list of ['messages', 'input', 'contents']) if (Array.isArray(copy[list])) copy[list] = [...copy[list]]
  return copy
}

const readSignal = (call: string, signal: unknown) => {
  if (signal === undefined || signal === null || isAbortSignal(signal)) return signal ?? undefined
  throw misuse(`the option \`signal\` of ${call}() is an AbortSignal, but got ${kindOf(signal)}`)
}

const callOptions = (options: unknown): { signal?: unknown } => {
  if (options === undefined || options === null) return {}
  if (!isMap(options)) throw misuse(`call() takes an object of options, but got ${kindOf(options)}`)
  const unknown = Object.keys(options).find((name) => name !== 'signal')
  if (unknown === undefined) return options
  throw misuse(`call() has no option \`${unknown}\`; ${closest(unknown, ['signal']) ? 'did you mean `signal`?' : 'there is: signal'}`)
}

/** What a function in a handler threw, and the function's path. */
interface FunctionFailure {
  path: string
  thrown: unknown
}

/** What was passed with a call. */
type CallInput = MockRequest | readonly CanonicalMessage[]

type Listener = (event: MockEvent) => void

/** @internal */
export class MockModel implements PublicMockModel {
  #handle: MockHandle | undefined
  readonly #handler: HostFunction | undefined
  readonly #file: string
  readonly #functions: readonly HostFunction[]
  readonly #warnings: Diagnostic[]
  readonly #listeners = Object.fromEntries(EVENTS.map((kind) => [kind, new Set()])) as { [Kind in MockEvent['kind']]: Set<Listener> }
  /** What the last call sent, so that the next one sends only what is new. */
  #sentMessages = new SentMessages()
  /** The messages of the last call that functions have received. */
  #history = new History()
  /** The end of the last call that uses functions: such calls run one at a time. */
  #queue: Promise<unknown> = Promise.resolve()
  declare readonly [Symbol.dispose]: () => void

  constructor(
    handle: MockHandle,
    file: string,
    { answer, functions = [], warnings = [] }: { answer?: HostFunction; functions?: HostFunction[]; warnings?: Diagnostic[] } = {},
  ) {
    disposable(this)
    addSymbolMethod(this, WRITE_EXCHANGE, writeExchange)
    this.#handle = handle
    this.#warnings = warnings
    this.#file = file
    this.#handler = answer
    this.#functions = functions
  }

  get warnings() {
    return structuredClone(this.#warnings)
  }

  get agent() {
    return this.#usage().agent
  }

  get callCount() {
    return this.#usage().calls
  }

  get responsesUsed() {
    return this.#usage().used
  }

  get responsesRemaining() {
    return this.#usage().remaining
  }

  get allConsumed() {
    return this.#usage().allConsumed
  }

  get exchanges(): MockExchange[] {
    return invokeJson(this.#live(), 'exchanges')
  }

  get requests(): ReceivedRequest[] {
    return this.exchanges.map(({ response: _, error: __, ...request }) => request)
  }

  get responses(): MockResponse[] {
    return this.exchanges.filter(({ response }) => response !== undefined).map(({ response }) => response!)
  }

  #live() {
    if (this.#handle === undefined) throw invalidState('this mock model has been freed')
    return this.#handle
  }

  #usage() {
    return invokeJson(this.#live(), 'usage')
  }

  on<Kind extends MockEvent['kind']>(kind: Kind, listener: (event: Extract<MockEvent, { kind: Kind }>) => void) {
    oneOf('on', 'kind', kind, EVENTS)
    if (typeof listener !== 'function') throw misuse(`on() takes a listener function, but got ${kindOf(listener)}`)
    // The listeners of a kind get events of that kind alone.
    this.#listeners[kind].add(listener as Listener)
    return () => this.#listeners[kind].delete(listener as Listener)
  }

  #emit(kind: MockEvent['kind'], event: { call: number; request: CallInput; response?: MockResponse; error?: unknown }) {
    for (const listener of this.#listeners[kind]) listener({ kind, ...event } as MockEvent)
  }

  /** Sends a call to the core, without the messages that the core has already. */
  #send(method: 'call', request: ModelRequest, input: CallInput): MockOutcome
  #send(method: 'beginCall', request: ModelRequest, input: CallInput): Answers['beginCall']
  #send(method: 'call' | 'beginCall', request: ModelRequest, input: CallInput) {
    let text: string
    try {
      // A mock has no end at which a message that was changed in place would be found.
      text = requestDelta(request, this.#sentMessages, { isFull: true }).text
    } catch {
      this.#sentMessages.forget()
      text = toJsonText(Array.isArray(input) ? { messages: input } : input, 'the call')
    }
    try {
      return invokeJson<MockHandle, 'call' | 'beginCall'>(this.#live(), method, text)
    } catch (error) {
      this.#sentMessages.forget()
      throw error
    }
  }

  /** The context of a call, with the messages that an earlier one contained. */
  #context({ context, same }: NewContext) {
    return createContext(context, this.#history.update(same, context.messages))
  }

  async call(input: CallInput, options?: { signal?: AbortSignal }): Promise<MockResponse> {
    const request = readRequest(input)
    const signal = readSignal('call', callOptions(options).signal)
    signal?.throwIfAborted()
    if (this.#handler !== undefined) return this.#callHandler(request, input, signal)
    if (this.#functions.length > 0) {
      if (isRunningFor(this))
        throw misuse('a function in a handler called its own mock model, which would wait for that function; call another model there')
      return this.#enqueue(() => this.#callWithFunctions(request, input, signal), signal)
    }
    // Events come when they happen; what is no call at all has none.
    this.#emit('before', { call: this.callCount + 1, request: input })
    return this.#settle(this.#send('call', request, input), input)
  }

  async #callHandler(request: ModelRequest, input: CallInput, signal: AbortSignal | undefined) {
    const started = this.#send('beginCall', request, input)
    const { call } = started
    this.#emit('before', { call, request: input })
    const close = (outcome: string, failed: boolean) => invokeJson(this.#live(), 'answer', call, outcome, failed)
    let reply: string
    try {
      const context = this.#context(started)
      reply = toJsonText(await raceAbort((async () => this.#handler!(context, { signal }))(), signal), 'what the handler answered')
    } catch (thrown) {
      if (this.#handle !== undefined) close(JSON.stringify(errorData(thrown)), true)
      this.#emit('error', { call, request: input, error: thrown })
      throw thrown
    }
    return this.#settle(close(reply, false), input)
  }

  #enqueue<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined) {
    const result = this.#queue.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#queue = result.catch(() => {})
    return raceAbort(result, signal)
  }

  /** Answers a call with a handler that calls functions on its way. */
  async #callWithFunctions(request: ModelRequest, input: CallInput, signal: AbortSignal | undefined) {
    this.#emit('before', { call: this.callCount + 1, request: input })
    let state: MockOutcome = this.#send('call', request, input)
    const { call } = state
    // The first answer of a call that needs functions has their context.
    const context = state.asks && this.#context(state as NewContext)
    let cause: FunctionFailure | undefined
    while (state.asks !== undefined) {
      const { function: number, path, wants } = state.asks
      let outcome: string
      let failed = false
      try {
        const value = await runFor(this, () => raceAbort((async () => this.#functions[number]!(context!, { signal }))(), signal))
        outcome = wants === 'condition' ? String(Boolean(value)) : toJsonText(value, 'what it answered')
      } catch (thrown) {
        if (signal?.aborted) {
          if (this.#handle !== undefined) invoke(this.#handle, 'giveUp', call)
          this.#emit('error', { call, request: input, error: signal.reason })
          throw signal.reason
        }
        outcome = JSON.stringify(errorData(thrown))
        failed = true
        cause = { path, thrown }
      }
      state = invokeJson(this.#live(), 'functionResult', call, number, outcome, failed)
    }
    return this.#settle(state, input, cause)
  }

  #settle({ call, response, error }: MockOutcome, request: CallInput, cause?: FunctionFailure) {
    if (error === undefined) {
      // No function is needed any more, so there is a response.
      this.#emit('after', { call, request, response: response! })
      return response!
    }
    const thrown = MockError.create(this.#file, error, call)
    if (cause !== undefined && error.name === 'MockFunctionError') {
      Object.defineProperty(thrown, 'cause', { value: cause.thrown, configurable: true, writable: true })
    }
    this.#emit('error', { call, request, error: thrown })
    throw thrown
  }

  trace(): MockTrace {
    return invokeJson(this.#live(), 'trace')
  }

  reset() {
    invoke(this.#live(), 'reset')
  }

  snapshot() {
    return invokeJson(this.#live(), 'snapshot')
  }

  restore(state: { [key: string]: Json }) {
    invoke(this.#live(), 'restore', toJsonText(state, 'the state'))
  }

  free() {
    this.#handle?.free()
    this.#handle = undefined
  }
}

const checkKeep = (keep: unknown) => {
  if (keep === undefined) return
  const names = ['calls', 'messages', 'bytes']
  const isInvalid = ([name, value]: [string, unknown]) => !names.includes(name) || !Number.isSafeInteger(value) || (value as number) < 0
  if (!isMap(keep) || Object.entries(keep).some(isInvalid)) {
    throw misuse(`the option \`keep\` of mockModel() is an object of integers: ${names.join(', ')}`)
  }
}

/**
 * A model that answers according to a handler: that of a document, or one in code.
 *
 * @param input A document with handlers, a handler as data, a list of responses, or a function.
 * @returns A model. Its `call` rejects with a `MockError` when it has no response.
 * @throws {TranscriptError} when the document has errors.
 * @see mock, which takes responses one by one and makes handlers in code.
 * @example
 * const model = mockModel(['Hi', 'Bye'])
 * await model.call({ messages: [{ role: 'user', content: 'Hello' }] }) // { content: 'Hi' }
 */
export const mockModel = (input: Source | HandlersInput, options?: MockModelOptions): PublicMockModel => {
  const { agent, profile, keep, onWarning, ...opening } = checkOptions('mockModel', options, ['agent', 'profile', 'keep', 'onWarning'])
  if (agent !== undefined && typeof agent !== 'string') {
    throw misuse(`the option \`agent\` of mockModel() is a string, but got ${kindOf(agent)}`)
  }
  checkKeep(keep)
  if (onWarning !== undefined && typeof onWarning !== 'function') {
    throw misuse(`the option \`onWarning\` of mockModel() is a function, but got ${kindOf(onWarning)}`)
  }
  const handlers = handlersByAgent(input, agent)
  const functionHandler = handlers && functionHandlerOf(handlers, agent)
  const named = agent ?? (isMap(input) && (input as { handlers?: unknown }).handlers ? functionHandler?.agent : undefined)
  const settings = { agent: named, profile: oneOf('mockModel', 'profile', profile, ['default', 'good-agent']), keep }
  if (functionHandler !== undefined) {
    const [unknown] = Object.keys(opening).filter((name) => opening[name as keyof Options] !== undefined)
    if (unknown !== undefined) throw misuse(`the option \`${unknown}\` of mockModel() applies only to documents, but got a function`)
    return new MockModel(beginMock(undefined, JSON.stringify(settings)), '', { answer: functionHandler.answer })
  }
  const { handle, file, functions, text } = openHandlers(input, handlers, agent, opening)
  const prefix = isMap(input) && (input as { handlers?: unknown }).handlers ? '' : `handlers.${agent ?? DEFAULT_AGENT}.`
  const warnings = warningsOf(checkNoErrors(handle, file, { text, prefix }), profile)
  const mockHandle = beginMock(handle, JSON.stringify({ ...settings, code: functions.paths }))
  for (const warning of warnings) onWarning?.(warning)
  return new MockModel(mockHandle, file === UNNAMED ? '' : file, { functions: functions.list, warnings })
}
