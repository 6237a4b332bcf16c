// Requests that repeat, shorten, branch or change their history. Every recorder records the same messages of them.
import assert from 'node:assert/strict'

const one = 'user: one'

/** By name: calls of a model, each with its request and its answer, and the ids of what it was sent. A call without an answer fails. */
export const HISTORIES = {
  'a history without its oldest messages': [
    { sends: ['user: yes'], answer: 'a', sent: [1] },
    { sends: ['user: yes', 'assistant: a', 'user: yes'], answer: 'b', sent: [1, 2, 3] },
    { sends: ['user: yes', 'assistant: b', 'user: yes'], answer: 'c', sent: [3, 4, 5] },
    { sends: ['user: yes', 'assistant: b', 'user: yes', 'assistant: c', 'user: yes'], answer: 'd', sent: [3, 4, 5, 6, 7] },
  ],
  'the same request again': [
    { sends: [one], sent: [1] },
    { sends: [one], answer: 'a', sent: [1] },
    { sends: [one, 'assistant: a', one], sent: [1, 2, 3] },
    { sends: [one, 'assistant: a', one], answer: 'b', sent: [1, 2, 3] },
    { sends: [one, 'assistant: a', one], answer: 'b', sent: [1, 2, 3] },
  ],
  'a summary in place of the oldest messages': [
    { sends: ['system: be kind', one], answer: 'a', sent: [1, 2] },
    { sends: ['system: be kind', one, 'assistant: a', 'user: two'], answer: 'b', sent: [1, 2, 3, 4] },
    { sends: ['system: be kind', 'user: what was before', 'user: two'], answer: 'c', sent: [1, 6, 4] },
    { sends: ['system: be kind', 'user: what was before', 'user: two', 'assistant: c', 'user: two'], answer: 'd', sent: [1, 6, 4, 7, 8] },
  ],
  'two branches in turn': [
    { sends: [one], answer: 'a', sent: [1] },
    { sends: [one], answer: 'b', sent: [1] },
    { sends: [one, 'assistant: a', 'user: left'], answer: 'c', sent: [1, 2, 4] },
    { sends: [one, 'assistant: b', 'user: right'], answer: 'd', sent: [1, 3, 6] },
    { sends: [one, 'assistant: a', 'user: left', 'assistant: c', 'user: left'], answer: 'e', sent: [1, 2, 4, 5, 8] },
  ],
  'a message that was changed': [
    { sends: [one], answer: 'a', sent: [1] },
    { sends: ['user: uno', 'assistant: a', 'user: two'], answer: 'b', sent: [3, 2, 4] },
    { sends: ['user: uno', 'assistant: a', 'user: two', 'assistant: b', one], answer: 'c', sent: [3, 2, 4, 5, 6] },
  ],
  'the same answer twice': [
    { sends: [one], answer: 'ok', sent: [1] },
    { sends: [one, 'assistant: ok', one], answer: 'ok', sent: [1, 2, 3] },
    { sends: [one, 'assistant: ok', one, 'assistant: ok', one], answer: 'ok', sent: [1, 2, 3, 4, 5] },
  ],
  'the same answer twice in a history without its oldest messages': [
    { sends: [one], answer: 'ok', sent: [1] },
    { sends: [one, 'assistant: ok', one], answer: 'ok', sent: [1, 2, 3] },
    { sends: ['assistant: ok', one], answer: 'ok', sent: [4, 5] },
  ],
}

/** The host changes each answer before it sends it again, and leaves out its oldest message. */
export const CHANGED_ANSWERS = [
  { sends: ['user: yes'], answer: 'A [1]', sent: [1] },
  { sends: ['user: yes', 'assistant: A', 'user: yes'], answer: 'B [1]', sent: [1, 3, 4] },
  { sends: ['assistant: A', 'user: yes', 'assistant: B', 'user: yes'], answer: 'C', sent: [3, 4, 6, 7] },
]

/** The number of user messages of a recorded run. */
export const userCount = (recorder) => {
  const { initial_state: start, execution } = recorder.finish().transcript
  return [...start.message_store, ...execution.map(({ message_created: message }) => message)].filter((it) => it?.role === 'user').length
}

/** The role and the text of a message of `sends`. */
export const partsOf = (message) => message.split(': ')

/** Checks what a recorder recorded of a history. */
export const checkHistory = (recorder, calls) => {
  assert.deepEqual(recorder.problems, [])
  const { transcript } = recorder.finish()
  const { initial_state: start, execution } = transcript
  const messages = new Map()
  for (const message of [...start.message_store, ...execution.map(({ message_created: message }) => message)])
    if (message) messages.set(message.id, `${message.role}: ${message.content}`)
  const sent = execution.filter(({ type }) => type === 'llm_call').map(({ messages_sent_to_llm: list }) => list.map(({ ref }) => ref))
  assert.deepEqual(
    sent,
    calls.map((call) => call.sent.map((number) => `msg_00${number}`)),
  )
  assert.deepEqual(
    sent.map((ids) => ids.map((id) => messages.get(id))),
    calls.map(({ sends }) => sends),
  )
}
