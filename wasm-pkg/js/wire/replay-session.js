// One caller of one source: it has a cursor, and remembers what it was sent.
import { Bodies } from './request-bodies.js'
import { Memory, UnknownReference } from './issued-references.js'
import { answerOf, isMock, isTape } from '../adapters/answer.js'
import { heardOf } from '../adapters/partial-answer.js'
import { brokenAnswer } from './interrupted.js'

/** A failed answer: its status, what it says, and whether a client shall ask again. */
const failed = (status, error, isRetried = false) => ({ status, error: { status, ...error }, isRetried })

/** Whether a server that answers so may be asked again. */
const isPassing = (status) => status === 408 || status === 409 || status === 429 || status >= 500

const statusOf = ({ status }) => (Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500)

/** The most characters of a text in an error: a client shows it, and a long request would come back twice. */
const MOST_TOLD = 16_384

const shortened = (text) => `${text.slice(0, MOST_TOLD)}… (${text.length - MOST_TOLD} more characters)`

/** A value as it is told; what is too long is the begin of its text. */
const bounded = (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text.length <= MOST_TOLD ? value : shortened(text)
}

const ofDivergence = (error, source) => {
  const isOver = error.actual !== undefined && error.expected === undefined && source.remainingSteps === 0
  const { step, run, path, hint } = error
  const [expected, actual, nearest] = [error.expected, error.actual, error.nearest].map(bounded)
  return failed(400, {
    type: 'invalid_request_error',
    code: isOver ? 'transcript_exhausted' : 'transcript_divergence',
    message: bounded(error.message),
    param: path,
    divergence: { step, run, path, expected, actual, nearest, hint },
  })
}

const ofRecorded = ({ error, status, retried }) => {
  const { type = 'api_error', message = typeof error === 'string' ? error : JSON.stringify(error) } = error ?? {}
  return failed(statusOf({ status }), { type, message, code: error?.code }, retried)
}

const ofMock = (error) => {
  if (error.name !== 'MockFailure') {
    return failed(400, { type: 'invalid_request_error', code: 'mock_error', message: error.message })
  }
  const status = statusOf(error)
  const { type = 'api_error', message = error.message } = error.error ?? {}
  return failed(status, { type, message }, isPassing(status))
}

const MOCK_ERRORS = [
  'MockError', 'MockFailure', 'MockExhaustedError', 'MockNoMatchError', 'UnknownStateError', 'ConditionError',
  'MockFunctionError', 'InvalidReplyError',
]

export class Room {
  #source
  #memory = new Memory()
  #bodies = new Bodies()
  #calls = 0
  #error

  constructor(source) {
    this.#source = source
  }

  get source() {
    return this.#source
  }

  /** What the run failed by, if it did: a divergence, or an error of a handler. */
  get lastError() {
    return this.#error
  }

  /** The body of a request; throws where it is no JSON object. */
  read(protocol, text) {
    return this.#bodies.read(text, protocol.list)
  }

  async #played(request, signal) {
    if (!isMock(this.#source)) {
      const { step, response } = this.#source.request(request)
      return { step, ...response, ...this.#source.recordedAnswer?.(step) }
    }
    this.#calls += 1
    const step = String(this.#calls)
    const { stream: _, stream_options: __, ...asked } = request
    const reply = await this.#source.call(asked, { signal })
    const { chunks, finish_reason } = reply
    return { ...answerOf(reply, step).response, step, chunks, finish_reason }
  }

  #model(given) {
    if (typeof given === 'string') return given
    const recorded = isMock(this.#source) ? undefined : this.#source.expectedConfig?.model
    return typeof recorded === 'string' ? recorded : 'recorded'
  }

  /**
   * Answers a request of a protocol: `{status: 200, body}`, with `events` instead of the body where a stream is asked
   * for, or `{status, error}`.
   */
  async answer(protocol, body, signal) {
    let request
    try {
      request = { ...protocol.unfold(body, this.#memory), model: this.#model(body.model) }
    } catch (error) {
      if (!(error instanceof UnknownReference)) throw error
      return failed(400, { type: 'invalid_request_error', code: 'unknown_reference', message: error.message, param: error.param })
    }
    let answer
    try {
      answer = await this.#played({ ...request, format: protocol.format }, signal)
    } catch (error) {
      if (signal?.aborted) throw error
      const heard = body.stream === true ? heardOf(error) : undefined
      if (heard === undefined) return this.#failed(error)
      return { status: 200, step: error.step, events: protocol.events(brokenAnswer(error, heard), request) }
    }
    const whole = protocol.body(answer, request)
    protocol.keep(body, this.#memory, whole)
    const { step } = answer
    return body.stream === true ? { status: 200, step, events: protocol.events(answer, request) } : { status: 200, step, body: whole }
  }

  #failed(error) {
    if (error?.name === 'RecordedModelError') return ofRecorded(error)
    if (error?.name === 'MockFailure') return ofMock(error)
    this.#error ??= error
    if (error?.name === 'TranscriptDivergence') return ofDivergence(error, this.#source)
    if (MOCK_ERRORS.includes(error?.name)) return ofMock(error)
    const message = error instanceof Error ? error.message : String(error)
    return failed(400, { type: 'invalid_request_error', code: isTape(this.#source) ? 'unreadable_request' : 'mock_error', message })
  }
}
