// What a function sees of a call.

const OWN = ['lastUser', 'lastAssistant', 'lastTool', 'lastResult', 'lastRole']

/** What a tool returned, as data: messages in canonical form and those of simulations say it each in their way. */
const resultOf = (message) => message?.result ?? message?.toolResponse?.response ?? null

const textOf = (message, result) => {
  if (result === null) return message?.content ?? null
  return typeof result === 'string' ? result : JSON.stringify(result)
}

const lasts = (messages) => {
  const last = (role) => messages.findLast((message) => message.role === role)
  const tool = last('tool')
  const result = resultOf(tool)
  return {
    lastUser: last('user')?.content ?? null,
    lastAssistant: last('assistant')?.content ?? null,
    lastTool: textOf(tool, result),
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
