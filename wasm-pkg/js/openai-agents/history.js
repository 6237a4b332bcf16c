// Requests that name what was said before, instead of sending it: by the response that they go on from, or by a conversation.

/** The most responses, and conversations, that are kept: a request goes on from the latest. */
const MOST = 32

const itemsOf = (input) => (Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input ?? '' }])

/** Keeps the latest. */
const putLatest = (map, key, value) => {
  map.delete(key)
  map.set(key, value)
  if (map.size > MOST) map.delete(map.keys().next().value)
}

/** What was said so far, by the ids of responses and of conversations. */
class Histories {
  #responses = new Map()
  #conversations = new Map()

  /** The input of a request with what it goes on from; one that goes on from nothing that is known is as it is. */
  fullInput({ previousResponseId, conversationId, input }) {
    const before = this.#responses.get(previousResponseId) ?? this.#conversations.get(conversationId)
    return before === undefined ? input : [...itemsOf(before.input), ...before.output, ...itemsOf(input)]
  }

  /** Keeps what was said up to an answer: `input` is the whole one. */
  keep({ conversationId }, input, id, output) {
    const entry = { input, output }
    if (id !== undefined) putLatest(this.#responses, id, entry)
    if (conversationId !== undefined) putLatest(this.#conversations, conversationId, entry)
  }
}

const histories = new WeakMap()

/** What was said to a tape, a mock or a recorder, whichever of its models was asked. */
export const historiesOf = (source) => {
  if (!histories.has(source)) histories.set(source, new Histories())
  return histories.get(source)
}
