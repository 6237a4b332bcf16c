// Transcripts that several tests use.

export const weather = `name: weather_query
description: From the seed
messages:
  - "system: You are helpful"
  - "user: What's the weather?"
  - "assistant:call weather(location='NYC')"
  - "tool:weather: {temp: 72, condition: 'sunny'}"
  - "assistant: It's 72°F and sunny!"
`

/** Has one error: a message that does not exist. */
export const unknownRef = `version: "1.0"
initial_state:
  message_store:
    - {id: msg_001, role: system, content: You are helpful}
    - {id: msg_002, role: user, content: Hi}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm:
      - ref: msg_001
      - ref: msg_009
    llm_response: {content: Hello!}
`
