import { nearestNumbers } from '../api/exact-json.ts'
import { parseJson } from './content.ts'

/** The fields of a message that identify it. */
export interface KeyedMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly id?: string | undefined; readonly name?: string | undefined; readonly arguments?: unknown }[]
  readonly tool_call_id?: string
}

const keys = new WeakMap<KeyedMessage, string>()

/**
 * Identifies a message by its content, without ids that a client may add. An agent sends the same messages again and again, in
 * JavaScript with the nearest numbers that it has.
 */
export const messageKey = (message: KeyedMessage) => {
  let key = keys.get(message)
  if (key === undefined) {
    const { role, content, tool_calls: calls = [], tool_call_id: answers } = message
    const called = calls.map(({ id, name, arguments: args }) => [id, name, parseJson(args) ?? {}])
    keys.set(message, (key = JSON.stringify(nearestNumbers([role, content ?? '', called, answers ?? null]))))
  }
  return key
}
