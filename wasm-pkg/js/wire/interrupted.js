// An answer whose stream broke off: the part that arrived, and how it ended.
import { mergeChunks } from '../adapters/partial-answer.js'

/** The part that arrived, as an answer with its failure as `interruption`. */
export const interruptedAnswer = ({ step, error }, chunks) => {
  const { tool_calls: calls, ...texts } = mergeChunks(chunks)
  const { type = 'api_error', message = 'the stream failed', code = null } = error
  return {
    step, ...texts, tool_calls: calls.map((call, at) => ({ ...call, id: call.id ?? `call_${at + 1}` })), usage: null, chunks,
    interruption: { type, message, code },
  }
}

/** The last events of such a stream: `event` reports the failure if the vendor failed, and not the connection. */
export const interruptionEvents = ({ type, message }, event) => {
  if (type === 'connection_error') return [{ cut: message }]
  return type === 'incomplete' ? [] : [event]
}
