// What a function sees of a call.

const OWN = ['lastUser', 'lastAssistant', 'lastTool', 'lastResult', 'lastRole']

const resultOf = (message) => message?.result ?? message?.tool_response?.response ?? null

const lasts = (messages) => {
  const last = (role) => messages.findLast((message) => message.role === role)
  const result = resultOf(last('tool'))
  return {
    lastUser: last('user')?.content ?? null,
    lastAssistant: last('assistant')?.content ?? null,
    lastTool: result === null || typeof result === 'string' ? result : JSON.stringify(result),
    lastResult: result,
    lastRole: messages.at(-1)?.role ?? null,
  }
}

/** The context of a call; what it says of the last messages is looked for when it is read. */
export const contextOf = (context) => {
  let found
  const of = (name) => (found ??= lasts(context.messages))[name]
  const entry = (name) => [name, { enumerable: true, configurable: true, get: () => of(name) }]
  return Object.defineProperties({ ...context }, Object.fromEntries(OWN.map(entry)))
}
