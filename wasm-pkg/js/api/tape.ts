// A recording being played: strictly, with a cursor for each agent.
import type { SessionHandle } from '#core'
import type {
  AgentTape as PublicAgentTape,
  ReplaySettings,
  Tape as PublicTape,
  ReplayedCall,
  StepState,
  TapeCall,
  TapeRequest,
  TapeResponse,
} from '../types/index.ts'
import type { RequestOutcome } from './answers.ts'
import { invoke, invokeJson, beginSession, checkReplaySettings, writeExchange } from './core.ts'
import { toLenientJson } from './data.ts'
import { type TranscriptDocument, handleOf } from './document.ts'
import { RecordedModelError, TranscriptDivergenceError, TranscriptError } from './errors.ts'
import { disposable } from './disposable.ts'
import { type ExactTape, REQUEST_EXACTLY, nearestNumbers, parseExact } from './exact-json.ts'
import { Lanes, type SentRequest } from './lanes.ts'
import { invalidState, misuse } from './misuse.ts'
import { checkNames, kindOf } from './options.ts'
import { answerDetails } from './answer-details.ts'
import { messagesOf, requestDelta } from './request.ts'
import { withJsonErrors } from './json-errors.ts'
import { addSymbolMethod } from './symbol-method.ts'
import { WRITE_EXCHANGE } from './write-exchange.ts'

/** The most of a message that is shown. */
const MAX_SHOWN = 400

/** What a request had in addition to the requests before it. */
type Sent = Pick<SentRequest, 'keep' | 'added' | 'before'>

/** A request and its outcome, for display. Messages that it shares with the request before are stored once. */
const toCall = ({ step, outcome, keep, added, before }: SentRequest): TapeCall => ({
  step,
  outcome,
  get messages() {
    const parts: (readonly unknown[])[] = []
    let left = keep + added.length
    for (let at: Sent | undefined = { keep, added, before }; left > 0 && at !== undefined; at = at.before) {
      if (left > at.keep) parts.push(at.added.slice(0, left - at.keep))
      left = Math.min(left, at.keep)
    }
    return nearestNumbers(parts.reverse().flat())
  },
})

/** A message in the text of a divergence, truncated if it is long. */
const describeMessage = (message: unknown) => {
  const { text } = JSON.parse(toLenientJson({ text: message }, () => {}))
  const json = JSON.stringify(text) ?? 'nothing'
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json
}

/** The name of the agent among the options of a call. */
const readAgent = (method: string, options: { agent?: string } | undefined) => {
  if (options !== undefined) checkNames(method, options, ['agent'])
  const { agent } = options ?? {}
  if (agent === undefined || typeof agent === 'string') return agent
  throw misuse(`the option \`agent\` of ${method}() is a string, but got ${kindOf(agent)}`)
}

/** Checks that a request is valid. Its messages cannot be read without the name of their format. */
const checkRequest = (request: TapeRequest) => {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw misuse(`request() takes {format, messages}, but got ${kindOf(request)}`)
  }
  if (request.format === undefined) {
    throw misuse('request() takes a request with its `format`, such as `canonical` or `openai-chat`, but this one has none')
  }
}

/** A tape as one agent sees it. */
class AgentTape implements PublicAgentTape {
  readonly #tape: Tape
  readonly #agent: string | undefined

  constructor(tape: Tape, agent: string | undefined) {
    addSymbolMethod(this, WRITE_EXCHANGE, writeExchange)
    addSymbolMethod(this, REQUEST_EXACTLY, (request: TapeRequest) => (tape as ExactTape)[REQUEST_EXACTLY]!(request, { agent }))
    this.#tape = tape
    this.#agent = agent
  }

  get file() {
    return this.#tape.file
  }

  get agent() {
    return this.#agent
  }

  get compare() {
    return this.#tape.compare
  }

  get expectedConfig() {
    return this.#tape.expectedConfig
  }

  request(request: TapeRequest) {
    return this.#tape.request(request, { agent: this.#agent })
  }

  recordedAnswer(step: string | number) {
    return this.#tape.recordedAnswer(step)
  }

  assertComplete() {
    this.#tape.assertComplete()
  }
}

export class Tape implements PublicTape {
  declare readonly [Symbol.dispose]: () => void
  readonly #document: TranscriptDocument
  readonly #file: string
  #session: SessionHandle | undefined
  /** Each request with its outcome; `#calls` has them for display, created on first use. */
  #requests: SentRequest[] = []
  #calls: TapeCall[] | undefined
  #diverged: TranscriptDivergenceError | undefined
  readonly #lanes: Lanes
  readonly #settings: ReplaySettings
  #answerDetails: ReturnType<typeof answerDetails> | undefined
  /** How many calls are recorded. */
  readonly #recordedCalls: number

  constructor(document: TranscriptDocument, file: string, settings: ReplaySettings = {}) {
    disposable(this)
    addSymbolMethod(this, WRITE_EXCHANGE, writeExchange)
    addSymbolMethod(this, REQUEST_EXACTLY, (request: TapeRequest, options?: { agent?: string }) => this.#requestExactly(request, options))
    this.#document = document
    this.#file = file
    this.#settings = settings
    const settingsText = JSON.stringify(settings)
    checkReplaySettings(settingsText)
    try {
      this.#session = beginSession(handleOf(document)!, settingsText)
    } catch (error) {
      // Only problems of the recording become a TranscriptError.
      if ((error as Error).name === 'InternalError') throw error
      throw TranscriptError.create(`${file} cannot be replayed: ${(error as Error).message}`, document.diagnostics, '', { cause: error })
    }
    this.#recordedCalls = invoke(this.#session, 'remaining')
    this.#lanes = new Lanes(!invoke(this.#session, 'hasAgents'))
  }

  #live() {
    if (this.#session === undefined) throw invalidState('this tape has been freed')
    return this.#session
  }

  get file() {
    return this.#file
  }

  get compare() {
    return this.#settings.compare ?? []
  }

  get remainingSteps() {
    return invoke(this.#live(), 'remaining')
  }

  get leftover() {
    return invoke(this.#live(), 'leftover')
  }

  get calls() {
    this.#calls ??= this.#requests.map(toCall)
    return this.#calls
  }

  get expectedConfig() {
    this.#live()
    return this.#document.expectations.config
  }

  get initialContext() {
    this.#live()
    return this.#document.expectations.context
  }

  get expectedToolCalls() {
    this.#live()
    return this.#document.expectations.toolCalls
  }

  get expectedMessages() {
    return invokeJson(this.#live(), 'expected')
  }

  state(step: number | string): StepState {
    this.#live()
    return this.#document.state(step)
  }

  recordedAnswer(step: string | number) {
    this.#answerDetails ??= answerDetails(this.#document)
    return this.#answerDetails.get(String(step)) ?? null
  }

  session(options?: { agent?: string }) {
    return new AgentTape(this, readAgent('session', options))
  }

  request(request: TapeRequest, options?: { agent?: string }): TapeResponse {
    return nearestNumbers(this.#requestExactly(request, options))
  }

  #requestExactly(request: TapeRequest, options?: { agent?: string }): TapeResponse {
    const agent = readAgent('request', options)
    checkRequest(request)
    const session = this.#live()
    // The last recorded call is the last chance to find a message that was changed in place.
    const isLast = this.#requests.length + 1 >= this.#recordedCalls
    let { lane, delta } = this.#prepareRequest(request, agent, isLast)
    let answer = this.#ask(session, delta.text)
    let { keep, added } = delta
    // Before a divergence is reported, the whole history is compared.
    if (answer.kind === 'divergence' && lane.sent.isUnchecked) {
      ;({ lane, delta } = this.#prepareRequest(request, agent, true))
      answer = this.#ask(session, delta.text)
      keep = Math.min(keep, delta.keep)
      added = (messagesOf(request) as unknown[]).slice(keep)
    }
    const step = answer.step ?? answer.divergence.step
    lane.last = { step, outcome: answer.kind, keep, added, before: lane.last }
    lane.step = step
    this.#requests.push(lane.last)
    this.#calls?.push(toCall(lane.last))
    return this.#answerOrThrow(answer, step)
  }

  /** Asks the session. It keeps nothing of a request that it refuses, so that the next one has to be whole. */
  #ask(session: SessionHandle, text: string): RequestOutcome {
    try {
      return parseExact(invoke(session, 'request', text))
    } catch (error) {
      this.#lanes.forget()
      throw error
    }
  }

  #prepareRequest(request: TapeRequest, agent: string | undefined, isFull: boolean) {
    try {
      return withJsonErrors(request, 'the request', () => {
        const lane = this.#lanes.laneFor(agent, messagesOf(request))
        const extra = agent === undefined ? { lane: lane.number } : { lane: lane.number, agent }
        return { lane, delta: requestDelta(request, lane.sent, { isFull, extra }) }
      })
    } catch (error) {
      // Some of its messages may count as sent by now.
      this.#lanes.forget()
      throw error
    }
  }

  replayNext(): ReplayedCall | null {
    const answer = invokeJson(this.#live(), 'rehearse')
    if (answer === null) return null
    this.#lanes.forget()
    // There is no request that would have to fail.
    if (answer.kind === 'error') return { step: answer.step, error: RecordedModelError.create(this.#file, answer) }
    return this.#answerOrThrow(answer, answer.step ?? answer.divergence.step)
  }

  #answerOrThrow(answer: RequestOutcome, step: string): TapeResponse {
    if (answer.kind === 'response') return { step, response: answer.response }
    if (answer.kind === 'error') throw RecordedModelError.create(this.#file, nearestNumbers(answer))
    const divergence = TranscriptDivergenceError.create(this.#file, nearestNumbers(answer.divergence))
    this.#diverged ??= divergence
    throw divergence
  }

  assertComplete() {
    if (this.#diverged !== undefined) throw this.#diverged
    this.#live()
    this.#checkHistoryUnchanged()
    const leftover = this.leftover
    if (leftover.length === 0 || this.#settings.leftover === 'allow') return
    const isOne = leftover.length === 1
    const hint = 'the agent stops early: let it continue, or record the run again'
    const text = [
      `the run ended before the recording: ${leftover.length} model ${isOne ? 'call was' : 'calls were'} not made`,
      `  next: ${isOne ? 'step' : 'steps'} ${leftover.join(', ')}`,
      `  hint: ${hint}`,
    ].join('\n')
    const expected = this.expectedMessages
    const run = invoke(this.#live(), 'leftoverRun')
    const rest = { step: leftover[0]!, run, path: 'messages', expected: expected ?? undefined, nearest: [], hint, text }
    throw TranscriptDivergenceError.create(this.#file, rest)
  }

  /** Checks the messages of a long history that its last request took as unchanged, in one pass. */
  #checkHistoryUnchanged() {
    const found = this.#lanes.findChange()
    if (found === undefined) return
    const {
      at,
      expected,
      actual,
      lane: { step },
    } = found
    const path = `messages[${at}]`
    const hint = 'the history was changed in its place after it had been sent: put a new message there, or keep it as it was'
    const text = [
      `step ${step}: a message that was sent before says something else now`,
      `  at ${path}`,
      `  expected: ${describeMessage(expected)}`,
      `  actual:   ${describeMessage(actual)}`,
      `  hint: ${hint}`,
    ].join('\n')
    // A lane has no change before it has sent a request, which has a step.
    this.#diverged = TranscriptDivergenceError.create(this.#file, { step: step!, path, expected, actual, nearest: [], hint, text })
    throw this.#diverged
  }

  free() {
    this.#session?.free()
    this.#session = undefined
    this.#document.free()
  }
}
