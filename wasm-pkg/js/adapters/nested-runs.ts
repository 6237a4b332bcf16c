// Nested runs: model calls that a tool makes belong to the run of another agent.
import type { RecordedRuns, RunRecorder } from './run-recorder.ts'

/** A tool that runs. */
export interface RunningTool {
  call: string
  name: string
  /** The run that its call belongs to; undefined for the outermost. */
  run: string | undefined
  runRecorder: RunRecorder
  isOpen: boolean
  /** The run of the agent that it runs, once that has called a model. */
  inner?: string
}

const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
const storage = Storage === undefined ? undefined : new Storage<RunningTool>()

/** The tool that the running code belongs to; undefined outside of tools, and where the runtime cannot track it. */
export const currentTool = () => {
  const found = storage?.getStore()
  return found?.isOpen ? found : undefined
}

/** Marks the following code as part of `tool`, until that ends. */
export const enterTool = (tool: RunningTool) => storage?.enterWith(tool)

/** Runs `work` as part of `tool`. */
export const runInsideTool = <Result>(tool: RunningTool, work: () => Result): Result =>
  storage === undefined ? work() : storage.run(tool, work)

/** The run of the current model call: the outermost, or one of an agent in a tool, whose name is `agent`. */
export const currentRun = (runs: RecordedRuns, agent?: string) => {
  const tool = currentTool()
  if (tool === undefined) return runs.run()
  tool.inner ??= runs.enter({ agent: agent ?? tool.name, parentRun: tool.run, parentCall: tool.call })
  return runs.run(tool.inner)
}

/** Records that a tool starts, and returns it. */
export const startTool = (runs: RecordedRuns, { id, name, args }: { id: string; name: string; args: unknown }): RunningTool => {
  const run = currentTool()?.inner
  const runRecorder = currentRun(runs)
  runRecorder.toolCalled(id, name, args)
  return { call: id, name, run, runRecorder, isOpen: true }
}

/** Ends a tool; `reportEnd` records its outcome. */
export const endTool = (runs: RecordedRuns, tool: RunningTool, reportEnd: (runRecorder: RunRecorder) => void) => {
  tool.isOpen = false
  if (tool.inner !== undefined) runs.leave(tool.inner)
  reportEnd(tool.runRecorder)
}
