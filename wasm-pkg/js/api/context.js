// What a function sees of a call.

const ROLES = ['user', 'assistant', 'tool']

/** What a tool returned, as data: messages in canonical form and those of simulations say it each in their way. */
const resultOf = (message) => message?.result ?? message?.toolResponse?.response ?? null

const textOf = (message, result) => {
  if (result === null) return message?.content ?? null
  return typeof result === 'string' ? result : JSON.stringify(result)
}

const frozen = (value) => {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/** The messages of calls that follow each other. Contexts share them, so that a call costs what is new in it. */
export class History {
  /** It only grows: where it is cut another list takes its place, since a context may not have been read yet. */
  #messages = []
  /** Where messages of each role stand, in order. */
  #places = Object.fromEntries(ROLES.map((role) => [role, []]))

  /** Goes on with `added` behind the first `same` messages, of which those in `otherwise` say something else now. */
  take(same, added, otherwise = []) {
    if (same < this.#messages.length || otherwise.length > 0) this.#cut(same)
    for (const [at, message] of otherwise) this.#messages[at] = frozen(message)
    for (const message of added) {
      if (Object.hasOwn(this.#places, message.role)) this.#places[message.role].push(this.#messages.length)
      this.#messages.push(frozen(message))
    }
    return this
  }

  #cut(length) {
    this.#messages = this.#messages.slice(0, length)
    for (const places of Object.values(this.#places)) while (places.at(-1) >= length) places.pop()
  }

  /** The messages as they are now, made into a list once somebody reads it, and the last ones of each role. */
  now() {
    const messages = this.#messages
    const { length } = messages
    let list
    const last = (role) => messages[this.#places[role].at(-1)]
    const [user, assistant, tool] = ROLES.map(last)
    return { list: () => (list ??= messages.slice(0, length)), user, assistant, tool, last: messages.at(-1) }
  }
}

/** The context of a call, its messages those of `history` as it is now; what costs something is made when it is read. */
export const contextOf = (context, history) => {
  const { list, user, assistant, tool, last } = history.now()
  const getters = {
    messages: list,
    lastUser: () => user?.content ?? null,
    lastAssistant: () => assistant?.content ?? null,
    lastTool: () => textOf(tool, resultOf(tool)),
    lastResult: () => resultOf(tool),
    lastRole: () => last?.role ?? null,
  }
  const entry = ([name, get]) => [name, { enumerable: true, configurable: true, get }]
  return Object.defineProperties({ ...context }, Object.fromEntries(Object.entries(getters).map(entry)))
}
