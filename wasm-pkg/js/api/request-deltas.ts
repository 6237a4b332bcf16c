// What the models of a recording were sent before, by run, so that a fact of a call contains only what is new.
import type { Fact } from '../types/index.ts'
import { MESSAGE_KEYS, type ModelRequest, messagesOf } from './request.ts'
import { SentMessages } from './sent-messages.ts'

/** The fewest messages that a fact leaves out; the core leaves out no fewer. */
const MIN_OMITTED = 32

const isMap = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The lists of one run: messages by id, and messages in requests. The core keeps both apart. */
class SentRun {
  messages = new SentMessages()
  requests = new SentMessages()
  /** The last recorded call with `messages`. */
  call: unknown = undefined
  /** The last recorded call in either form. */
  last: unknown = undefined
}

/** A message that was changed after it was recorded, in the last request of the call `call`. */
export interface ChangedMessage {
  run: string | undefined
  call: unknown
  at: number
}

export class RequestDeltas {
  #runs = new Map<string | undefined, SentRun>()
  /** What was found of runs that have ended. */
  #ended: ChangedMessage[] = []

  /** The fact without what the core knows; the fact itself where there is nothing to leave out. */
  shorten(fact: Fact): Fact {
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

  #shortenMessages(fact: Fact, run: SentRun): Fact {
    if (!Array.isArray(fact.messages)) return fact
    const { keep } = run.messages.update(undefined, fact.messages)
    const { call } = run
    run.call = undefined
    if (call === undefined || keep < MIN_OMITTED) return fact
    return { ...fact, after: { call, messages: keep }, messages: fact.messages.slice(keep) }
  }

  #shortenRequest(fact: Fact, run: SentRun): Fact {
    const request = fact.request as ModelRequest
    const messages = messagesOf(request)
    if (!Array.isArray(messages) || request.keep !== undefined) return fact
    const { keep } = run.requests.update(request.format, messages)
    return { ...fact, request: { ...request, keep, [MESSAGE_KEYS[request.format as string] ?? 'messages']: messages.slice(keep) } }
  }

  /** Everything in the run of a fact counts as new again. */
  forget(fact: Fact) {
    this.#runs.delete(fact.run)
  }

  /** The messages that were changed after they were recorded: of each list the first, with its run and its last call. */
  findChanges() {
    return [...this.#ended, ...[...this.#runs].flatMap(([name, run]) => this.#changesIn(name, run))]
  }

  #changesIn(name: string | undefined, { messages, requests, last }: SentRun): ChangedMessage[] {
    const found = [messages.findChange(), requests.findChange()].filter((one) => one !== undefined)
    return found.map(({ at }) => ({ run: name, call: last, at }))
  }

  /** Notes whether the core took a fact. */
  noteTaken(fact: Fact, isTaken: boolean) {
    const run = this.#runs.get(fact.run)
    if (run !== undefined && fact.fact === 'model_called' && isTaken) run.last = fact.call
    if (run !== undefined && fact.fact === 'agent_left') this.#ended.push(...this.#changesIn(fact.run, run))
    if (fact.fact === 'agent_left' || (fact.fact === 'model_called' && !isTaken)) this.forget(fact)
    else if (fact.fact === 'model_called' && fact.messages !== undefined && this.#runs.has(fact.run))
      this.#runs.get(fact.run)!.call = fact.call
  }
}
