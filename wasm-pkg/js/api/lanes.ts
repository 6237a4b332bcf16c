// What each agent of a recording sent before. Agents that take turns do not make each other repeat their history.
import { canonicalOf } from './core.ts'
import { MESSAGE_KEYS, jsonText, requestJson } from './request.ts'
import { type IsEquivalent, type MessageChange, SentMessages } from './sent-messages.ts'

/** The maximum number of agents with a remembered last request. */
const MAX_LANES = 32
/** How many leading messages distinguish the requests of one agent from those of another. */
const HEAD_MESSAGES = 2

/** Whether two messages are the same to the core, which does not read everything that frameworks put into them. */
const isEquivalent: IsEquivalent = (format, ...messages) => {
  try {
    const [one, other] = messages.map((message) =>
      canonicalOf(requestJson({ format, [MESSAGE_KEYS[format as string] ?? 'messages']: [message] })),
    )
    return JSON.stringify(one) === JSON.stringify(other)
  } catch {
    return false
  }
}

/** A request and its outcome. Messages that it shares with the request before are stored once. */
export interface SentRequest {
  step: string
  outcome: 'response' | 'error' | 'divergence'
  keep: number
  added: readonly unknown[]
  before: SentRequest | undefined
}

/** What one agent sent. */
export interface Lane {
  number: number
  sent: SentMessages
  last: SentRequest | undefined
  /** The step of the last request. */
  step?: string
}

/** A message that was changed after its lane had sent it. */
export interface LaneChange extends MessageChange {
  lane: Lane
}

export class Lanes {
  #lanes = new Map<string, Lane>()
  #texts = new WeakMap<object, string>()
  readonly #createLane: (number: number) => Lane
  readonly #isSingleAgent: boolean
  /** The change that was found in the first lane that was dropped with one. */
  #lostChange: LaneChange | undefined

  /** `isSingleAgent`: the recording has only one agent, so requests need no lanes. */
  constructor(isSingleAgent: boolean) {
    this.#isSingleAgent = isSingleAgent
    this.#createLane = (number) => ({ number, sent: new SentMessages(), last: undefined })
  }

  /** The lane that a request with these messages continues. The choice affects only the cost. */
  laneFor(agent: string | undefined, messages: unknown) {
    const head = this.#isSingleAgent || !Array.isArray(messages) ? [] : messages.slice(0, HEAD_MESSAGES)
    const key = JSON.stringify([this.#isSingleAgent ? null : agent, head.map((message) => this.#text(message))])
    const lane = this.#lanes.get(key) ?? this.#createLane(this.#freeNumber())
    // The lanes are in the order of their last use.
    this.#lanes.delete(key)
    this.#lanes.set(key, lane)
    return lane
  }

  /** A lane with a message that was changed after it was sent, with the message before and after; undefined if there is none. */
  findChange(): LaneChange | undefined {
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

  #freeNumber(): number {
    if (this.#lanes.size < MAX_LANES) return this.#lanes.size
    const [oldest] = this.#lanes
    const [key, lane] = oldest!
    this.#lanes.delete(key)
    const found = lane.sent.findChange(isEquivalent)
    if (found !== undefined) this.#lostChange ??= { lane, ...found }
    return lane.number
  }

  #text(message: unknown) {
    if (typeof message !== 'object' || message === null) return String(message)
    let text = this.#texts.get(message)
    if (text === undefined) {
      text = jsonText(message) ?? 'null'
      this.#texts.set(message, text)
    }
    return text
  }
}
