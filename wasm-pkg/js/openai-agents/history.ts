// Requests that refer to their history instead of sending it: by the previous response, or by a conversation.
import type { AgentItem, HistoryRequest, ModelInput } from './protocol.ts'

/** What was sent up to an answer, and the answer. */
interface History {
  input: ModelInput
  output: readonly AgentItem[]
}

/** The maximum number of responses, and of conversations, that are stored: a request refers to a recent one. */
const MOST = 32

const itemsOf = (input: ModelInput): AgentItem[] =>
  Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input ?? '' }]

/** Sets an entry, and drops the oldest beyond the maximum. */
const putLatest = <Value>(map: Map<string | undefined, Value>, key: string, value: Value) => {
  map.delete(key)
  map.set(key, value)
  if (map.size > MOST) map.delete(map.keys().next().value)
}

/** The histories by the ids of responses and of conversations. */
class Histories {
  #responses = new Map<string | undefined, History>()
  #conversations = new Map<string | undefined, History>()

  /** The input of a request with the history that it refers to; without a known one, the input itself. */
  fullInput({ previousResponseId, conversationId, input }: HistoryRequest): ModelInput {
    const before = this.#responses.get(previousResponseId) ?? this.#conversations.get(conversationId)
    return before === undefined ? input : [...itemsOf(before.input), ...before.output, ...itemsOf(input)]
  }

  /** Stores the history up to an answer: `input` is the full input. */
  keep({ conversationId }: HistoryRequest, input: ModelInput, id: string | undefined, output: readonly AgentItem[]) {
    const entry = { input, output }
    if (id !== undefined) putLatest(this.#responses, id, entry)
    if (conversationId !== undefined) putLatest(this.#conversations, conversationId, entry)
  }
}

const histories = new WeakMap<object, Histories>()

/** The histories of a tape, a mock or a recorder, shared by its models. */
export const historiesOf = (source: object) => {
  if (!histories.has(source)) histories.set(source, new Histories())
  return histories.get(source)!
}
