// Long runs to measure with: an agent calls a tool in every second turn, and sends its model the latest
// twenty messages.
const WINDOW = 20

const id = (number) => `msg_${String(number).padStart(6, '0')}`

const turn = (number) => {
  const call = `call_${String(Math.ceil(number / 2)).padStart(6, '0')}`
  const city = `City ${number % 97}`
  const created = id(number + 2)
  if (number % 2 === 0) {
    const result = `{temperature: ${number % 40}, condition: "sunny, 72°F", humidity: 65}`
    return `  - turn: ${number}
    type: tool_call
    tool_call:
      id: ${call}
      tool_name: weather
      parameters: {location: ${city}}
      result: ${result}
      success: true
      error: null
    message_created:
      id: ${created}
      role: tool
      tool_call_id: ${call}
      tool_name: weather
      content: '{"temperature": ${number % 40}, "condition": "sunny, 72°F", "humidity": 65}'
      visible: true
`
  }
  const first = Math.max(1, number + 2 - WINDOW)
  const sent = Array.from({ length: number + 2 - first }, (_, at) => `{ref: ${id(first + at)}}`).join(', ')
  const calls = (args) => `      tool_calls:
        - id: ${call}
          function: {name: weather, arguments: ${args}}
`
  return `  - turn: ${number}
    type: llm_call
    messages_sent_to_llm: [${sent}]
    llm_response:
      role: assistant
      content: "I'll check the weather in ${city}: it's turn ${number}."
${calls(`'{"location": "${city}"}'`)}      usage: {prompt_tokens: 45, completion_tokens: 12, total_tokens: 57}
    message_created:
      id: ${created}
      role: assistant
      content: "I'll check the weather in ${city}: it's turn ${number}."
${calls(`{location: ${city}}`)}      visible: true
    state_changes:
      context: {conversation_count: ${number}}
`
}

/** A full transcript of `turns` turns. */
export const full = (turns) => `version: "1.0"
metadata: {name: long_run, tags: [generated]}
agent_config:
  model: gpt-4
  tools: [weather]
initial_state:
  context: {conversation_count: 0}
  message_store:
    - {id: ${id(1)}, role: system, content: You are a helpful assistant, visible: true}
    - {id: ${id(2)}, role: user, content: "What's the weather?", visible: true}
execution:
${Array.from({ length: turns }, (_, at) => turn(at + 1)).join('')}`

/** A compact transcript of as many turns. */
export const compact = (turns) => `name: long_run
messages:
  - "system: You are a helpful assistant"
  - "user: What's the weather?"
${Array.from(
  { length: turns / 2 },
  (_, at) => `  - "assistant:call weather(location='City ${at % 97}', units='metric')"
  - "tool:weather: {temperature: ${at % 40}, condition: 'sunny', humidity: 65}"
`,
).join('')}`

/** What a user asks, the tool's result, and the last answer, of the round `at`. */
const round = (at) => ({ question: `How is city ${at}?`, result: { temp: at % 40 }, answer: `It's fine in ${at}.` })

/** A compact transcript of `turns` turns; each third is a question, a call with its result, and an answer. */
export const conversation = (turns) => `messages:
  - "system: You are helpful"
${Array.from({ length: Math.floor(turns / 3) }, (_, at) => {
  const { question, result, answer } = round(at)
  return `  - "user: ${question}"
  - {assistant: "I'll check.", call: "weather(city='${at}')"}
  - "tool:weather: {temp: ${result.temp}}"
  - "assistant: ${answer}"
`
}).join('')}`

/** The agent of that conversation: it sends all its messages each time, in one list that grows. */
export const converse = (turns, ask) => {
  const messages = [{ role: 'system', content: 'You are helpful' }]
  const send = () => {
    const { content, tool_calls: calls } = ask(messages)
    const reported = calls.map(({ id, name, arguments: provided }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(provided) },
    }))
    messages.push(reported.length > 0 ? { role: 'assistant', content, tool_calls: reported } : { role: 'assistant', content })
    return calls
  }
  for (let at = 0; at < Math.floor(turns / 3); at += 1) {
    const { question, result } = round(at)
    messages.push({ role: 'user', content: question })
    for (const { id } of send()) messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) })
    send()
  }
}
