// An answer whose stream broke off: what had come of it, and how it ended.
import { saidOf } from '../adapters/partial-answer.js'

/** What had come, as an answer, with its failure as `broken`. */
export const brokenAnswer = ({ step, error }, chunks) => {
  const { tool_calls: calls, ...said } = saidOf(chunks)
  const { type = 'api_error', message = 'the stream failed', code = null } = error
  return {
    step, ...said, tool_calls: calls.map((call, at) => ({ ...call, id: call.id ?? `call_${at + 1}` })), usage: null, chunks,
    broken: { type, message, code },
  }
}

/** The end of such a stream: `event` tells of the failure, where it was the vendor that failed and not the connection. */
export const breakOf = ({ type, message }, event) => {
  if (type === 'connection_error') return [{ cut: message }]
  return type === 'incomplete' ? [] : [event]
}
