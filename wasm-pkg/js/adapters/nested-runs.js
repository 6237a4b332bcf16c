// Nested runs: model calls that a tool makes belong to the run of another agent.

const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
const storage = Storage === undefined ? undefined : new Storage()

/** The tool that the running code belongs to; undefined outside of tools, and where the runtime cannot track it. */
export const currentTool = () => {
  const found = storage?.getStore()
  return found?.isOpen ? found : undefined
}

/** Marks the following code as part of `tool`, until that ends. */
export const enterTool = (tool) => storage?.enterWith(tool)

/** Runs `work` as part of `tool`. */
export const runInsideTool = (tool, work) => (storage === undefined ? work() : storage.run(tool, work))

/** The run of the current model call: the outermost, or one of an agent in a tool, whose name is `agent`. */
export const currentRun = (runs, agent) => {
  const tool = currentTool()
  if (tool === undefined) return runs.run()
  tool.inner ??= runs.enter({ agent: agent ?? tool.name, parentRun: tool.run, parentCall: tool.call })
  return runs.run(tool.inner)
}

/** Records that a tool starts, and returns it. */
export const startTool = (runs, { id, name, args }) => {
  const run = currentTool()?.inner
  const runRecorder = currentRun(runs)
  runRecorder.toolCalled(id, name, args)
  return { call: id, name, run, runRecorder, isOpen: true }
}

/** Ends a tool; `reportEnd` records its outcome. */
export const endTool = (runs, tool, reportEnd) => {
  tool.isOpen = false
  if (tool.inner !== undefined) runs.leave(tool.inner)
  reportEnd(tool.runRecorder)
}
