// A transport of a client whose server is a recording.
import { FIND_RESULT } from '../api/find-result.ts'
import { definitionsOf } from './definitions.js'
import { ERROR_CODES, parseServerError, unescapeToolError } from './errors.js'
import { SERVER, checkOptions, messagesIn, isNotification, isRequest, isTransport } from './messages.js'
import { matchScore } from './names.js'
import { answerFromResult } from './results.js'
import { wrapTransport } from './wrap-transport.js'

/** The revisions of the protocol that begin with `initialize`, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

const errorAnswer = (code, message, data) => ({ error: { code, message, ...(data === undefined ? {} : { data }) } })

/** The results of a tape, by the names that a server has for its tools. */
class RecordedResults {
  #tape
  #server
  #definitions
  #forwards
  #names = new Map()

  constructor(tape, { server, tools, unrecorded }) {
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
  #namesOf(tool) {
    if (!this.#names.has(tool)) {
      const all = [...new Set(this.#tape.expectedToolCalls.map(({ name }) => name))]
      const fitting = all.map((name) => ({ name, fit: matchScore(name, tool, this.#server) })).filter(({ fit: how }) => how > 0)
      this.#names.set(
        tool,
        fitting.sort((a, b) => b.fit - a.fit).map(({ name }) => name),
      )
    }
    return this.#names.get(tool)
  }

  /** What is recorded for a call; undefined where nothing is, and such calls are passed on. */
  #find(tool, args) {
    const names = this.#namesOf(tool)
    const calls = names.map((name) => ({ name, arguments: args }))
    for (const call of calls) {
      const found = this.#tape[FIND_RESULT]?.(call)
      if (found !== undefined) return found
    }
    // The first name has the explanation.
    return this.#forwards ? undefined : this.#tape.call(calls[0] ?? { name: tool, arguments: args })
  }

  /** The answer to a call; undefined for one that is to be passed on. */
  answer({ name, arguments: args = {} } = {}) {
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
      if (error?.name === 'RecordedToolError') return failedToolAnswer(error.message)
      const { name: type, message, step, path, expected, actual, hint, nearest } = error
      const data = type === 'TranscriptDivergence' ? { type, step, path, expected, actual, hint, nearest } : undefined
      return errorAnswer(ERROR_CODES.invalidParams, message, data)
    }
  }
}

/** A recorded failure: that of a server, or of a tool. */
const failedToolAnswer = (text) => {
  const code = parseServerError(text)
  return code === undefined ? { result: { content: [{ type: 'text', text: unescapeToolError(text) }], isError: true } } : { error: code }
}

/** Delivers answers after the caller has continued, and none to requests that were cancelled meanwhile. */
class AnswerQueue {
  #pendingIds = new Set()
  #host
  #isOver = false

  constructor(host) {
    this.#host = host
  }

  give({ id }, answer) {
    this.#pendingIds.add(id)
    queueMicrotask(() => {
      if (!this.#pendingIds.delete(id) || this.#isOver) return
      try {
        this.#host('onmessage')?.({ jsonrpc: '2.0', id, ...answer })
      } catch (error) {
        this.#host('onerror')?.(error)
      }
    })
  }

  receiveNotification({ method, params }) {
    if (method === 'notifications/cancelled') this.#pendingIds.delete(params?.requestId)
  }

  close() {
    this.#isOver = true
  }
}

/** A server that is nothing but a recording. */
class RecordedTransport {
  onmessage = undefined
  onclose = undefined
  onerror = undefined
  /** A client takes one with an id for a session that goes on, and does not begin with `initialize`. */
  sessionId = undefined
  protocolVersion = undefined
  #results
  #name
  #answers = new AnswerQueue((name) => this[name])
  #state = 'new'

  constructor(results, name) {
    this.#results = results
    this.#name = name
  }

  async start() {
    if (this.#state !== 'new') throw new Error('this transport was started before: replayMcp() makes another one')
    this.#state = 'open'
  }

  async send(message) {
    if (this.#state !== 'open')
      throw new Error(this.#state === 'new' ? 'Not connected: start() comes first' : 'Not connected: this transport was closed')
    for (const one of messagesIn(message)) {
      if (isRequest(one)) this.#answers.give(one, this.#answer(one))
      else if (isNotification(one)) this.#answers.receiveNotification(one)
    }
  }

  #answer({ method, params }) {
    switch (method) {
      case 'initialize': {
        const requested = params?.protocolVersion
        return {
          result: {
            protocolVersion: VERSIONS.includes(requested) ? requested : VERSIONS[0],
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

  setProtocolVersion(version) {
    this.protocolVersion = version
  }
}

/** A server of which only the tools are recorded. */
const withRecordedTools = (transport, results) => {
  const answers = new AnswerQueue((name) => (name === 'onmessage' ? host(name) : transport[name]))
  const send = async (message, ...more) => {
    if (!isRequest(message) || message.method !== 'tools/call') {
      if (isNotification(message)) answers.receiveNotification(message)
      return transport.send(message, ...more)
    }
    const answer = results.answer(message.params)
    return answer === undefined ? transport.send(message, ...more) : answers.give(message, answer)
  }
  const onmessage = (_message, pass) => pass()
  const onclose = (pass) => {
    answers.close()
    return pass()
  }
  const { transport: wrapper, host } = wrapTransport(transport, { send, onmessage, onclose })
  return wrapper
}

const OPTIONS = {
  server: SERVER,
  tools: { is: Array.isArray, what: 'a list of definitions of tools' },
  transport: { is: isTransport, what: 'a transport, which has the methods start, send and close' },
  unrecorded: { is: (value) => value === 'refuse' || value === 'forward', what: 'refuse or forward' },
}

/**
 * A transport for a client whose server answers calls of tools with what was recorded. Without `transport` there is no
 * server at all; with it, all but the calls of tools goes there, and those that were not recorded if `unrecorded` is `forward`.
 */
export const replayMcp = (tape, options = {}) => {
  if (typeof tape?.call !== 'function' || typeof tape.assertComplete !== 'function') {
    const help = typeof tape?.then === 'function' ? '; replay() gives a promise, which has to be awaited' : ''
    throw new TypeError(`replayMcp() takes what replay(…, { mode: 'mocked-tools' }) gives${help}`)
  }
  checkOptions('replayMcp', options, OPTIONS)
  const { transport, server, tools, unrecorded } = options
  if (unrecorded === 'forward' && transport === undefined) {
    throw new TypeError('the option `unrecorded` of replayMcp() forwards calls to a `transport`, and there is none')
  }
  if (transport !== undefined && tools !== undefined) {
    throw new TypeError(
      'the options `tools` and `transport` of replayMcp() exclude one another: with a transport its server lists its tools',
    )
  }
  const results = new RecordedResults(tape, { server, tools, unrecorded })
  return transport === undefined ? new RecordedTransport(results, server) : withRecordedTools(transport, results)
}
