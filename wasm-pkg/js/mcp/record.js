// A transport whose tool calls are recorded. In all else it is the transport that it wraps.
import { ADD_FACT_LISTENER } from '../api/fact-listeners.ts'
import { guardRecording } from '../adapters/run-recorder.ts'
import { mcpCallsOf } from './calls.js'
import { formatServerError } from './errors.js'
import { SERVER, checkOptions, messagesIn, isNotification, isRequest, isResponse, isTransport } from './messages.js'
import { wrapTransport } from './wrap-transport.js'

/** Who sent a message: the ids of both sides are their own. */
const OURS = 'ours'
const THEIRS = 'theirs'

const keyOf = (side, id) => `${side} ${typeof id} ${id}`

const other = (side) => (side === OURS ? THEIRS : OURS)

class TransportObserver {
  #calls
  #server
  /** The requests that are not answered, by side and id. */
  #pending = new Map()
  /** The calls that a server works on as tasks, by the ids of those. */
  #tasks = new Map()

  constructor(calls, server) {
    this.#calls = calls
    this.#server = server
  }

  #request(side, { id, method, params = {} }) {
    const key = keyOf(side, id)
    if (method === 'tools/call') {
      const { name, arguments: args = {} } = params
      const call = this.#calls.begin(String(name), args, this.#server)
      this.#pending.set(key, { method, call })
    }
    if (method === 'initialize') this.#calls.setClientName(params.clientInfo?.name)
    if (method === 'tools/list') this.#pending.set(key, { method })
    if (method === 'tasks/result') {
      const call = this.#tasks.get(params.taskId)
      if (call !== undefined) this.#pending.set(key, { method, call, task: params.taskId })
    }
  }

  #response(side, { id, result, error }) {
    const key = keyOf(other(side), id)
    const pending = this.#pending.get(key)
    if (pending === undefined) return
    this.#pending.delete(key)
    const { method, call, task } = pending
    if (method === 'tools/list') {
      if (Array.isArray(result?.tools)) this.#calls.defineTools(result.tools, this.#server)
      return
    }
    this.#tasks.delete(task)
    if (error !== undefined) this.#calls.end(call, { error: formatServerError(error) })
    else if (result?.resultType === 'input_required') this.#calls.awaitInput(call)
    else if (method === 'tools/call' && result?.content === undefined && result?.task?.taskId !== undefined) {
      this.#tasks.set(result.task.taskId, call)
    } else this.#calls.end(call, { answer: result ?? {} })
  }

  #notification(side, { method, params = {} }) {
    if (method !== 'notifications/cancelled') return
    const key = keyOf(side, params.requestId)
    const pending = this.#pending.get(key)
    this.#pending.delete(key)
    if (pending?.call !== undefined) this.#calls.giveUp(pending.call, `cancelled${params.reason ? `: ${params.reason}` : ''}`)
  }

  /** Observes a message that is sent, or received. */
  observe(side, sent) {
    for (const message of messagesIn(sent)) {
      if (isRequest(message)) this.#request(side, message)
      else if (isNotification(message)) this.#notification(side, message)
      else if (isResponse(message)) this.#response(side, message)
    }
  }

  /** A message that could not be sent. */
  sendFailed(sent, error) {
    for (const message of messagesIn(sent)) {
      const key = keyOf(OURS, message?.id)
      const pending = isRequest(message) ? this.#pending.get(key) : undefined
      this.#pending.delete(key)
      if (pending?.call !== undefined) this.#calls.giveUp(pending.call, String(error?.message ?? error))
    }
  }

  closed() {
    const left = [...this.#pending.values(), ...[...this.#tasks.values()].map((call) => ({ call }))]
    this.#pending.clear()
    this.#tasks.clear()
    for (const { call } of left) if (call !== undefined) this.#calls.giveUp(call, 'the connection was closed')
  }
}

const OPTIONS = { server: SERVER }

/**
 * The same transport, of a client or of a server, with its tool calls recorded. A call of a model is recorded once, even if an
 * adapter of a framework reports it to the recorder, too.
 */
export const recordMcp = (recorder, transport, options = {}) => {
  if (typeof recorder?.[ADD_FACT_LISTENER] !== 'function')
    throw new TypeError('recordMcp() takes a recorder, which createRecorder() makes, and a transport')
  if (!isTransport(transport))
    throw new TypeError('recordMcp() takes a recorder and a transport, which has the methods start, send and close')
  checkOptions('recordMcp', options, OPTIONS)
  const watch = new TransportObserver(mcpCallsOf(recorder), options.server)
  const safely = (work) => guardRecording(recorder, work)
  const onmessage = (message, pass) => {
    safely(() => watch.observe(THEIRS, message))
    return pass()
  }
  const onclose = (pass) => {
    safely(() => watch.closed())
    return pass()
  }
  const send = async (message, ...more) => {
    safely(() => watch.observe(OURS, message))
    try {
      return await transport.send(message, ...more)
    } catch (error) {
      safely(() => watch.sendFailed(message, error))
      throw error
    }
  }
  return wrapTransport(transport, { send, onmessage, onclose }).transport
}
