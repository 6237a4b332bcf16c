// The recordings that the clients of several vendors play.

export const weather = `
name: weather_query
model: recorded-model
messages:
  - "system: You are helpful"
  - "user: What's the weather?"
  - {assistant: "I'll check.", call: weather(location='NYC')}
  - "tool:weather: {temp: 72, condition: 'sunny'}"
  - "assistant: It's 72°F and sunny!"
`

export const continued = `
messages:
  - "user: Hi there"
  - "assistant: Hello!"
  - "user: More"
  - "assistant: There is more."
`

export const parallel = `
messages:
  - "user: Where is it warmer?"
  - "assistant:call weather(location='Oslo'), weather(location='Rome')"
  - "tool:weather#call_001: {temp: 5}"
  - "tool:weather#call_002: {temp: 25}"
  - "assistant: In Rome."
`

export const failing = `
messages:
  - "user: What's the weather?"
  - "assistant:call weather(location='NYC')"
  - "tool:weather!: the station is down"
  - "assistant: I cannot tell."
`

export const structured = `
messages:
  - "user: Name a city"
  - 'assistant: {"city": "Rome", "population": 2800000}'
`

const call = (turn, rest) => `
  - turn: ${turn}
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    ${rest}`

const opening = `version: "1.0"
initial_state:
  message_store: [{id: msg_001, role: user, content: Hi}]
execution:`

/** One answer to `Hi`, with these fields. */
export const answering = (fields) => `${opening}${call(1, `llm_response: ${JSON.stringify(fields)}`)}
`

export const retried = `${opening}${call(1, 'llm_error: {type: rate_limit, message: slow down, status: 429}')}${call(
  2,
  'llm_response: {content: Hello!, usage: {prompt_tokens: 11, completion_tokens: 3, total_tokens: 14, prompt_tokens_details: {cached_tokens: 4}}}',
)}
`

export const broken = `${opening}${call(1, 'llm_error: {type: overloaded, message: too much, status: 529}')}
`

/** Recorded in pieces that no rule would cut so. */
export const chunked = answering({
  content: 'Hello there',
  tool_calls: null,
  chunks: [
    { text: 'Hel', at_ms: 0 },
    { text: 'lo th', at_ms: 30 },
    { text: 'ere', at_ms: 60 },
  ],
  finish_reason: 'stop',
})
