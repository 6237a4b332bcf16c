import { parseJson } from '../adapters/content.js'

const keys = new WeakMap()

/** Identifies a message by its content, without ids that a client may add. An agent sends the same messages again and again. */
export const messageKey = (message) => {
  let key = keys.get(message)
  if (key === undefined) {
    const { role, content, tool_calls: calls = [], tool_call_id: answers } = message
    const called = calls.map(({ id, name, arguments: args }) => [id, name, parseJson(args) ?? {}])
    keys.set(message, (key = JSON.stringify([role, content ?? '', called, answers ?? null])))
  }
  return key
}
