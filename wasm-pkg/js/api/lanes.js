// What each agent of a recording sent before, so that one that speaks in between makes no other repeat itself.
import { canonicalOf } from './core.js'
import { MESSAGE_KEYS, jsonText, requestJson } from './request.js'
import { SentMessages } from './sent-messages.js'

/** The most agents whose last requests are kept. */
const MAX_LANES = 32
/** How many messages tell the requests of one agent from those of another. */
const HEAD_MESSAGES = 2

/** Whether two messages are the same to the core, which does not read all that frameworks note in theirs. */
const isEquivalent = (format, ...messages) => {
  try {
    const [one, other] = messages.map((message) => canonicalOf(requestJson({ format, [MESSAGE_KEYS[format] ?? 'messages']: [message] })))
    return JSON.stringify(one) === JSON.stringify(other)
  } catch {
    return false
  }
}

export class Lanes {
  #lanes = new Map()
  #texts = new WeakMap()
  #createLane
  #isSingleAgent
  /** What was found changed in the first lane that was let go with something. */
  #lostChange

  /** `isOne` says that the recording has one agent only, whose requests need not be told apart. */
  constructor(isSingleAgent, appendOnly) {
    this.#isSingleAgent = isSingleAgent
    this.#createLane = (number) => ({ number, sent: new SentMessages(appendOnly), last: undefined })
  }

  /** The lane in which a request goes on, its messages being these. Which one is found is a matter of cost alone. */
  laneFor(agent, messages) {
    const head = this.#isSingleAgent || !Array.isArray(messages) ? [] : messages.slice(0, HEAD_MESSAGES)
    const key = JSON.stringify([this.#isSingleAgent ? null : agent, head.map((message) => this.#text(message))])
    const lane = this.#lanes.get(key) ?? this.#createLane(this.#freeNumber())
    // The lanes are in the order of their last use.
    this.#lanes.delete(key)
    this.#lanes.set(key, lane)
    return lane
  }

  /** A lane with a message that was changed after it was sent, unseen, and what it said and says; undefined if there is none. */
  findChange() {
    for (const lane of this.#lanes.values()) {
      const found = lane.sent.findChange(isEquivalent)
      if (found !== undefined) return { lane, ...found }
    }
    return this.#lostChange
  }

  /** Everything counts as new again. */
  forget() {
    for (const { sent } of this.#lanes.values()) sent.forget()
  }

  #freeNumber() {
    if (this.#lanes.size < MAX_LANES) return this.#lanes.size
    const [[key, lane]] = this.#lanes
    this.#lanes.delete(key)
    const found = lane.sent.findChange(isEquivalent)
    if (found !== undefined) this.#lostChange ??= { lane, ...found }
    return lane.number
  }

  #text(message) {
    if (typeof message !== 'object' || message === null) return String(message)
    let text = this.#texts.get(message)
    if (text === undefined) {
      text = jsonText(message) ?? 'null'
      this.#texts.set(message, text)
    }
    return text
  }
}
