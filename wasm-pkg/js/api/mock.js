// A model that a handler answers for: one of a document, or a function.
import { ask, askData, beginMock } from './core.js'
import { plain, plainText } from './data.js'
import { TranscriptError, mockError } from './errors.js'
import { misuse } from './misuse.js'
import { open } from './open.js'
import { checkOptions, kindOf, oneOf } from './options.js'
import { requestJson } from './request.js'
import { sourceOf } from './source.js'

const UNNAMED = '<handlers>'
const EVENTS = ['before', 'after', 'error']
const NO_NAME = 'model'

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

/** The handlers of data by agent; undefined for a source. */
const handlersOf = (given, agent) => {
  if (typeof given === 'function' || Array.isArray(given)) {
    const handler = Array.isArray(given) ? { type: 'queue', responses: given } : given
    return { [agent ?? NO_NAME]: handler }
  }
  if (!isMap(given)) return undefined
  if (typeof given.type === 'string') return { [agent ?? NO_NAME]: given }
  return isMap(given.handlers) && given.text === undefined && given.bytes === undefined ? given.handlers : undefined
}

/** The function among handlers that is meant, if it is one. */
const functionOf = (handlers, agent) => {
  const names = Object.keys(handlers)
  const meant = agent ?? (names.length === 1 ? names[0] : undefined)
  const found = meant === undefined ? undefined : handlers[meant]
  return typeof found === 'function' ? { agent: meant, answer: found } : undefined
}

const openHandlers = (given, handlers, agent, opening) => {
  if (handlers === undefined) return { handle: open('mockModel', given, opening), file: sourceOf('mockModel', given, opening).file }
  // Functions of other agents are not asked here.
  const meant = Object.entries(handlers).filter(([name, handler]) => typeof handler !== 'function' || name === agent)
  const data = plain({ ...(isMap(given) && given.handlers ? given : {}), handlers: Object.fromEntries(meant) }, 'the handlers')
  return { handle: open('mockModel', { text: JSON.stringify(data, null, 2), file: UNNAMED }, opening), file: UNNAMED }
}

const checkSound = (handle, file) => {
  if (ask(handle, 'isOk')) return
  const diagnostics = askData(handle, 'diagnostics')
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const message = `${file} cannot answer for a model: it has ${errors} ${errors === 1 ? 'error' : 'errors'}`
  const rendered = ask(handle, 'render', false)
  handle.free()
  throw new TranscriptError(message, diagnostics, rendered)
}

const requestText = (request) => {
  if (Array.isArray(request)) return requestText({ messages: request })
  if (!isMap(request)) throw misuse(`call() takes {messages, …} or a list of messages, but got ${kindOf(request)}`)
  try {
    return requestJson(request)
  } catch {
    return plainText(request, 'the call')
  }
}

/** What a function sees of a call. */
const contextOf = (context) => {
  const last = (role) => context.messages.findLast((message) => message.role === role)
  const tool = last('tool')?.result ?? null
  return {
    ...context,
    lastUser: last('user')?.content ?? null,
    lastAssistant: last('assistant')?.content ?? null,
    lastTool: tool === null || typeof tool === 'string' ? tool : JSON.stringify(tool),
    lastResult: tool,
    lastRole: context.messages.at(-1)?.role ?? null,
  }
}

const thrownData = (thrown) => {
  const isError = thrown instanceof Error
  return JSON.stringify({ name: isError ? thrown.name : 'Error', message: isError ? thrown.message : String(thrown) })
}

export class MockModel {
  #handle
  #answer
  #file
  #listeners = Object.fromEntries(EVENTS.map((kind) => [kind, new Set()]))

  constructor(handle, file, answer) {
    this.#handle = handle
    this.#file = file
    this.#answer = answer
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

  async call(request) {
    const text = requestText(request)
    if (this.#answer !== undefined) return this.#outside(text, request)
    // Events come when they happen; what is no call at all has none.
    this.#tell('before', { call: this.callCount + 1, request })
    return this.#told(askData(this.#live(), 'call', text), request)
  }

  async #outside(text, request) {
    const { call, context } = askData(this.#live(), 'beginCall', text)
    this.#tell('before', { call, request })
    const close = (outcome, failed) => askData(this.#live(), 'answer', call, outcome, failed)
    let reply
    try {
      reply = plainText(await this.#answer(contextOf(context)), 'what the handler answered')
    } catch (thrown) {
      close(thrownData(thrown), true)
      this.#tell('error', { call, request, error: thrown })
      throw thrown
    }
    return this.#told(close(reply, false), request)
  }

  #told({ call, reply, error }, request) {
    if (error === undefined) {
      this.#tell('after', { call, request, reply })
      return reply
    }
    const thrown = mockError(this.#file, error, call)
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
  const { agent, profile, keep, ...opening } = checkOptions('mockModel', options, ['agent', 'profile', 'keep'])
  if (agent !== undefined && typeof agent !== 'string') {
    throw misuse(`the option \`agent\` of mockModel() is a text, but got ${kindOf(agent)}`)
  }
  checkKeep(keep)
  const handlers = handlersOf(given, agent)
  const own = handlers && functionOf(handlers, agent)
  const named = agent ?? (isMap(given) && given.handlers ? own?.agent : undefined)
  const settings = { agent: named, profile: oneOf('mockModel', 'profile', profile, ['default', 'good-agent']), keep }
  if (own !== undefined) return new MockModel(beginMock(undefined, JSON.stringify(settings)), '', own.answer)
  const { handle, file } = openHandlers(given, handlers, agent, opening)
  checkSound(handle, file)
  return new MockModel(beginMock(handle, JSON.stringify(settings)), file === UNNAMED ? '' : file)
}
