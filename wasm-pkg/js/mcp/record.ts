// A transport that records tool calls. In all else it is the transport that it wraps.
import { misuse } from '../api/misuse.ts'
import { ADD_FACT_LISTENER } from '../api/fact-listeners.ts'
import { guardRecording } from '../adapters/run-recorder.ts'
import type { Fields } from '../api/fields.ts'
import type { Recorder } from '../types/index.ts'
import type { McpTransport } from '../types/mcp.ts'
import { type McpCall, type McpCalls, type ObservedRecorder, mcpCallsOf } from './calls.ts'
import { formatServerError } from './errors.ts'
import {
  type Notification,
  type Request,
  type Response,
  SERVER,
  checkOptions,
  messagesIn,
  isNotification,
  isRequest,
  isResponse,
  isTransport,
} from './messages.ts'
import { wrapTransport } from './wrap-transport.ts'

/** Who sent a message: the ids of both sides are their own. */
const OURS = 'ours'
const THEIRS = 'theirs'

type Side = typeof OURS | typeof THEIRS

/** A request without an answer yet; `task` is the id of the task that it waits for. */
type Pending =
  | { method: 'tools/list'; call?: undefined; task?: undefined }
  | { method?: 'tools/call' | 'tasks/result'; call: McpCall; task?: unknown }

const keyOf = (side: Side, id: unknown) => `${side} ${typeof id} ${id}`

const other = (side: Side) => (side === OURS ? THEIRS : OURS)

class TransportObserver {
  #calls: McpCalls
  #server: string | undefined
  /** The requests that are not answered, by side and id. */
  #pending = new Map<string, Pending>()
  /** The calls that a server works on as tasks, by the ids of those. */
  #tasks = new Map<unknown, McpCall>()

  constructor(calls: McpCalls, server: string | undefined) {
    this.#calls = calls
    this.#server = server
  }

  #request(side: Side, { id, method, params = {} }: Request) {
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

  #response(side: Side, { id, result, error }: Response) {
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

  #notification(side: Side, { method, params = {} }: Notification) {
    if (method !== 'notifications/cancelled') return
    const key = keyOf(side, params.requestId)
    const pending = this.#pending.get(key)
    this.#pending.delete(key)
    if (pending?.call !== undefined) this.#calls.giveUp(pending.call, `cancelled${params.reason ? `: ${params.reason}` : ''}`)
  }

  /** Observes a message that is sent, or received. */
  observe(side: Side, sent: unknown) {
    for (const message of messagesIn(sent)) {
      if (isRequest(message)) this.#request(side, message)
      else if (isNotification(message)) this.#notification(side, message)
      else if (isResponse(message)) this.#response(side, message)
    }
  }

  /** A message that could not be sent. */
  sendFailed(sent: unknown, error: unknown) {
    for (const message of messagesIn(sent)) {
      const key = keyOf(OURS, (message as Fields)?.id)
      const pending = isRequest(message) ? this.#pending.get(key) : undefined
      this.#pending.delete(key)
      if (pending?.call !== undefined) this.#calls.giveUp(pending.call, String((error as Fields)?.message ?? error))
    }
  }

  closed() {
    const left: Pending[] = [...this.#pending.values(), ...[...this.#tasks.values()].map((call) => ({ call }))]
    this.#pending.clear()
    this.#tasks.clear()
    for (const { call } of left) if (call !== undefined) this.#calls.giveUp(call, 'the connection was closed')
  }
}

const OPTIONS = { server: SERVER }

/**
 * The same transport, of a client or a server, its calls of tools recorded. Everything passes through it as it is.
 *
 * A call that a model made, and that another adapter reports to the recorder, is one call: it is found by the name of the
 * tool and its arguments. Calls that no model made are recorded too. Recording never fails the run.
 *
 * @param options.server The name of the server, where there are several or the agent puts it before the names of tools.
 * @example
 * const recorder = createRecorder({ name: 'files' })
 * await client.connect(recordMcp(recorder, new StdioClientTransport({ command: 'files-server' })))
 * await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
 * await recorder.save('run.yaml')
 */
export const recordMcp = <T extends McpTransport>(recorder: Recorder, transport: T, options: { server?: string } = {}): T => {
  if (typeof (recorder as ObservedRecorder | undefined)?.[ADD_FACT_LISTENER] !== 'function')
    throw misuse('recordMcp() takes a recorder, which createRecorder() makes, and a transport')
  if (!isTransport(transport)) throw misuse('recordMcp() takes a recorder and a transport, which has the methods start, send and close')
  checkOptions('recordMcp', options, OPTIONS)
  // What listens to facts has the rest as well.
  const watch = new TransportObserver(mcpCallsOf(recorder as ObservedRecorder), options.server)
  const safely = (work: () => void) => guardRecording(recorder, work)
  const onmessage = (message: unknown, pass: () => unknown) => {
    safely(() => watch.observe(THEIRS, message))
    return pass()
  }
  const onclose = (pass: () => unknown) => {
    safely(() => watch.closed())
    return pass()
  }
  const send: McpTransport['send'] = async (message, ...more) => {
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
