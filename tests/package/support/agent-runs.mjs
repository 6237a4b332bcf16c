// Recordings that every framework plays, each in its own words.

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

export const parallel = `
messages:
  - "system: You are helpful"
  - "user: Where is it warmer?"
  - "assistant:call weather(location='Oslo'), weather(location='Rome')"
  - "tool:weather#call_001: {temp: 5}"
  - "tool:weather#call_002: {temp: 25}"
  - "assistant: In Rome."
`

/** A failed tool, with the words that the host of the recording had for it. */
export const failing = (message) => `
messages:
  - "system: You are helpful"
  - "user: What's the weather?"
  - "assistant:call weather(location='NYC')"
  - tool: weather
    error: ${JSON.stringify(message)}
  - "assistant: I cannot tell."
`

export const structured = `
messages:
  - "system: You are helpful"
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

/** A call that fails and is then made again. */
export const retried = `${opening}${call(1, 'llm_error: {type: rate_limit, message: slow down, status: 429}')}${call(
  2,
  'llm_response: {content: Hello!, usage: {prompt_tokens: 11, completion_tokens: 3, total_tokens: 14, prompt_tokens_details: {cached_tokens: 4}}}',
)}
`

export const broken = `${opening}${call(1, 'llm_error: {type: overloaded, message: too much, status: 529}')}
`

export const reasoned = `${opening}${call(1, 'llm_response: {content: Four., reasoning: two and two}')}
`

/** An answer that was streamed in two pieces. */
export const streamed = `${opening}${call(1, 'llm_response: {content: Hello there!, chunks: [{text: Hel}, {text: lo there!}]}')}
`

/** The pieces of that answer. */
export const PIECES = ['Hel', 'lo there!']
