// What runs inside of what: the calls of a model that a tool makes are those of another agent.

const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
const storage = Storage === undefined ? undefined : new Storage()

/** The tool that the code which runs is inside of; undefined where there is none, or where nobody can tell. */
export const currentTool = () => {
  const found = storage?.getStore()
  return found?.isOpen ? found : undefined
}

/** Says that what follows is inside of `tool`, until that is closed. */
export const enterTool = (tool) => storage?.enterWith(tool)

/** Runs `work` inside of `tool`. */
export const runInsideTool = (tool, work) => (storage === undefined ? work() : storage.run(tool, work))

/** The run that calls a model now: the outermost, or that of an agent inside of a tool, whose name is `agent`. */
export const currentRun = (runs, agent) => {
  const tool = currentTool()
  if (tool === undefined) return runs.run()
  tool.inner ??= runs.enter({ agent: agent ?? tool.name, parentRun: tool.run, parentCall: tool.call })
  return runs.run(tool.inner)
}

/** Tells that a tool begins, and gives it. */
export const startTool = (runs, { id, name, args }) => {
  const run = currentTool()?.inner
  const runRecorder = currentRun(runs)
  runRecorder.toolCalled(id, name, args)
  return { call: id, name, run, runRecorder, isOpen: true }
}

/** Tells that it is over; `tell` says what came of it. */
export const endTool = (runs, tool, reportEnd) => {
  tool.isOpen = false
  if (tool.inner !== undefined) runs.leave(tool.inner)
  reportEnd(tool.runRecorder)
}
