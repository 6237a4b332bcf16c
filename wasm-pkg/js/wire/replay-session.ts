// The session of one caller with one source: it has a cursor, and knows what the caller was sent.
import type { MockError, MockFailureError, RecordedModelError, TranscriptDivergenceError } from '../api/errors.ts'
import { RequestBodies } from './request-bodies.ts'
import { IssuedReferences, UnknownReference } from './issued-references.ts'
import { responseFromMock, type DetailedResponse, isMock, isTape, type ReplaySource } from '../adapters/answer.ts'
import { chunksOfError } from '../adapters/partial-answer.ts'
import { type ExactTape, REQUEST_EXACTLY, nearestNumbers } from '../api/exact-json.ts'
import type { Fields } from '../api/fields.ts'
import type { StreamEvent, WriteExchange } from '../api/write-exchange.ts'
import type { MockRequest, Tape, TapeRequest } from '../types/index.ts'
import { interruptedAnswer } from './interrupted.ts'
import type { Protocol, RequestBody } from './protocols.ts'

/** An error as clients of a vendor get it. */
export interface AnswerError {
  status: number
  type?: unknown
  message?: unknown
  code?: unknown
  param?: string | undefined
  divergence?: object
}

/** An error answer; `isRetried` is whether a client should retry. */
export interface FailedAnswer {
  status: number
  error: AnswerError
  isRetried: boolean
}

/** What a session answers: a body, the events of a stream, or an error. */
export type SessionAnswer =
  | { status: 200; step: string; body: object; events?: undefined; error?: undefined }
  | { status: 200; step: string; events: StreamEvent[] | undefined; body?: undefined; error?: undefined }
  | FailedAnswer

/** An error answer: its status, the error, and whether a client should retry. */
const failedAnswer = (status: number, error: Omit<AnswerError, 'status'>, isRetried = false): FailedAnswer => ({
  status,
  error: { status, ...error },
  isRetried,
})

/** Whether a client may retry after this status. */
const isRetryable = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

const errorStatus = ({ status = 0 }: { status?: number | undefined }) =>
  Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500

/** The maximum length of a string in an error: clients show it, and a long request would come back twice. */
const MAX_ERROR_LENGTH = 16_384

const truncate = (text: string) => `${text.slice(0, MAX_ERROR_LENGTH)}… (${text.length - MAX_ERROR_LENGTH} more characters)`

/** A value for an error; a value that is too long becomes the beginning of its text. */
const limitLength = (value: unknown) => {
  const text: string | undefined = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text.length <= MAX_ERROR_LENGTH ? value : truncate(text)
}

const divergenceAnswer = (error: TranscriptDivergenceError, source: ReplaySource) => {
  const isOver = error.actual !== undefined && error.expected === undefined && (source as Tape).remainingSteps === 0
  const { step, run, path, hint } = error
  const [expected, actual, nearest] = [error.expected, error.actual, error.nearest].map(limitLength)
  return failedAnswer(400, {
    type: 'invalid_request_error',
    code: isOver ? 'transcript_exhausted' : 'transcript_divergence',
    message: limitLength(error.message),
    param: path,
    divergence: { step, run, path, expected, actual, nearest, hint },
  })
}

/** The content of a recorded error, if it is a map. */
interface ErrorFields {
  type?: unknown
  message?: unknown
  code?: unknown
}

const recordedErrorAnswer = ({ error, status, retried }: RecordedModelError) => {
  const { type = 'api_error', message = typeof error === 'string' ? error : JSON.stringify(error) } = (error ?? {}) as ErrorFields
  return failedAnswer(errorStatus({ status }), { type, message, code: (error as ErrorFields | null)?.code }, retried)
}

const mockErrorAnswer = (error: MockError) => {
  if (error.name !== 'MockFailureError') {
    return failedAnswer(400, { type: 'invalid_request_error', code: 'mock_error', message: error.message })
  }
  const status = errorStatus(error as MockFailureError)
  const { type = 'api_error', message = error.message } = ((error as MockFailureError).error ?? {}) as ErrorFields
  return failedAnswer(status, { type, message }, isRetryable(status))
}

const MOCK_ERRORS: unknown[] = [
  'MockError',
  'MockFailureError',
  'MockExhaustedError',
  'MockNoMatchError',
  'UnknownStateError',
  'ConditionError',
  'MockFunctionError',
  'InvalidResponseError',
]

export class ReplaySession {
  readonly #source: ReplaySource
  readonly #write: WriteExchange
  #references = new IssuedReferences()
  #requestBodies = new RequestBodies()
  #calls = 0
  #error: unknown

  /** `write` encodes responses. */
  constructor(source: ReplaySource, write: WriteExchange) {
    this.#source = source
    this.#write = write
  }

  get source() {
    return this.#source
  }

  /** The error that ended the run, if any: a divergence, or an error of a handler. */
  get lastError() {
    return this.#error
  }

  /** The body of a request; throws where it is no JSON object. */
  read(protocol: Protocol, text: string) {
    return this.#requestBodies.read(text, protocol.messagesKey)
  }

  async #requestSource(request: RequestBody, signal: AbortSignal | undefined) {
    if (!isMock(this.#source)) {
      const tape: ExactTape = this.#source
      const { step, response } = tape[REQUEST_EXACTLY]?.(request as TapeRequest) ?? tape.request(request as TapeRequest)
      return { step, ...response, ...this.#source.recordedResponse?.(step) }
    }
    this.#calls += 1
    const step = String(this.#calls)
    const { stream: _, stream_options: __, ...call } = request
    const response: DetailedResponse = await this.#source.call(nearestNumbers(call) as MockRequest, { signal })
    const { chunks, finish_reason } = response
    return { ...responseFromMock(response, step).response, step, chunks, finish_reason }
  }

  #modelName(requested: unknown) {
    if (typeof requested === 'string') return requested
    const recorded = isMock(this.#source) ? undefined : this.#source.expectedConfig?.model
    return typeof recorded === 'string' ? recorded : 'recorded'
  }

  /**
   * Answers a request of a protocol: `{status: 200, body}`, with `events` instead of the body if the request wants a
   * stream, or `{status, error}`.
   */
  async answer(protocol: Protocol, body: RequestBody, signal?: AbortSignal): Promise<SessionAnswer> {
    let request: RequestBody
    try {
      request = { ...protocol.resolveReferences(body, this.#references), model: this.#modelName(body.model) }
    } catch (error) {
      if (!(error instanceof UnknownReference)) throw error
      return failedAnswer(400, { type: 'invalid_request_error', code: 'unknown_reference', message: error.message, param: error.param })
    }
    let answer: { step: string }
    try {
      // Ollama has the schema of an answer under the key of the format.
      const schema = typeof request.format === 'object' ? { response_schema: request.format } : {}
      answer = await this.#requestSource({ ...schema, ...request, format: protocol.format }, signal)
    } catch (error) {
      if (signal?.aborted) throw error
      const chunks = body.stream === true ? chunksOfError(error) : undefined
      if (chunks === undefined) return this.#errorAnswer(error)
      const { events } = this.#encode(protocol, interruptedAnswer(error as RecordedModelError, chunks), request, true)
      return { status: 200, step: (error as RecordedModelError).step, events }
    }
    const { response, events } = this.#encode(protocol, answer, request, body.stream === true)
    protocol.storeReferences(body, this.#references, response)
    const { step } = answer
    return events === undefined ? { status: 200, step, body: response } : { status: 200, step, events }
  }

  /** The whole `response` of an answer, and for a stream its `events`. */
  #encode({ format, messagesKey }: Protocol, answer: object, request: RequestBody, isStream: boolean) {
    // No answer repeats the messages, which are long.
    const { [messagesKey]: _, ...repeated } = request
    return this.#write(isStream ? 'stream' : 'response', format, { answer, request: repeated })
  }

  #errorAnswer(error: unknown) {
    // The package may be loaded twice, so its errors are known by their names.
    const name = (error as Fields)?.name
    if (name === 'RecordedModelError') return recordedErrorAnswer(error as RecordedModelError)
    if (name === 'MockFailureError') return mockErrorAnswer(error as MockFailureError)
    this.#error ??= error
    if (name === 'TranscriptDivergenceError') return divergenceAnswer(error as TranscriptDivergenceError, this.#source)
    if (MOCK_ERRORS.includes(name)) return mockErrorAnswer(error as MockError)
    const message = error instanceof Error ? error.message : String(error)
    return failedAnswer(400, { type: 'invalid_request_error', code: isTape(this.#source) ? 'unreadable_request' : 'mock_error', message })
  }
}
