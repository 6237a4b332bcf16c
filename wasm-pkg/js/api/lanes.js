// What each agent of a recording sent before, so that one that speaks in between makes no other repeat itself.
import { sayable } from './request.js'
import { Sent } from './sent.js'

/** The most agents whose last requests are kept. */
const MOST = 32
/** How many messages tell the requests of one agent from those of another. */
const HEAD = 2

export class Lanes {
  #lanes = new Map()
  #texts = new WeakMap()
  #make
  #isOne

  /** `isOne` says that the recording has one agent only, whose requests need not be told apart. */
  constructor(isOne, appendOnly) {
    this.#isOne = isOne
    this.#make = (number) => ({ number, sent: new Sent(appendOnly), last: undefined })
  }

  /** The lane in which a request goes on, its messages being these. Which one is found is a matter of cost alone. */
  of(agent, messages) {
    const head = this.#isOne || !Array.isArray(messages) ? [] : messages.slice(0, HEAD)
    const key = JSON.stringify([this.#isOne ? null : agent, head.map((message) => this.#text(message))])
    const lane = this.#lanes.get(key) ?? this.#make(this.#free())
    // The lanes are in the order of their last use.
    this.#lanes.delete(key)
    this.#lanes.set(key, lane)
    return lane
  }

  /** Everything counts as new again. */
  forget() {
    for (const { sent } of this.#lanes.values()) sent.forget()
  }

  #free() {
    if (this.#lanes.size < MOST) return this.#lanes.size
    const [[key, { number }]] = this.#lanes
    this.#lanes.delete(key)
    return number
  }

  #text(message) {
    if (typeof message !== 'object' || message === null) return String(message)
    let text = this.#texts.get(message)
    if (text === undefined) {
      text = JSON.stringify(message, sayable) ?? 'null'
      this.#texts.set(message, text)
    }
    return text
  }
}
