// An answer whose stream broke off: what had come of it, and how it ended.
import { textsOf } from '../adapters/heard.js'

const callsOf = (pieces) => {
  const calls = new Map()
  for (const { tool_call_delta: delta } of pieces) {
    if (typeof delta !== 'object' || delta === null) continue
    const { index = 0, id, name, arguments: more = '' } = delta
    const { id: known = id ?? `call_${index + 1}`, name: called = name ?? '', arguments: before = '' } = calls.get(index) ?? {}
    calls.set(index, { id: known, name: called, arguments: before + more })
  }
  return [...calls.values()]
}

/** What had come, as an answer, with its failure as `broken`. */
export const brokenAnswer = ({ step, error }, pieces) => {
  const said = (kind) => textsOf(pieces, kind).join('')
  const { type = 'api_error', message = 'the stream failed', code = null } = error
  return {
    step, content: said('text'), reasoning: said('reasoning'), refusal: said('refusal'), tool_calls: callsOf(pieces), usage: null, chunks: pieces,
    broken: { type, message, code },
  }
}

/** The end of such a stream: `event` tells of the failure, where it was the vendor that failed and not the connection. */
export const breakOf = ({ type, message }, event) => {
  if (type === 'connection_error') return [{ cut: message }]
  return type === 'incomplete' ? [] : [event]
}
