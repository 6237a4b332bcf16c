// Requests that refer to their history instead of sending it: by the previous response, or by a conversation.

/** The maximum number of responses, and of conversations, that are stored: a request refers to a recent one. */
const MOST = 32

const itemsOf = (input) => (Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input ?? '' }])

/** Sets an entry, and drops the oldest beyond the maximum. */
const putLatest = (map, key, value) => {
  map.delete(key)
  map.set(key, value)
  if (map.size > MOST) map.delete(map.keys().next().value)
}

/** The histories by the ids of responses and of conversations. */
class Histories {
  #responses = new Map()
  #conversations = new Map()

  /** The input of a request with the history that it refers to; without a known one, the input itself. */
  fullInput({ previousResponseId, conversationId, input }) {
    const before = this.#responses.get(previousResponseId) ?? this.#conversations.get(conversationId)
    return before === undefined ? input : [...itemsOf(before.input), ...before.output, ...itemsOf(input)]
  }

  /** Stores the history up to an answer: `input` is the full input. */
  keep({ conversationId }, input, id, output) {
    const entry = { input, output }
    if (id !== undefined) putLatest(this.#responses, id, entry)
    if (conversationId !== undefined) putLatest(this.#conversations, conversationId, entry)
  }
}

const histories = new WeakMap()

/** The histories of a tape, a mock or a recorder, shared by its models. */
export const historiesOf = (source) => {
  if (!histories.has(source)) histories.set(source, new Histories())
  return histories.get(source)
}
