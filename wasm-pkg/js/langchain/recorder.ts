// Records LangChain and LangGraph: their callbacks, as an object with methods.
import type { UnrecordedReporter } from '../api/report-unrecorded.ts'
import type { LangChainRecording } from '../types/langchain.ts'
import type { Recorder } from '../types/index.ts'
import { type RunRecorder, parseData, reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import type { BaseMessage, CallExtra, CallMetadata, LLMResult, ToolReturn } from './callback-data.ts'
import { callSettings, readAnswer, toMessages, unsupportedParts, toolOutput } from './from-langchain.ts'

/** Names of graphs that have none. */
const UNNAMED = ['LangGraph', 'RunnableSequence', 'RunnableLambda', 'AgentExecutor']

/** A running piece of work. */
type Work = ToolWork | OtherWork

interface ToolWork {
  /** Its parent. */
  outer: Work | undefined
  /** The name of the tool. */
  tool: string
  call: string
  /** The run that its call belongs to. */
  runRecorder: RunRecorder
  /** The run of the agent that it runs. */
  inner?: string
  /** The name of that agent. */
  agent?: string
}

interface OtherWork {
  outer: Work | undefined
  tool?: undefined
  runRecorder?: undefined
  inner?: undefined
}

interface ModelCall {
  runRecorder: RunRecorder
  call: string
}

/** What streams a token. */
interface TokenFields {
  chunk?: { message?: Pick<BaseMessage, 'additional_kwargs'> }
}

/**
 * Records runs of LangChain and LangGraph: a callback handler. An agent that is run by a tool has a run of its own.
 *
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * await agent.invoke(input, { callbacks: [recordLangChain(recorder)] })
 * await recorder.save('run.yaml')
 */
export const recordLangChain = (recorder: Recorder): LangChainRecording => {
  const runs = runsOf('recordLangChain', recorder)
  const safely = <Result>(work: () => Result) => guardRecording(recorder as Recorder & UnrecordedReporter, work)
  /** Every running piece of work, by its run id, each with its parent. */
  const works = new Map<string | undefined, Work>()
  const calls = new Map<string, ModelCall>()

  const startWork = (id: string, parent: string | undefined, what: Omit<ToolWork, 'outer'> | Omit<OtherWork, 'outer'> = {}) => {
    const work: Work = { outer: works.get(parent), ...what }
    works.set(id, work)
    return work
  }

  /** The tool that a piece of work is inside of. */
  const enclosingTool = (work: Work | undefined) => {
    for (let at = work; at !== undefined; at = at.outer) if (at.tool !== undefined) return at
    return undefined
  }

  /** The run of an agent that a piece of work belongs to; the first model call inside of a tool begins one. */
  const runOf = (work: Work | undefined): { runRecorder: RunRecorder; name: string | undefined } => {
    const tool = enclosingTool(work)
    if (tool === undefined) return { runRecorder: runs.run(), name: undefined }
    if (tool.inner === undefined) {
      const outer = runOf(tool.outer)
      tool.inner = runs.enter({ agent: tool.agent ?? tool.tool, parentRun: outer.name, parentCall: tool.call })
    }
    return { runRecorder: runs.run(tool.inner), name: tool.inner }
  }

  const modelStarts = (messages: readonly BaseMessage[], id: string, parent?: string, extra?: CallExtra, metadata?: CallMetadata) =>
    safely(() => {
      const { runRecorder } = runOf(startWork(id, parent))
      const call = runRecorder.modelCalled({ format: 'langchain', messages }, toMessages(messages), callSettings(extra, metadata))
      calls.set(id, { runRecorder, call })
    })

  const modelEnds = (id: string, report: (call: ModelCall) => void) =>
    safely(() => {
      const found = calls.get(id)
      calls.delete(id)
      works.delete(id)
      if (found !== undefined) report(found)
    })

  const toolEnds = (id: string, report: (tool: ToolWork) => void) =>
    safely(() => {
      const work = works.get(id)
      works.delete(id)
      if (work?.inner !== undefined) runs.leave(work.inner)
      if (work?.runRecorder !== undefined) report(work)
    })

  return {
    // Otherwise LangChain calls these handlers in the background, after the outcome.
    awaitHandlers: true,
    handleChatModelStart: (
      _model: unknown,
      [messages]: [BaseMessage[]],
      id: string,
      parent?: string,
      extra?: CallExtra,
      _tags?: unknown,
      metadata?: CallMetadata,
    ) => modelStarts(messages, id, parent, extra, metadata),
    handleLLMNewToken: (text: unknown, _place: unknown, id: string, _parent: unknown, _tags: unknown, fields?: TokenFields) =>
      safely(() => {
        const found = calls.get(id)
        if (found === undefined) return
        const reasoning = fields?.chunk?.message?.additional_kwargs?.reasoning_content
        if (typeof reasoning === 'string' && reasoning !== '') found.runRecorder.chunk(found.call, { reasoning })
        if (typeof text === 'string' && text !== '') found.runRecorder.chunk(found.call, { text })
      }),
    handleLLMEnd: (output: LLMResult, id: string) =>
      modelEnds(id, ({ runRecorder, call }) => {
        runRecorder.modelResponded(call, readAnswer(output))
        reportUnsupportedParts(recorder as Recorder & UnrecordedReporter, unsupportedParts(output))
      }),
    handleLLMError: (error: unknown, id: string) => modelEnds(id, ({ runRecorder, call }) => runRecorder.modelFailed(call, error)),
    // The last arguments are the name of the run and more; the types of the library have them in another order.
    handleChainStart: (
      _chain: unknown,
      _inputs: unknown,
      id: string,
      parent?: string,
      _tags?: unknown,
      _metadata?: unknown,
      _type?: unknown,
      name?: string,
    ) =>
      safely(() => {
        const { outer } = startWork(id, parent)
        if (outer?.tool !== undefined && name !== undefined && !UNNAMED.includes(name)) outer.agent ??= name
      }),
    handleChainEnd: (_outputs: unknown, id: string) => {
      works.delete(id)
    },
    handleChainError: (_error: unknown, id: string) => {
      works.delete(id)
    },
    handleToolStart: (
      tool: { name?: string } | undefined,
      input: unknown,
      id: string,
      parent?: string,
      _tags?: unknown,
      _metadata?: unknown,
      runName?: string,
      call?: string,
    ) =>
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
    handleToolEnd: (output: ToolReturn, id: string) =>
      toolEnds(id, ({ runRecorder, call }) => {
        const { content, failed, result = parseData(content) } = toolOutput(output)
        if (failed) runRecorder.toolFailed(call, content)
        else runRecorder.toolReturned(call, result)
      }),
    handleToolError: (error: unknown, id: string) => toolEnds(id, ({ runRecorder, call }) => runRecorder.toolFailed(call, error)),
  }
}
