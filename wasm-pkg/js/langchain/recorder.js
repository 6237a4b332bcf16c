// Records LangChain and LangGraph: their callbacks, as an object with methods.
import { parseData, reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import { callSettings, readAnswer, toMessages, unsupportedParts, toolOutput } from './from-langchain.js'

/** Names of graphs that have none. */
const UNNAMED = ['LangGraph', 'RunnableSequence', 'RunnableLambda', 'AgentExecutor']

/** A handler of callbacks that records what goes on: one for the `callbacks` of a run. */
export const recordLangChain = (recorder) => {
  const runs = runsOf('recordLangChain', recorder)
  const safely = (work) => guardRecording(recorder, work)
  /** Every piece of work that is under way, by its run id, each with what it is inside of. */
  const works = new Map()
  const calls = new Map()

  const startWork = (id, parent, what = {}) => {
    const work = { outer: works.get(parent), ...what }
    works.set(id, work)
    return work
  }

  /** The tool that a piece of work is inside of. */
  const enclosingTool = (work) => {
    for (let at = work; at !== undefined; at = at.outer) if (at.tool !== undefined) return at
    return undefined
  }

  /** The run of an agent that a piece of work belongs to; the first model call inside of a tool begins one. */
  const runOf = (work) => {
    const tool = enclosingTool(work)
    if (tool === undefined) return { runRecorder: runs.run(), name: undefined }
    if (tool.inner === undefined) {
      const outer = runOf(tool.outer)
      tool.inner = runs.enter({ agent: tool.agent ?? tool.tool, parentRun: outer.name, parentCall: tool.call })
    }
    return { runRecorder: runs.run(tool.inner), name: tool.inner }
  }

  const modelStarts = (messages, id, parent, extra, metadata) =>
    safely(() => {
      const { runRecorder } = runOf(startWork(id, parent))
      const call = runRecorder.modelCalled({ format: 'langchain', messages }, toMessages(messages), callSettings(extra, metadata))
      calls.set(id, { runRecorder, call })
    })

  const modelEnds = (id, report) =>
    safely(() => {
      const found = calls.get(id)
      calls.delete(id)
      works.delete(id)
      if (found !== undefined) report(found)
    })

  const toolEnds = (id, report) =>
    safely(() => {
      const work = works.get(id)
      works.delete(id)
      if (work?.inner !== undefined) runs.leave(work.inner)
      if (work?.runRecorder !== undefined) report(work)
    })

  return {
    // Otherwise LangChain calls these handlers in the background, after the outcome.
    awaitHandlers: true,
    handleChatModelStart: (_model, [messages], id, parent, extra, _tags, metadata) => modelStarts(messages, id, parent, extra, metadata),
    handleLLMNewToken: (text, _place, id, _parent, _tags, fields) =>
      safely(() => {
        const found = calls.get(id)
        if (found === undefined) return
        const reasoning = fields?.chunk?.message?.additional_kwargs?.reasoning_content
        if (typeof reasoning === 'string' && reasoning !== '') found.runRecorder.chunk(found.call, { reasoning })
        if (typeof text === 'string' && text !== '') found.runRecorder.chunk(found.call, { text })
      }),
    handleLLMEnd: (output, id) =>
      modelEnds(id, ({ runRecorder, call }) => {
        runRecorder.modelAnswered(call, readAnswer(output))
        reportUnsupportedParts(recorder, unsupportedParts(output))
      }),
    handleLLMError: (error, id) => modelEnds(id, ({ runRecorder, call }) => runRecorder.modelFailed(call, error)),
    // The last arguments are the name of the run and more; the types of the library have them in another order.
    handleChainStart: (_chain, _inputs, id, parent, _tags, _metadata, _type, name) =>
      safely(() => {
        const { outer } = startWork(id, parent)
        if (outer?.tool !== undefined && name !== undefined && !UNNAMED.includes(name)) outer.agent ??= name
      }),
    handleChainEnd: (_outputs, id) => {
      works.delete(id)
    },
    handleChainError: (_error, id) => {
      works.delete(id)
    },
    handleToolStart: (tool, input, id, parent, _tags, _metadata, runName, call) =>
      safely(() => {
        const name = runName ?? tool?.name ?? 'tool'
        const { runRecorder } = runOf(works.get(parent))
        // Work that no model requested belongs to the host.
        const isRequested = call !== undefined && runRecorder.hasCall(call)
        if (!isRequested) startWork(id, parent)
        else {
          runRecorder.toolCalled(call, name, parseData(input))
          startWork(id, parent, { tool: name, call, runRecorder })
        }
      }),
    handleToolEnd: (output, id) =>
      toolEnds(id, ({ runRecorder, call }) => {
        const { content, failed, result = parseData(content) } = toolOutput(output)
        if (failed) runRecorder.toolFailed(call, content)
        else runRecorder.toolReturned(call, result)
      }),
    handleToolError: (error, id) => toolEnds(id, ({ runRecorder, call }) => runRecorder.toolFailed(call, error)),
  }
}
