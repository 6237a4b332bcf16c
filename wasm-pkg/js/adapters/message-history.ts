// Which messages of a request are new. An agent sends its history with each request, often shortened.
import { type KeyedMessage, messageKey } from './message-key.ts'

/** A message of the history. Places count from 0. */
interface HistoryMessage {
  id: string
  place: number
  isAnswer: boolean
}

/** A request as far as it was read. */
interface ReadRequest {
  messages: readonly KeyedMessage[]
  ids: string[]
  /** The place of the newest answer in it. */
  newestAnswer: number
  /** For each key, how many of its messages in the history come before the next one of the request. */
  passed: Map<string, number>
}

const emptyRequest = (): ReadRequest => ({ messages: [], ids: [], newestAnswer: -1, passed: new Map() })

const isInstruction = ({ role }: KeyedMessage) => role === 'system' || role === 'developer'

/** Whether two messages have the very same text and calls. Most have, and comparing them so is cheaper than by their keys. */
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
 * The recorded messages of a run. A message of a request is known if the same message was recorded after the newest answer that
 * precedes it in the request; otherwise it is new. Instructions and answers are known wherever they were recorded.
 */
export class MessageHistory {
  #messages = new Map<string, HistoryMessage[]>()
  #size = 0
  /** The previous request, which most requests continue. */
  #last = emptyRequest()

  /** Adds a recorded message, which may be an answer of the model. */
  add(message: KeyedMessage, id: string, isAnswer = false) {
    const key = messageKey(message)
    if (!this.#messages.has(key)) this.#messages.set(key, [])
    this.#messages.get(key)!.push({ id, place: this.#size, isAnswer })
    this.#size += 1
  }

  /** The ids of the messages of a request. `record` records a new one, which adds it, and returns its id. */
  idsOf<Message extends KeyedMessage>(messages: readonly Message[], record: (message: Message) => string): string[] {
    const { messages: before } = this.#last
    const isContinuation = before.length <= messages.length && before.every((message, at) => isSame(message, messages[at]!))
    const request = isContinuation ? this.#last : emptyRequest()
    // If this throws, the next request does not continue this one.
    this.#last = emptyRequest()
    for (const message of messages.slice(request.ids.length)) {
      const found = this.#find(message, request)
      if (found?.isAnswer) request.newestAnswer = Math.max(request.newestAnswer, found.place)
      request.ids.push(found?.id ?? record(message))
    }
    this.#last = { ...request, messages }
    return [...request.ids]
  }

  #find(message: KeyedMessage, { newestAnswer, passed }: ReadRequest) {
    const key = messageKey(message)
    const all = this.#messages.get(key) ?? []
    let nth = passed.get(key) ?? 0
    if (!isInstruction(message)) while (nth < all.length && all[nth]!.place < newestAnswer) nth += 1
    passed.set(key, nth + 1)
    return all[nth] ?? all.find(({ isAnswer }) => isAnswer)
  }
}
