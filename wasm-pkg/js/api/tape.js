// A recording being played: strictly, with one cursor.
import { ask, askData, beginSession } from './core.js'
import { handleOf } from './document.js'
import { RecordedModelError, TranscriptDivergence, TranscriptError } from './errors.js'
import { shortRequest } from './request.js'
import { Sent } from './sent.js'

/** A request and what came of it. What it repeats of the request before it is kept once. */
const callOf = (step, outcome, { keep, added }, before) => ({
  step,
  outcome,
  get messages() {
    const parts = []
    let left = keep + added.length
    for (let at = { keep, added, before }; left > 0 && at !== undefined; at = at.before) {
      if (left > at.keep) parts.push(at.added.slice(0, left - at.keep))
      left = Math.min(left, at.keep)
    }
    return parts.reverse().flat()
  },
})

export class Tape {
  #document
  #file
  #session
  #calls = []
  #diverged
  #last
  #sent
  #settings

  constructor(document, file, { appendOnly, ...settings } = {}) {
    this.#document = document
    this.#file = file
    this.#sent = new Sent(appendOnly)
    this.#settings = settings
    try {
      this.#session = beginSession(handleOf(document), JSON.stringify(settings))
    } catch (error) {
      // Only what is wrong with the recording is told as its fault.
      if (error.name === 'InternalError' || error.message.startsWith('replay() ')) throw error
      throw new TranscriptError(`${file} cannot be replayed: ${error.message}`, document.diagnostics, '')
    }
  }

  get file() {
    return this.#file
  }

  get remainingSteps() {
    return ask(this.#session, 'remaining')
  }

  get leftover() {
    return ask(this.#session, 'leftover')
  }

  get calls() {
    return this.#calls
  }

  get expectedConfig() {
    return this.#document.expectations.config
  }

  get initialContext() {
    return this.#document.expectations.context
  }

  get expectedToolCalls() {
    return this.#document.expectations.toolCalls
  }

  get expectedMessages() {
    return askData(this.#session, 'expected')
  }

  state(step) {
    return this.#document.state(step)
  }

  request(request) {
    const short = shortRequest(request, this.#sent)
    const answer = JSON.parse(ask(this.#session, 'request', short.text))
    const step = answer.step ?? answer.divergence.step
    const before = this.#last
    this.#last = { keep: short.keep, added: short.added, before }
    this.#calls.push(callOf(step, answer.kind, short, before))
    return this.#answered(answer, step)
  }

  rehearse() {
    const answer = askData(this.#session, 'rehearse')
    if (answer === null) return null
    this.#sent.forget()
    return this.#answered(answer, answer.step ?? answer.divergence.step)
  }

  #answered(answer, step) {
    if (answer.kind === 'response') return { step, response: answer.response }
    if (answer.kind === 'error') throw new RecordedModelError(this.#file, answer)
    const divergence = new TranscriptDivergence(this.#file, answer.divergence)
    this.#diverged ??= divergence
    throw divergence
  }

  assertComplete() {
    if (this.#diverged !== undefined) throw this.#diverged
    const leftover = this.leftover
    if (leftover.length === 0 || this.#settings.leftover === 'allow') return
    const one = leftover.length === 1
    const hint = 'the agent stops early: let it run on, or record it again'
    const text = [
      `the run ended before the recording: ${leftover.length} model ${one ? 'call was' : 'calls were'} not asked for`,
      `  next: ${one ? 'step' : 'steps'} ${leftover.join(', ')}`,
      `  hint: ${hint}`,
    ].join('\n')
    const expected = this.expectedMessages
    const rest = { step: leftover[0], path: 'messages', expected, actual: null, nearest: [], hint, text }
    throw new TranscriptDivergence(this.#file, rest)
  }
}
