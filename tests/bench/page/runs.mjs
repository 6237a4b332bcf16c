// Runs of any length, in both forms.

/** Questions and answers in the compact form, `steps` in all. */
export const compact = (steps) => {
  const turns = Array.from(
    { length: steps / 2 },
    (_, at) =>
      `  - "user: question ${at}, with a few words more"\n  - "assistant: answer ${at}, with enough words in it to be cut in the list"\n`,
  )
  return `messages:\n${turns.join('')}`
}

/** Model calls in the full form; each creates a message and changes the state. */
export const full = (steps) => {
  const lines = [
    'version: "1.0"',
    'metadata: {name: long}',
    'initial_state:',
    '  context: {count: 0}',
    '  message_store:',
    '    - {id: msg_1, role: user, content: "Start", visible: true}',
    'execution:',
  ]
  for (let turn = 1; turn <= steps; turn += 1) {
    const content = `"answer ${turn}, with enough words in it to be cut in the list"`
    lines.push(
      `  - turn: ${turn}`,
      '    type: llm_call',
      '    llm_response:',
      `      content: ${content}`,
      '      usage: {prompt_tokens: 10, completion_tokens: 5, total_tokens: 15}',
      `    message_created: {id: msg_${turn + 1}, role: assistant, content: ${content}, visible: true}`,
      `    state_changes: {context: {count: ${turn}}}`,
    )
  }
  return `${lines.join('\n')}\n`
}
