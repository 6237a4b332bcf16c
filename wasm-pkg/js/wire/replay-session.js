// The session of one caller with one source: it has a cursor, and knows what the caller was sent.
import { RequestBodies } from './request-bodies.js'
import { IssuedReferences, UnknownReference } from './issued-references.js'
import { answerFromReply, isMock, isTape } from '../adapters/answer.js'
import { chunksOfError } from '../adapters/partial-answer.js'
import { interruptedAnswer } from './interrupted.js'

/** An error answer: its status, the error, and whether a client should retry. */
const failedAnswer = (status, error, isRetried = false) => ({ status, error: { status, ...error }, isRetried })

/** Whether a client may retry after this status. */
const isRetryable = (status) => status === 408 || status === 409 || status === 429 || status >= 500

const errorStatus = ({ status }) => (Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500)

/** The maximum length of a text in an error: clients show it, and a long request would come back twice. */
const MAX_ERROR_LENGTH = 16_384

const truncate = (text) => `${text.slice(0, MAX_ERROR_LENGTH)}… (${text.length - MAX_ERROR_LENGTH} more characters)`

/** A value for an error; a value that is too long becomes the beginning of its text. */
const limitLength = (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text.length <= MAX_ERROR_LENGTH ? value : truncate(text)
}

const divergenceAnswer = (error, source) => {
  const isOver = error.actual !== undefined && error.expected === undefined && source.remainingSteps === 0
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

const recordedErrorAnswer = ({ error, status, retried }) => {
  const { type = 'api_error', message = typeof error === 'string' ? error : JSON.stringify(error) } = error ?? {}
  return failedAnswer(errorStatus({ status }), { type, message, code: error?.code }, retried)
}

const mockErrorAnswer = (error) => {
  if (error.name !== 'MockFailure') {
    return failedAnswer(400, { type: 'invalid_request_error', code: 'mock_error', message: error.message })
  }
  const status = errorStatus(error)
  const { type = 'api_error', message = error.message } = error.error ?? {}
  return failedAnswer(status, { type, message }, isRetryable(status))
}

const MOCK_ERRORS = [
  'MockError',
  'MockFailure',
  'MockExhaustedError',
  'MockNoMatchError',
  'UnknownStateError',
  'ConditionError',
  'MockFunctionError',
  'InvalidReplyError',
]

export class ReplaySession {
  #source
  #write
  #references = new IssuedReferences()
  #requestBodies = new RequestBodies()
  #calls = 0
  #error

  /** `write` encodes responses. */
  constructor(source, write) {
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
  read(protocol, text) {
    return this.#requestBodies.read(text, protocol.messagesKey)
  }

  async #requestSource(request, signal) {
    if (!isMock(this.#source)) {
      const { step, response } = this.#source.request(request)
      return { step, ...response, ...this.#source.recordedAnswer?.(step) }
    }
    this.#calls += 1
    const step = String(this.#calls)
    const { stream: _, stream_options: __, ...call } = request
    const reply = await this.#source.call(call, { signal })
    const { chunks, finish_reason } = reply
    return { ...answerFromReply(reply, step).response, step, chunks, finish_reason }
  }

  #modelName(requested) {
    if (typeof requested === 'string') return requested
    const recorded = isMock(this.#source) ? undefined : this.#source.expectedConfig?.model
    return typeof recorded === 'string' ? recorded : 'recorded'
  }

  /**
   * Answers a request of a protocol: `{status: 200, body}`, with `events` instead of the body if the request wants a
   * stream, or `{status, error}`.
   */
  async answer(protocol, body, signal) {
    let request
    try {
      request = { ...protocol.resolveReferences(body, this.#references), model: this.#modelName(body.model) }
    } catch (error) {
      if (!(error instanceof UnknownReference)) throw error
      return failedAnswer(400, { type: 'invalid_request_error', code: 'unknown_reference', message: error.message, param: error.param })
    }
    let answer
    try {
      answer = await this.#requestSource({ ...request, format: protocol.format }, signal)
    } catch (error) {
      if (signal?.aborted) throw error
      const chunks = body.stream === true ? chunksOfError(error) : undefined
      if (chunks === undefined) return this.#errorAnswer(error)
      const { events } = this.#encode(protocol, interruptedAnswer(error, chunks), request, true)
      return { status: 200, step: error.step, events }
    }
    const { response, events } = this.#encode(protocol, answer, request, body.stream === true)
    protocol.storeReferences(body, this.#references, response)
    const { step } = answer
    return events === undefined ? { status: 200, step, body: response } : { status: 200, step, events }
  }

  /** The whole `response` of an answer, and for a stream its `events`. */
  #encode({ format, messagesKey }, answer, request, isStream) {
    // No answer repeats the messages, which are long.
    const { [messagesKey]: _, ...repeated } = request
    return this.#write(isStream ? 'stream' : 'response', format, { answer, request: repeated })
  }

  #errorAnswer(error) {
    if (error?.name === 'RecordedModelError') return recordedErrorAnswer(error)
    if (error?.name === 'MockFailure') return mockErrorAnswer(error)
    this.#error ??= error
    if (error?.name === 'TranscriptDivergence') return divergenceAnswer(error, this.#source)
    if (MOCK_ERRORS.includes(error?.name)) return mockErrorAnswer(error)
    const message = error instanceof Error ? error.message : String(error)
    return failedAnswer(400, { type: 'invalid_request_error', code: isTape(this.#source) ? 'unreadable_request' : 'mock_error', message })
  }
}
