// What runs inside of what: the calls of a model that a tool makes are those of another agent.

const Following = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
const following = Following === undefined ? undefined : new Following()

/** The tool that the code which runs is inside of; undefined where there is none, or where nobody can tell. */
export const around = () => {
  const found = following?.getStore()
  return found?.isOpen ? found : undefined
}

/** Says that what follows is inside of `tool`, until that is closed. */
export const enter = (tool) => following?.enterWith(tool)

/** Runs `work` inside of `tool`. */
export const inside = (tool, work) => (following === undefined ? work() : following.run(tool, work))

/** The run that calls a model now: the outermost, or that of an agent inside of a tool, whose name is `agent`. */
export const runNow = (telling, agent) => {
  const tool = around()
  if (tool === undefined) return telling.run()
  tool.inner ??= telling.enter({ agent: agent ?? tool.name, parentRun: tool.run, parentCall: tool.call })
  return telling.run(tool.inner)
}

/** Tells that a tool begins, and gives it. */
export const openTool = (telling, { id, name, args }) => {
  const run = around()?.inner
  const teller = runNow(telling)
  teller.toolCalled(id, name, args)
  return { call: id, name, run, teller, isOpen: true }
}

/** Tells that it is over; `tell` says what came of it. */
export const closeTool = (telling, tool, tell) => {
  tool.isOpen = false
  if (tool.inner !== undefined) telling.leave(tool.inner)
  tell(tool.teller)
}
