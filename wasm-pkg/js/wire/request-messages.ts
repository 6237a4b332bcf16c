// Requests as transcripts have them. An agent sends its whole history each time: only what is new of it is read.
import { messageKey } from '../adapters/message-key.ts'
import type { Fields } from '../api/fields.ts'
import type { ReadExchange, RecordedMessage, RecordedRequest } from '../api/read-exchange.ts'
import type { Item } from './issued-references.ts'
import type { Protocol, RequestBody } from './protocols.ts'

/** What was read of a list of items: `ends` has the number of items up to the end of each message. */
interface History {
  items: readonly Item[]
  head: readonly RecordedMessage[]
  messages: readonly RecordedMessage[]
  ends: readonly number[]
}

const NOTHING: History = { items: [], head: [], messages: [], ends: [] }

/** How many items two lists begin with in common. */
const countShared = (items: readonly Item[], others: readonly Item[]) => {
  const length = Math.min(items.length, others.length)
  let at = 0
  while (at < length && items[at] === others[at]) at += 1
  return at
}

/** How many messages are read of the first `count` items, without those of the last `again` items, which are read once more. */
const countWhole = (ends: readonly number[], count: number, again: number) => {
  let whole = ends.length
  while (whole > 0 && ends[whole - 1]! > count) whole -= 1
  for (let item = 0; item < again; item += 1) {
    const end = ends[whole - 1]
    while (whole > 0 && ends[whole - 1] === end) whole -= 1
  }
  return whole
}

/**
 * How many of the first `count` items are read once more. The last item may go on, and a result may name no call: it is found
 * in the items before.
 */
const countOpen = (items: readonly Item[], count: number) => {
  let open = 1
  while (open < count && (items[count - open] as Fields)?.role === 'tool') open += 1
  return open
}

export class RequestMessages {
  readonly #readExchange: ReadExchange
  /** What was read of each history, by its first item. */
  #histories = new WeakMap<Item, History>()

  constructor(readExchange: ReadExchange) {
    this.#readExchange = readExchange
  }

  /** Reads a request: `config`, `tools`, `messages` and the problems. Messages that were sent before are the same objects. */
  read({ format, messagesKey }: Pick<Protocol, 'format' | 'messagesKey'>, request: RequestBody): RecordedRequest {
    const list = request[messagesKey]
    const items: Item[] = Array.isArray(list) ? list : []
    // An empty list has no first item, and so no history.
    const first = items[0] as Item
    const known = this.#histories.get(first) ?? NOTHING
    const shared = countShared(items, known.items)
    const whole = countWhole(known.ends, shared, messagesKey === 'contents' ? 2 : countOpen(items, shared))
    const start = known.ends[whole - 1] ?? 0
    const found = this.#readExchange('request', format, start === 0 ? request : { ...request, [messagesKey]: items.slice(start) })
    if (found.messages_problem !== null) {
      // Problems are reported with their place in the whole list.
      this.#histories.delete(first)
      return start === 0 ? { ...found, messages: [] } : this.read({ format, messagesKey }, request)
    }
    const reuse = (messages: readonly RecordedMessage[], before: readonly RecordedMessage[]) =>
      messages.map((message, at) => (before[at] !== undefined && messageKey(before[at]) === messageKey(message) ? before[at] : message))
    const history = {
      items,
      head: reuse(found.head, known.head),
      messages: [...known.messages.slice(0, whole), ...reuse(found.messages, known.messages.slice(whole))],
      ends: [...known.ends.slice(0, whole), ...found.ends.map((end) => end + start)],
    }
    if (typeof first === 'object' && first !== null) this.#histories.set(first, history)
    return { ...found, messages: [...history.head, ...history.messages] }
  }
}
