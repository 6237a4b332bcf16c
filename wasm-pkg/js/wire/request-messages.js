// Requests as transcripts have them. An agent sends its whole history each time: only what is new of it is read.
import { messageKey } from './message-key.js'

const NOTHING = { items: [], head: [], messages: [], ends: [] }

/** How many items two lists begin with in common. */
const countShared = (items, others) => {
  const length = Math.min(items.length, others.length)
  let at = 0
  while (at < length && items[at] === others[at]) at += 1
  return at
}

/** How many messages are read of the first `count` items. The last one is not counted: it may go on. */
const countWhole = (ends, count) => {
  let whole = ends.length
  while (whole > 0 && ends[whole - 1] > count) whole -= 1
  const end = ends[whole - 1]
  while (whole > 0 && ends[whole - 1] === end) whole -= 1
  return whole
}

export class RequestMessages {
  #readExchange
  /** What was read of each history, by its first item. */
  #histories = new WeakMap()

  constructor(readExchange) {
    this.#readExchange = readExchange
  }

  /** Reads a request: `config`, `tools`, `messages` and the problems. Messages that were sent before are the same objects. */
  read({ format, messagesKey }, request) {
    const list = request[messagesKey]
    const items = Array.isArray(list) ? list : []
    const known = this.#histories.get(items[0]) ?? NOTHING
    const whole = countWhole(known.ends, countShared(items, known.items))
    const start = known.ends[whole - 1] ?? 0
    const found = this.#readExchange('request', format, start === 0 ? request : { ...request, [messagesKey]: items.slice(start) })
    if (found.messages_problem !== null) {
      // Problems are reported with their place in the whole list.
      this.#histories.delete(items[0])
      return start === 0 ? { ...found, messages: [] } : this.read({ format, messagesKey }, request)
    }
    const reuse = (messages, before) =>
      messages.map((message, at) => (before[at] !== undefined && messageKey(before[at]) === messageKey(message) ? before[at] : message))
    const history = {
      items,
      head: reuse(found.head, known.head),
      messages: [...known.messages.slice(0, whole), ...reuse(found.messages, known.messages.slice(whole))],
      ends: [...known.ends.slice(0, whole), ...found.ends.map((end) => end + start)],
    }
    if (typeof items[0] === 'object' && items[0] !== null) this.#histories.set(items[0], history)
    return { ...found, messages: [...history.head, ...history.messages] }
  }
}
