// What the models of a recording were sent before, by run, so that a fact of a call contains only what is new.
import { MESSAGE_KEYS, messagesOf } from './request.ts'
import { SentMessages } from './sent-messages.js'

/** The fewest messages that a fact leaves out; the core leaves out no fewer. */
const MIN_OMITTED = 32

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The lists of one run: messages by id, and messages in requests. The core keeps both apart. */
class SentRun {
  messages = new SentMessages()
  requests = new SentMessages()
  /** The last recorded call with `messages`. */
  call = undefined
  /** The last recorded call in either form. */
  last = undefined
}

export class RequestDeltas {
  #runs = new Map()
  /** What was found of runs that have ended. */
  #ended = []

  /** The fact without what the core knows; the fact itself where there is nothing to leave out. */
  shorten(fact) {
    if (fact.fact !== 'model_called') return fact
    // A host that leaves out messages itself specifies them.
    if (fact.after !== undefined) {
      this.forget(fact)
      return fact
    }
    const run = this.#runs.get(fact.run) ?? new SentRun()
    this.#runs.set(fact.run, run)
    try {
      if (fact.messages !== undefined) return this.#shortenMessages(fact, run)
      return isMap(fact.request) ? this.#shortenRequest(fact, run) : fact
    } catch {
      // Values that JSON cannot represent are reported when the fact is sent.
      this.forget(fact)
      return fact
    }
  }

  #shortenMessages(fact, run) {
    if (!Array.isArray(fact.messages)) return fact
    const { keep } = run.messages.update(undefined, fact.messages)
    const { call } = run
    run.call = undefined
    if (call === undefined || keep < MIN_OMITTED) return fact
    return { ...fact, after: { call, messages: keep }, messages: fact.messages.slice(keep) }
  }

  #shortenRequest(fact, run) {
    const { request } = fact
    const messages = messagesOf(request)
    if (!Array.isArray(messages) || request.keep !== undefined) return fact
    const { keep } = run.requests.update(request.format, messages)
    return { ...fact, request: { ...request, keep, [MESSAGE_KEYS[request.format] ?? 'messages']: messages.slice(keep) } }
  }

  /** Everything in the run of a fact counts as new again. */
  forget(fact) {
    this.#runs.delete(fact.run)
  }

  /** The messages that were changed after they were recorded: of each list the first, with its run and its last call. */
  findChanges() {
    return [...this.#ended, ...[...this.#runs].flatMap(([name, run]) => this.#changesIn(name, run))]
  }

  #changesIn(name, { messages, requests, last }) {
    const found = [messages.findChange(), requests.findChange()].filter((one) => one !== undefined)
    return found.map(({ at }) => ({ run: name, call: last, at }))
  }

  /** Notes whether the core took a fact. */
  noteTaken(fact, isTaken) {
    const run = this.#runs.get(fact.run)
    if (run !== undefined && fact.fact === 'model_called' && isTaken) run.last = fact.call
    if (run !== undefined && fact.fact === 'agent_left') this.#ended.push(...this.#changesIn(fact.run, run))
    if (fact.fact === 'agent_left' || (fact.fact === 'model_called' && !isTaken)) this.forget(fact)
    else if (fact.fact === 'model_called' && fact.messages !== undefined && this.#runs.has(fact.run))
      this.#runs.get(fact.run).call = fact.call
  }
}
