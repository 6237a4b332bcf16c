// A transport of a client whose server is a recording.
import type { TranscriptDivergenceError } from '../api/errors.ts'
import { invalidState, misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import { FIND_RESULT } from '../api/find-result.ts'
import { kindOf } from '../api/options.ts'
import type { Json, ToolTape } from '../types/index.ts'
import type { McpReplayTransport, McpTool, McpTransport } from '../types/mcp.ts'
import { definitionsOf } from './definitions.ts'
import { ERROR_CODES, parseServerError, unescapeToolError } from './errors.ts'
import {
  type Answer,
  type Notification,
  type OptionKinds,
  type Params,
  type Request,
  SERVER,
  checkOptions,
  messagesIn,
  isNotification,
  isRequest,
  isTransport,
} from './messages.ts'
import { matchScore } from './names.ts'
import { answerFromResult } from './results.ts'
import { wrapTransport } from './wrap-transport.ts'

/** The revisions of the protocol that begin with `initialize`, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

const errorAnswer = (code: number, message: string, data?: object): Answer => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
})

/** A tape, with what it has for other modules of the package. */
type FindingTape = ToolTape & { [FIND_RESULT]?(call: { name: string; arguments: unknown }): { result: Json } | undefined }

/** How calls are answered. */
interface ReplayOptions {
  server?: string | undefined
  tools?: readonly McpTool[] | undefined
  unrecorded?: 'fail' | 'forward' | undefined
}

/** The results of a tape, by the names that a server has for its tools. */
class RecordedResults {
  #tape: FindingTape
  #server: string | undefined
  #definitions: readonly McpTool[] | undefined
  #forwards: boolean
  #names = new Map<string, string[]>()

  constructor(tape: FindingTape, { server, tools, unrecorded }: ReplayOptions) {
    this.#tape = tape
    this.#server = server
    this.#definitions = tools
    this.#forwards = unrecorded === 'forward'
  }

  get tools() {
    this.#definitions ??= definitionsOf(this.#tape, this.#server)
    return this.#definitions
  }

  /** The names that a tool is recorded under, the fittest first. */
  #namesOf(tool: string) {
    if (!this.#names.has(tool)) {
      const all = [...new Set(this.#tape.expectedToolCalls.map(({ name }) => name))]
      const candidates = all.map((name) => ({ name, fit: matchScore(name, tool, this.#server) })).filter(({ fit: how }) => how > 0)
      this.#names.set(
        tool,
        candidates.sort((a, b) => b.fit - a.fit).map(({ name }) => name),
      )
    }
    return this.#names.get(tool)!
  }

  /** The recorded result of a call; undefined without one: such calls are passed on. */
  #find(tool: string, args: unknown) {
    const names = this.#namesOf(tool)
    const calls = names.map((name) => ({ name, arguments: args }))
    for (const call of calls) {
      const found = this.#tape[FIND_RESULT]?.(call)
      if (found !== undefined) return found
    }
    // The first name has the explanation.
    return this.#forwards ? undefined : this.#tape.call(calls[0] ?? { name: tool, arguments: args })
  }

  /** The answer to a call; undefined for one to pass on. */
  answer({ name, arguments: args = {} }: Params = {}): Answer | undefined {
    if (typeof name !== 'string') return errorAnswer(ERROR_CODES.invalidParams, 'a call of a tool has the `name` of the tool')
    try {
      const found = this.#find(name, args)
      if (found === undefined) return undefined
      return {
        result: answerFromResult(
          found.result,
          this.tools.find((tool) => tool?.name === name),
        ),
      }
    } catch (error) {
      if ((error as Fields)?.name === 'RecordedToolError') return failedToolAnswer((error as Error).message)
      const { name: type, message, step, path, expected, actual, hint, nearest } = error as TranscriptDivergenceError
      const data = type === 'TranscriptDivergenceError' ? { type, step, path, expected, actual, hint, nearest } : undefined
      return errorAnswer(ERROR_CODES.invalidParams, message, data)
    }
  }
}

/** A recorded failure: that of a server, or of a tool. */
const failedToolAnswer = (text: string): Answer => {
  const code = parseServerError(text)
  return code === undefined ? { result: { content: [{ type: 'text', text: unescapeToolError(text) }], isError: true } } : { error: code }
}

/** Gives what a client listens with. */
type Host = <Name extends 'onmessage' | 'onerror'>(name: Name) => McpTransport[Name]

/** Delivers answers after the caller has continued, and none to requests that were cancelled meanwhile. */
class AnswerQueue {
  #pendingIds = new Set<unknown>()
  #host: Host
  #isOver = false

  constructor(host: Host) {
    this.#host = host
  }

  give({ id }: Request, answer: Answer | undefined) {
    this.#pendingIds.add(id)
    queueMicrotask(() => {
      if (!this.#pendingIds.delete(id) || this.#isOver) return
      try {
        this.#host('onmessage')?.({ jsonrpc: '2.0', id, ...answer })
      } catch (error) {
        this.#host('onerror')?.(error as Error)
      }
    })
  }

  receiveNotification({ method, params }: Notification) {
    if (method === 'notifications/cancelled') this.#pendingIds.delete(params?.requestId)
  }

  close() {
    this.#isOver = true
  }
}

/** A server that is nothing but a recording. */
class RecordedTransport implements McpReplayTransport {
  onmessage: McpTransport['onmessage'] = undefined
  onclose: McpTransport['onclose'] = undefined
  onerror: McpTransport['onerror'] = undefined
  /** A client takes one with an id for a session that goes on, and does not begin with `initialize`. */
  sessionId = undefined
  protocolVersion: string | undefined = undefined
  #results: RecordedResults
  #name: string | undefined
  #answers = new AnswerQueue((name) => this[name])
  #state: 'new' | 'open' | 'closed' = 'new'

  constructor(results: RecordedResults, name: string | undefined) {
    this.#results = results
    this.#name = name
  }

  async start() {
    if (this.#state !== 'new') throw invalidState('this transport was started before: call replayMcp() for another one')
    this.#state = 'open'
  }

  async send(message: unknown) {
    if (this.#state !== 'open')
      throw invalidState(this.#state === 'new' ? 'Not connected: start() comes first' : 'Not connected: this transport was closed')
    for (const one of messagesIn(message)) {
      if (isRequest(one)) this.#answers.give(one, this.#answer(one))
      else if (isNotification(one)) this.#answers.receiveNotification(one)
    }
  }

  #answer({ method, params }: Request): Answer | undefined {
    switch (method) {
      case 'initialize': {
        const requested = params?.protocolVersion
        return {
          result: {
            protocolVersion: VERSIONS.includes(requested as string) ? requested : VERSIONS[0],
            capabilities: { tools: {} },
            serverInfo: { name: this.#name ?? 'transcript-workbench', version: 'recorded' },
          },
        }
      }
      case 'ping':
        return { result: {} }
      case 'tools/list':
        if (params?.cursor !== undefined)
          return errorAnswer(ERROR_CODES.invalidParams, 'no page of tools has this cursor: they are all in the first')
        return { result: { tools: this.#results.tools } }
      case 'tools/call':
        return this.#results.answer(params)
      default:
        return errorAnswer(ERROR_CODES.noMethod, `a recording of tools has no answer to \`${method}\``)
    }
  }

  async close() {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#answers.close()
    this.onclose?.()
  }

  setProtocolVersion(version: string) {
    this.protocolVersion = version
  }
}

/** A server with recorded tools only. */
const withRecordedTools = (transport: McpTransport, results: RecordedResults) => {
  const answers = new AnswerQueue((name) => (name === 'onmessage' ? host(name) : transport[name]) as McpTransport[typeof name])
  const send: McpTransport['send'] = async (message: unknown, ...more) => {
    if (!isRequest(message) || message.method !== 'tools/call') {
      if (isNotification(message)) answers.receiveNotification(message)
      return transport.send(message, ...more)
    }
    const answer = results.answer(message.params)
    return answer === undefined ? transport.send(message, ...more) : answers.give(message, answer)
  }
  const onmessage = (_message: unknown, pass: () => unknown) => pass()
  const onclose = (pass: () => unknown) => {
    answers.close()
    return pass()
  }
  const { transport: wrapper, host } = wrapTransport(transport, { send, onmessage, onclose })
  return wrapper
}

const OPTIONS: OptionKinds = {
  server: SERVER,
  tools: { is: Array.isArray, what: 'a list of definitions of tools' },
  transport: { is: isTransport, what: 'a transport, which has the methods start, send and close' },
  unrecorded: { is: (value) => value === 'fail' || value === 'forward', what: 'fail or forward' },
}

/**
 * A transport for a client whose server is a recording. Calls of tools get the recorded results, found by tool and
 * arguments; the n-th of several equal calls gets the n-th result. A call that was not recorded gets an error of the
 * protocol that explains it, and `tape.assertComplete()` throws the same.
 *
 * @param options.server The server of these tools, if the recording has several servers.
 * @param options.tools The definitions that are listed. Default: those that were recorded, and of other tools that
 * were called a definition that takes any arguments.
 * @example
 * const tape = await replay('run.yaml', { mode: 'mocked-tools' })
 * await client.connect(replayMcp(tape))
 * const { content } = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
 * tape.assertComplete()
 */
export function replayMcp(tape: ToolTape, options?: { server?: string; tools?: readonly McpTool[] }): McpReplayTransport
/**
 * The transport of a live server with recorded answers to calls of tools: everything else goes to the server.
 *
 * @param options.unrecorded What to do with calls that were not recorded: reject them as above, or let the server run them.
 * @example
 * await client.connect(replayMcp(tape, { transport: new StdioClientTransport({ command: 'files-server' }), unrecorded: 'forward' }))
 */
export function replayMcp<T extends McpTransport>(
  tape: ToolTape,
  options: { transport: T; server?: string; unrecorded?: 'fail' | 'forward' },
): T
export function replayMcp(tape: ToolTape, options: ReplayOptions & { transport?: McpTransport } = {}): McpTransport {
  if (typeof (tape as ToolTape | undefined)?.call !== 'function' || typeof tape.assertComplete !== 'function') {
    throw misuse(`replayMcp() takes a tape of tools, but got ${kindOf(tape)}: pass \`await replay(file, { mode: 'mocked-tools' })\``)
  }
  checkOptions('replayMcp', options, OPTIONS)
  const { transport, server, tools, unrecorded } = options
  if (unrecorded === 'forward' && transport === undefined) {
    throw misuse('the option `unrecorded` of replayMcp() forwards calls to a `transport`, and there is none')
  }
  if (transport !== undefined && tools !== undefined) {
    throw misuse('the options `tools` and `transport` of replayMcp() cannot be used together: with a transport, its server lists the tools')
  }
  const results = new RecordedResults(tape, { server, tools, unrecorded })
  return transport === undefined ? new RecordedTransport(results, server) : withRecordedTools(transport, results)
}
