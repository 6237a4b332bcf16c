// What runs inside of what: the calls of a model that a tool makes are those of another agent.

const Following = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
const following = Following === undefined ? undefined : new Following()

/** What the code that runs is inside of; undefined where it is in no tool, or where nobody can tell. */
export const around = () => {
  const found = following?.getStore()
  return found?.isOpen ? found : undefined
}

/** Says that what follows is inside of `tool`, until its `isOpen` is false. */
export const enter = (tool) => following?.enterWith(tool)
