// A recording being played: strict, one cursor, in the order of the recording.
import { ask, askData, beginSession } from './core.js'
import { handleOf } from './document.js'
import { RecordedModelError, TranscriptDivergence, TranscriptError } from './errors.js'
import { requestJson } from './request.js'

export class Tape {
  #document
  #file
  #session
  #calls = []
  #diverged

  constructor(document, file) {
    this.#document = document
    this.#file = file
    try {
      this.#session = beginSession(handleOf(document))
    } catch (error) {
      if (error.name === 'InternalError') throw error
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
    const answer = JSON.parse(ask(this.#session, 'request', requestJson(request)))
    const step = answer.step ?? answer.divergence.step
    this.#calls.push({ step, outcome: answer.kind, messages: request.messages })
    if (answer.kind === 'response') return { step, response: answer.response }
    if (answer.kind === 'error') throw new RecordedModelError(this.#file, answer)
    const divergence = new TranscriptDivergence(this.#file, answer.divergence)
    this.#diverged ??= divergence
    throw divergence
  }

  assertComplete() {
    if (this.#diverged !== undefined) throw this.#diverged
    const leftover = this.leftover
    if (leftover.length === 0) return
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
