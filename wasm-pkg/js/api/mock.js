// A model that a handler answers for: one of a document, one in code, or a function.
import { ask, askData, beginMock } from './core.js'
import { History, contextOf } from './context.js'
import { plain, plainText } from './data.js'
import { TranscriptError, mockError } from './errors.js'
import { disposable } from './disposable.js'
import { Functions, functionOf, isCode, isMap } from './functions.js'
import { misuse } from './misuse.js'
import { open } from './open.js'
import { checkOptions, kindOf, oneOf } from './options.js'
import { shortRequest } from './request.js'
import { Sent } from './sent-messages.js'
import { sourceOf } from './source.js'
import { closest } from './suggest.js'
import { isSignal, raced, thrownOf } from './abort.js'
import { isWithin, within } from './reentrancy.js'

const UNNAMED = '<handlers>'
const EVENTS = ['before', 'after', 'error']
const NO_NAME = 'model'

/** The handlers of data by agent; undefined for a source. */
const handlersOf = (given, agent) => {
  if (isCode(given) || Array.isArray(given)) {
    const handler = Array.isArray(given) ? { type: 'queue', responses: given } : given
    return { [agent ?? NO_NAME]: handler }
  }
  if (!isMap(given)) return undefined
  if (typeof given.type === 'string') return { [agent ?? NO_NAME]: given }
  return isMap(given.handlers) && given.text === undefined && given.bytes === undefined ? given.handlers : undefined
}

/** The handler that is meant, if it is one of code. */
const ownOf = (handlers, agent) => {
  const names = Object.keys(handlers)
  const meant = agent ?? (names.length === 1 ? names[0] : undefined)
  const found = meant !== undefined && Object.hasOwn(handlers, meant) ? handlers[meant] : undefined
  return isCode(found) ? { agent: meant, answer: functionOf(found) } : undefined
}

const openHandlers = (given, handlers, agent, opening) => {
  const functions = new Functions()
  if (handlers === undefined) {
    return { handle: open('mockModel', given, opening), file: sourceOf('mockModel', given, opening).file, functions }
  }
  // Functions of other agents are not asked here.
  const meant = Object.entries(handlers).filter(([name, handler]) => !isCode(handler) || name === agent)
  const found = meant.map(([name, handler]) => [name, functions.handler(handler, `handlers.${name}`)])
  const data = plain({ ...(isMap(given) && given.handlers ? given : {}), handlers: Object.fromEntries(found) }, 'the handlers')
  return { handle: open('mockModel', { text: JSON.stringify(data, null, 2), file: UNNAMED }, opening), file: UNNAMED, functions }
}

/**
 * What in handlers is probably not what was meant: what the rules about them warn of, and keys that nothing reads.
 * The library good-agent fills no template in.
 */
const warningsOf = (diagnostics, profile) =>
  diagnostics.filter(({ code, severity }) => {
    if (code === 'T615' && profile === 'good-agent') return false
    return code === 'T103' || (severity === 'warning' && code.startsWith('T6'))
  })

/** What is found in handlers that work. */
const checkSound = (handle, file) => {
  const diagnostics = askData(handle, 'diagnostics')
  if (ask(handle, 'isOk')) return diagnostics
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const message = `${file} cannot answer for a model: it has ${errors} ${errors === 1 ? 'error' : 'errors'}`
  const rendered = ask(handle, 'render', false)
  handle.free()
  throw new TranscriptError(message, diagnostics, rendered)
}

/** A call as an object, its list of messages as it is now: agents go on writing in theirs. */
const requestOf = (request) => {
  if (Array.isArray(request)) return { messages: [...request] }
  if (!isMap(request)) throw misuse(`call() takes {messages, …} or a list of messages, but got ${kindOf(request)}`)
  const { iteration, context, tools } = request
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) {
    throw misuse(`the \`tools\` of call() are a list, but got ${kindOf(tools)}`)
  }
  if (iteration !== undefined && iteration !== null && (!Number.isSafeInteger(iteration) || iteration < 0)) {
    throw misuse(`the \`iteration\` of call() is a whole number, but got ${typeof iteration === 'number' ? iteration : kindOf(iteration)}`)
  }
  if (context !== undefined && context !== null && !isMap(context)) {
    throw misuse(`the \`context\` of call() is an object, but got ${kindOf(context)}`)
  }
  const copy = { ...request }
  for (const list of ['messages', 'input']) if (Array.isArray(copy[list])) copy[list] = [...copy[list]]
  return copy
}

const signalOf = (call, signal) => {
  if (signal === undefined || signal === null || isSignal(signal)) return signal ?? undefined
  throw misuse(`the option \`signal\` of ${call}() is an AbortSignal, but got ${kindOf(signal)}`)
}

const callOptions = (options) => {
  if (options === undefined || options === null) return {}
  if (!isMap(options)) throw misuse(`call() takes an object of options, but got ${kindOf(options)}`)
  const odd = Object.keys(options).find((name) => name !== 'signal')
  if (odd === undefined) return options
  throw misuse(`call() has no option \`${odd}\`; ${closest(odd, ['signal']) ? 'did you mean `signal`?' : 'there is: signal'}`)
}

export class MockModel {
  #handle
  #answer
  #file
  #functions
  #warnings
  #listeners = Object.fromEntries(EVENTS.map((kind) => [kind, new Set()]))
  /** What was sent in the last call, so that the next one brings only what is new. */
  #sent = new Sent()
  /** The messages of the last call that a function was told of. */
  #history = new History()
  /** The end of the last call that asks functions: they are asked for one call at a time. */
  #turn = Promise.resolve()

  constructor(handle, file, { answer, functions = [], warnings = [] } = {}) {
    disposable(this)
    this.#handle = handle
    this.#warnings = warnings
    this.#file = file
    this.#answer = answer
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

  get exchanges() {
    return askData(this.#live(), 'exchanges')
  }

  get requests() {
    return this.exchanges.map(({ reply: _, error: __, ...request }) => request)
  }

  get responses() {
    return this.exchanges.filter(({ reply }) => reply !== undefined).map(({ reply }) => reply)
  }

  #live() {
    if (this.#handle === undefined) throw new Error('this mock model has been freed')
    return this.#handle
  }

  #usage() {
    return askData(this.#live(), 'usage')
  }

  on(kind, listener) {
    oneOf('on', 'kind', kind, EVENTS)
    if (typeof listener !== 'function') throw misuse(`on() takes a function that is told, but got ${kindOf(listener)}`)
    this.#listeners[kind].add(listener)
    return () => this.#listeners[kind].delete(listener)
  }

  #tell(kind, event) {
    for (const listener of this.#listeners[kind]) listener({ kind, ...event })
  }

  /** Has the core take a call, which it is sent without what it knows. */
  #send(method, request, given) {
    let text
    try {
      text = shortRequest(request, this.#sent).text
    } catch {
      this.#sent.forget()
      text = plainText(Array.isArray(given) ? { messages: given } : given, 'the call')
    }
    try {
      return askData(this.#live(), method, text)
    } catch (error) {
      this.#sent.forget()
      throw error
    }
  }

  /** The context of a call, with the messages that were told with an earlier one. */
  #context({ context, same }) {
    return contextOf(context, this.#history.take(same, context.messages))
  }

  async call(given, options) {
    const request = requestOf(given)
    const signal = signalOf('call', callOptions(options).signal)
    signal?.throwIfAborted()
    if (this.#answer !== undefined) return this.#outside(request, given, signal)
    if (this.#functions.length > 0) {
      if (isWithin(this)) throw misuse('call() of a mock model was called from a function in its own handler, whose answer it would wait for; ask another model there')
      return this.#inTurn(() => this.#asking(request, given, signal), signal)
    }
    // Events come when they happen; what is no call at all has none.
    this.#tell('before', { call: this.callCount + 1, request: given })
    return this.#told(this.#send('call', request, given), given)
  }

  async #outside(request, given, signal) {
    const begun = this.#send('beginCall', request, given)
    const { call } = begun
    this.#tell('before', { call, request: given })
    const close = (outcome, failed) => askData(this.#live(), 'answer', call, outcome, failed)
    let reply
    try {
      const context = this.#context(begun)
      reply = plainText(await raced((async () => this.#answer(context, { signal }))(), signal), 'what the handler answered')
    } catch (thrown) {
      if (this.#handle !== undefined) close(JSON.stringify(thrownOf(thrown)), true)
      this.#tell('error', { call, request: given, error: thrown })
      throw thrown
    }
    return this.#told(close(reply, false), given)
  }

  #inTurn(work, signal) {
    const turn = this.#turn.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#turn = turn.catch(() => {})
    return raced(turn, signal)
  }

  /** Answers a call by a handler that asks functions on its way. */
  async #asking(request, given, signal) {
    this.#tell('before', { call: this.callCount + 1, request: given })
    let told = this.#send('call', request, given)
    const { call } = told
    const context = told.asks && this.#context(told)
    let cause
    while (told.asks !== undefined) {
      const { function: number, path, wants } = told.asks
      let said
      let failed = false
      try {
        const value = await within(this, () => raced((async () => this.#functions[number](context, { signal }))(), signal))
        said = wants === 'condition' ? String(Boolean(value)) : plainText(value, 'what it answered')
      } catch (thrown) {
        if (signal?.aborted) {
          if (this.#handle !== undefined) ask(this.#handle, 'giveUp', call)
          this.#tell('error', { call, request: given, error: signal.reason })
          throw signal.reason
        }
        said = JSON.stringify(thrownOf(thrown))
        failed = true
        cause = { path, thrown }
      }
      told = askData(this.#live(), 'said', call, number, said, failed)
    }
    return this.#told(told, given, cause)
  }

  #told({ call, reply, error }, request, cause) {
    if (error === undefined) {
      this.#tell('after', { call, request, reply })
      return reply
    }
    const thrown = mockError(this.#file, error, call)
    if (cause !== undefined && error.name === 'MockFunctionError') {
      Object.defineProperty(thrown, 'cause', { value: cause.thrown, configurable: true, writable: true })
    }
    this.#tell('error', { call, request, error: thrown })
    throw thrown
  }

  trace() {
    return askData(this.#live(), 'trace')
  }

  reset() {
    ask(this.#live(), 'reset')
  }

  snapshot() {
    return askData(this.#live(), 'snapshot')
  }

  restore(state) {
    ask(this.#live(), 'restore', plainText(state, 'the state'))
  }

  free() {
    this.#handle?.free()
    this.#handle = undefined
  }
}

const checkKeep = (keep) => {
  if (keep === undefined) return
  const names = ['calls', 'messages', 'bytes']
  const isOdd = ([name, value]) => !names.includes(name) || !Number.isSafeInteger(value) || value < 0
  if (!isMap(keep) || Object.entries(keep).some(isOdd)) {
    throw misuse(`the option \`keep\` of mockModel() is an object of whole numbers: ${names.join(', ')}`)
  }
}

/** A model that answers as a handler says. */
export const mockModel = (given, options) => {
  const { agent, profile, keep, onWarning, ...opening } = checkOptions('mockModel', options, ['agent', 'profile', 'keep', 'onWarning'])
  if (agent !== undefined && typeof agent !== 'string') {
    throw misuse(`the option \`agent\` of mockModel() is a text, but got ${kindOf(agent)}`)
  }
  checkKeep(keep)
  if (onWarning !== undefined && typeof onWarning !== 'function') {
    throw misuse(`the option \`onWarning\` of mockModel() is a function, but got ${kindOf(onWarning)}`)
  }
  const handlers = handlersOf(given, agent)
  const own = handlers && ownOf(handlers, agent)
  const named = agent ?? (isMap(given) && given.handlers ? own?.agent : undefined)
  const settings = { agent: named, profile: oneOf('mockModel', 'profile', profile, ['default', 'good-agent']), keep }
  if (own !== undefined) {
    const [odd] = Object.keys(opening).filter((name) => opening[name] !== undefined)
    if (odd !== undefined) throw misuse(`the option \`${odd}\` of mockModel() is about how a document is read, and a function is none`)
    return new MockModel(beginMock(undefined, JSON.stringify(settings)), '', { answer: own.answer })
  }
  const { handle, file, functions } = openHandlers(given, handlers, agent, opening)
  const warnings = warningsOf(checkSound(handle, file), profile)
  const begun = beginMock(handle, JSON.stringify({ ...settings, code: functions.paths }))
  for (const warning of warnings) onWarning?.(warning)
  return new MockModel(begun, file === UNNAMED ? '' : file, { functions: functions.list, warnings })
}
