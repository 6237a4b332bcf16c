// Records the requests and answers of a protocol as the facts of one run.
import type { Fields } from '../api/fields.ts'
import {
  type CallFailure,
  READ_EXCHANGE,
  type ReadExchange,
  type ReadResults,
  type ExchangeAnswer,
  type RecordedCall,
  type RecordedMessage,
  type RecordedRequest,
} from '../api/read-exchange.ts'
import { jsonText } from '../api/request.ts'
import { REPORT_UNRECORDED, type UnrecordedReporter } from '../api/report-unrecorded.ts'
import { parseJson } from '../adapters/content.ts'
import { MessageHistory } from '../adapters/message-history.ts'
import { type Chunk, appendChunk, mergeChunks, withChunks } from '../adapters/partial-answer.ts'
import type { FactFields, Json, Recorder } from '../types/index.ts'
import { IssuedReferences } from './issued-references.ts'
import type { Protocol, RequestBody } from './protocols.ts'
import { RequestMessages } from './request-messages.ts'
import { redactSecrets } from './secrets.ts'

/** A recorder, with what it has for other modules of the package. */
export type ExchangeObserver = Recorder & UnrecordedReporter & { [READ_EXCHANGE]: ReadExchange }

type FactMethod =
  | 'messageAppended'
  | 'modelCalled'
  | 'modelResponded'
  | 'modelFailed'
  | 'chunk'
  | 'toolCalled'
  | 'toolReturned'
  | 'toolFailed'

/** A call that is being recorded. Only the first of `answered`, `failed` and `abandoned` counts. */
export interface ExchangeCall {
  read<Operation extends keyof ReadResults>(operation: Operation, data: unknown): ReadResults[Operation]
  reportProblem(message: string, help?: string): void
  chunk(delta: Chunk): void
  answered(answer: ExchangeAnswer): void
  failed(error: CallFailure): void
  abandoned(error: CallFailure): void
}

type ReadRequest = Pick<RecordedRequest, 'config' | 'tools' | 'messages'> & Partial<RecordedRequest>

/** Arguments as the text that a model writes. */
const argumentText = (args: Json) => (typeof args === 'string' ? args : jsonText(args ?? {}))

const isSet = ([, value]: [string, unknown]) => value !== undefined && value !== null

const numbered = (word: string, number: number) => `${word}_${String(number).padStart(3, '0')}`

export class ExchangeRecorder {
  readonly #recorder: ExchangeObserver
  readonly #readExchange: ReadExchange
  readonly #requestMessages: RequestMessages
  #secrets: string[] = []
  #references = new IssuedReferences()
  #calls = 0
  #messages = 0
  #history = new MessageHistory()
  /** The recorded tool calls by id. */
  #toolCalls = new Map<string | undefined, RecordedCall>()

  constructor(recorder: ExchangeObserver) {
    this.#recorder = recorder
    this.#readExchange = (operation, format, data) => recorder[READ_EXCHANGE](operation, format, data)
    this.#requestMessages = new RequestMessages(this.#readExchange)
  }

  /** `internalFields` come from this class and contain no secrets. */
  #record(kind: FactMethod, fields: FactFields, internalFields: FactFields = {}) {
    this.#recorder[kind]({ ...(this.#secrets.length > 0 ? redactSecrets(fields, this.#secrets) : fields), ...internalFields })
  }

  #appendMessage(message: RecordedMessage, more: FactFields = {}) {
    this.#messages += 1
    const id = numbered('msg', this.#messages)
    this.#history.add(message, id)
    const { is_error: isError, tool_calls: all = [], ...fields } = message
    const calls = all.filter(({ name }) => typeof name === 'string' && name !== '')
    if (calls.length < all.length) this.reportProblem(`the message \`${id}\` calls a tool without a name, and that call is not recorded`)
    if (calls.length > 0) fields.tool_calls = calls
    for (const call of calls) this.#toolCalls.set(call.id, call)
    const { tool_call_id: answers, content } = message
    if (answers !== undefined && this.#toolCalls.has(answers)) {
      const { name } = this.#toolCalls.get(answers)!
      this.#record('toolCalled', { id: answers, name })
      if (isError) this.#record('toolFailed', { id: answers, error: content })
      else this.#record('toolReturned', { id: answers, result: parseJson(content) })
      fields.tool_name = name
    }
    this.#record('messageAppended', { id, ...fields, ...more })
    return id
  }

  /** Reports something that cannot be recorded. */
  reportProblem(message: string, help?: string) {
    const text = this.#secrets.length > 0 ? redactSecrets(message, this.#secrets) : message
    this.#recorder[REPORT_UNRECORDED]?.(text, help)
  }

  /** Reports errors in a part of a recording; they do not reach the caller. */
  #safely(what: string, work: () => void): void
  #safely<Result>(what: string, work: () => Result, otherwise: Result): Result
  #safely(what: string, work: () => unknown, otherwise?: unknown) {
    try {
      return work()
    } catch (error) {
      this.reportProblem(`${what}: ${(error as Fields)?.message ?? error}`)
      return otherwise
    }
  }

  /** The request with the history that it refers to; if that is not known, the request is recorded as it is. */
  #resolveReferences(protocol: Protocol, body: RequestBody) {
    try {
      return protocol.resolveReferences(body, this.#references)
    } catch {
      return body
    }
  }

  /** Records a call; the returned object records how it goes on. `secrets` are texts that must not be recorded. */
  beginCall(protocol: Protocol, body: RequestBody, secrets: readonly string[] = []): ExchangeCall {
    this.#secrets = [...new Set([...this.#secrets, ...secrets])]
    this.#calls += 1
    const call = `call_${this.#calls}`
    const whole = this.#resolveReferences(protocol, body)
    const notRead = `the request \`${call}\` is not recorded as it was`
    const request = this.#safely<ReadRequest>(notRead, () => this.#requestMessages.read(protocol, whole), {
      config: {},
      tools: [],
      messages: [],
    })
    const { config, tools, messages } = request
    for (const [part, problem] of [
      ['settings', request.settings_problem],
      ['messages', request.messages_problem],
    ]) {
      if (problem)
        this.reportProblem(`the ${part} of the request \`${call}\` have a form that is not known, and are not recorded: ${problem}`)
    }
    this.#record(
      'modelCalled',
      {
        call,
        ...(typeof body.model === 'string' ? { model: body.model } : {}),
        config,
        ...(tools.length > 0 ? { tools } : {}),
      },
      { messages: this.#history.idsOf(messages, (message) => this.#appendMessage(message)) },
    )
    let chunks: Chunk[] = []
    /** Records chunks only once all have arrived: a secret may be split across several of them. */
    const recordChunks = (whole: string) => {
      if (this.#secrets.some((secret) => whole.includes(secret))) return
      for (const delta of chunks) this.#record('chunk', { call, delta })
    }
    const answered = (answer: ExchangeAnswer) => {
      recordChunks(jsonText(answer))
      const {
        output,
        tool_calls: calls,
        ...rest
      } = { ...answer, reasoning: answer.reasoning || undefined, refusal: answer.refusal || undefined }
      if (output !== undefined) protocol.storeReferences(body, this.#references, { id: answer.id, output, content: output })
      const toolCalls = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: argumentText(args) }))
      const fields = Object.fromEntries(Object.entries(rest).filter(isSet))
      this.#record('modelResponded', { call, ...fields, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) })
      // The store has the calls as data.
      const data = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: parseJson(args) ?? {} }))
      const message = { role: 'assistant', content: rest.content ?? '', ...(data.length > 0 ? { tool_calls: data } : {}) }
      this.#appendMessage(message, { call })
    }
    const failed = (error: CallFailure) => {
      const whole = chunks
        .map(({ text, reasoning, refusal, tool_call_delta: part }) => text ?? reasoning ?? refusal ?? part?.arguments ?? '')
        .join('')
      recordChunks(whole)
      const isSecret = this.#secrets.some((secret) => whole.includes(secret))
      this.#record('modelFailed', { call, error: isSecret ? error : withChunks(error, chunks.reduce(appendChunk, [])) })
    }
    /** The chunks so far are the answer; an incomplete tool call is left out. */
    const abandoned = (error: CallFailure) => {
      chunks = chunks.filter(({ tool_call_delta: part }) => part === undefined)
      return chunks.length === 0 ? failed(error) : answered({ ...mergeChunks(chunks), finish_reason: error.type })
    }
    let isOver = false
    const once =
      <Result>(work: (result: Result) => void) =>
      (result: Result) => {
        if (isOver) return
        isOver = true
        this.#safely(`the outcome of the request \`${call}\` is not recorded as it was`, () => work(result))
      }
    return {
      read: (operation, data) => this.#readExchange(operation, protocol.format, data),
      reportProblem: (message, help) => this.reportProblem(`the answer of \`${call}\` ${message}`, help),
      chunk: (delta) => chunks.push(delta),
      answered: once(answered),
      failed: once(failed),
      abandoned: once(abandoned),
    }
  }
}
