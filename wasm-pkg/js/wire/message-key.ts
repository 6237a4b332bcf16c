import { parseJson } from '../adapters/content.ts'
import { nearestNumbers } from '../api/exact-json.ts'
import type { RecordedMessage } from '../api/read-exchange.ts'

const keys = new WeakMap<RecordedMessage, string>()

/**
 * Identifies a message by its content, without ids that a client may add. An agent sends the same messages again and again, in
 * JavaScript with the nearest numbers that it has.
 */
export const messageKey = (message: RecordedMessage) => {
  let key = keys.get(message)
  if (key === undefined) {
    const { role, content, tool_calls: calls = [], tool_call_id: answers } = message
    const called = calls.map(({ id, name, arguments: args }) => [id, name, parseJson(args) ?? {}])
    keys.set(message, (key = JSON.stringify(nearestNumbers([role, content ?? '', called, answers ?? null]))))
  }
  return key
}
