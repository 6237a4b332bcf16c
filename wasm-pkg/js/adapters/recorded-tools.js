// Tools of a framework that answer with what was recorded.

/** Checks the arguments of a function that mocks tools. */
export const checkMockedTools = (call, tape, tools) => {
  if (typeof tape?.call !== 'function' || typeof tape.assertComplete !== 'function') {
    throw new TypeError(`${call}() takes what replay(…, { mode: 'mocked-tools' }) gives, and a list of tools`)
  }
  if (!Array.isArray(tools)) throw new TypeError(`${call}() takes a list of tools`)
}

/** A copy of a tool, of whatever class it is, with `changes`. */
export const withProperties = (tool, changes) => {
  const copy = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool))
  for (const [name, value] of Object.entries(changes)) {
    Object.defineProperty(copy, name, { value, configurable: true, enumerable: true, writable: true })
  }
  return copy
}
