// Which messages of a request are new. An agent sends its history with each request, often shortened.
import { type KeyedMessage, messageKey } from './message-key.ts'

/** A message of the history. Places count from 0. */
interface HistoryMessage {
  id: string
  place: number
}

/** A request as far as it was read. */
interface ReadRequest {
  messages: readonly KeyedMessage[]
  ids: string[]
  /** The place of the newest assistant message in it. */
  newestAnswer: number
  /** Whether it begins with an answer; `undefined` until its first message other than instructions. */
  isShortened: boolean | undefined
  /** For each key, how many of its messages in the history come before the next one of the request. */
  passed: Map<string, number>
}

/** How many messages, which are in the order of their places, come before a place. */
const countBefore = (messages: readonly HistoryMessage[], place: number) => {
  let [low, high] = [0, messages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (messages[middle]!.place < place) low = middle + 1
    else high = middle
  }
  return low
}

const emptyRequest = (): ReadRequest => ({ messages: [], ids: [], newestAnswer: -1, isShortened: undefined, passed: new Map() })

const isInstruction = ({ role }: KeyedMessage) => role === 'system' || role === 'developer'
const isAnswer = ({ role }: KeyedMessage) => role === 'assistant'

/** Whether two messages have the same text and calls. This is cheaper than comparing their keys, and most messages are identical. */
const isIdentical = (message: KeyedMessage, other: KeyedMessage) => {
  const { tool_calls: calls = [] } = message
  const { tool_calls: otherCalls = [] } = other
  return (
    message.role === other.role &&
    message.content === other.content &&
    message.tool_call_id === other.tool_call_id &&
    calls.length === otherCalls.length &&
    calls.every(({ id, name, arguments: args }, at) => {
      const { id: otherId, name: otherName, arguments: otherArgs } = otherCalls[at]!
      return id === otherId && name === otherName && args === otherArgs
    })
  )
}

const isSame = (message: KeyedMessage, other: KeyedMessage) =>
  message === other || isIdentical(message, other) || messageKey(message) === messageKey(other)

/**
 * The messages of a run that were recorded or seen. A message of a request is known if the same message came after the newest
 * assistant message that precedes it in the request; otherwise it is new. Instructions and assistant messages are known wherever they
 * came.
 */
export class MessageHistory {
  #messages = new Map<string, HistoryMessage[]>()
  #size = 0
  /** The previous request, which most requests continue. */
  #last = emptyRequest()

  add(message: KeyedMessage, id: string) {
    const key = messageKey(message)
    if (!this.#messages.has(key)) this.#messages.set(key, [])
    this.#messages.get(key)!.push({ id, place: this.#size })
    this.#size += 1
  }

  /** The ids of the messages of a request. `record` adds a new message to the history and returns its id. */
  idsOf<Message extends KeyedMessage>(messages: readonly Message[], record: (message: Message) => string): string[] {
    const { messages: before } = this.#last
    const isContinuation = before.length <= messages.length && before.every((message, at) => isSame(message, messages[at]!))
    const request = isContinuation ? this.#last : emptyRequest()
    // If this throws, the next request does not continue this one.
    this.#last = emptyRequest()
    for (const message of messages.slice(request.ids.length)) {
      const found = this.#find(message, request)
      const id = found?.id ?? record(message)
      if (isAnswer(message)) request.newestAnswer = Math.max(request.newestAnswer, found?.place ?? this.#size - 1)
      request.isShortened ??= isInstruction(message) ? undefined : isAnswer(message)
      request.ids.push(id)
    }
    if (!isContinuation) this.#resolveFromEnd(messages, request.ids)
    this.#last = { ...request, messages }
    return [...request.ids]
  }

  /** Sets the ids of messages that were recorded several times: those of the end, since a shortened history lacks its beginning. */
  #resolveFromEnd(messages: readonly KeyedMessage[], ids: string[]) {
    let end = this.#size
    for (let at = messages.length - 1; at >= 0; at -= 1) {
      const all = this.#messages.get(messageKey(messages[at]!)) ?? []
      const found = all[countBefore(all, end) - 1] ?? all.at(-1)
      if (found === undefined) continue
      ids[at] = found.id
      end = found.place
    }
  }

  #find(message: KeyedMessage, { newestAnswer, passed, isShortened }: ReadRequest) {
    const key = messageKey(message)
    const all = this.#messages.get(key) ?? []
    let nth = passed.get(key) ?? 0
    // A request that begins with an answer lacks its beginning, so that the answer is probably the last of several.
    if (isAnswer(message) && isShortened === undefined) nth = Math.max(all.length - 1, 0)
    if (!isInstruction(message)) while (nth < all.length && all[nth]!.place < newestAnswer) nth += 1
    passed.set(key, nth + 1)
    return all[nth] ?? (isAnswer(message) ? all[0] : undefined)
  }
}
