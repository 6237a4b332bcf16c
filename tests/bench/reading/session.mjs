// A long session of Claude Code, one record a line: questions, calls of a tool with their results, and answers.

/** The records of the round `at`; `parent` is the record before it. */
const round = (at, parent) => {
  const [question, call, result, answer] = ['q', 'c', 'r', 'a'].map((kind) => `${kind}-${at}`)
  const record = (type, uuid, parentUuid, message) => ({
    type,
    uuid,
    parentUuid,
    sessionId: 's1',
    isSidechain: false,
    cwd: '/app',
    version: '2.1.230',
    userType: 'external',
    timestamp: new Date(Date.UTC(2026, 4, 1) + at * 1000).toISOString(),
    message,
  })
  const answered = (id, block) => ({
    id: `msg-${id}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [block],
    stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use',
    usage: { input_tokens: 40 + at, output_tokens: 12 },
  })
  const toolCall = { type: 'tool_use', id: `call-${at}`, name: 'weather', input: { location: `City ${at % 97}`, units: 'metric' } }
  const toolResult = { type: 'tool_result', tool_use_id: toolCall.id, content: JSON.stringify({ temperature: at % 40, humidity: 65 }) }
  return [
    record('user', question, parent, { role: 'user', content: `How is city ${at}?` }),
    record('assistant', call, question, answered(call, toolCall)),
    record('user', result, call, { role: 'user', content: [toolResult] }),
    record('assistant', answer, result, answered(answer, { type: 'text', text: `It's fine in ${at}.` })),
  ]
}

/** A session of `rounds` rounds; each is a question, a call with its result, and an answer. */
export const session = (rounds) =>
  Array.from({ length: rounds }, (_, at) => round(at, at === 0 ? null : `a-${at - 1}`))
    .flat()
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
