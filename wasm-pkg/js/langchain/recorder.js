// What LangChain and LangGraph let be seen, told to a recorder: their callbacks, as an object with methods.
import { dataOf, tellLeftOut, tellingOf, watching } from '../adapters/run-recorder.js'
import { aboutOf, answerOf, entriesOf, leftOutOf, returnedOf } from './from-langchain.js'

/** Names of graphs that have none. */
const UNNAMED = ['LangGraph', 'RunnableSequence', 'RunnableLambda', 'AgentExecutor']

/** A handler of callbacks that records what goes on: one for the `callbacks` of a run. */
export const recordLangChain = (recorder) => {
  const telling = tellingOf('recordLangChain', recorder)
  const safely = (work) => watching(recorder, work)
  /** Every piece of work that is under way, by its run id, each with what it is inside of. */
  const works = new Map()
  const calls = new Map()

  const begin = (id, parent, what = {}) => {
    const work = { outer: works.get(parent), ...what }
    works.set(id, work)
    return work
  }

  /** The tool that a piece of work is inside of. */
  const toolAround = (work) => {
    for (let at = work; at !== undefined; at = at.outer) if (at.tool !== undefined) return at
    return undefined
  }

  /** The run of an agent that a piece of work belongs to; the first model call inside of a tool begins one. */
  const runOf = (work) => {
    const around = toolAround(work)
    if (around === undefined) return { teller: telling.run(), name: undefined }
    if (around.inner === undefined) {
      const outer = runOf(around.outer)
      around.inner = telling.enter({ agent: around.agent ?? around.tool, parentRun: outer.name, parentCall: around.call })
    }
    return { teller: telling.run(around.inner), name: around.inner }
  }

  const modelStarts = (messages, id, parent, extra, metadata) => safely(() => {
    const { teller } = runOf(begin(id, parent))
    const call = teller.asked({ format: 'langchain', messages }, entriesOf(messages), aboutOf(extra, metadata))
    calls.set(id, { teller, call })
  })

  const modelEnds = (id, tell) => safely(() => {
    const found = calls.get(id)
    calls.delete(id)
    works.delete(id)
    if (found !== undefined) tell(found)
  })

  const toolEnds = (id, tell) => safely(() => {
    const work = works.get(id)
    works.delete(id)
    if (work?.inner !== undefined) telling.leave(work.inner)
    if (work?.teller !== undefined) tell(work)
  })

  return {
    // Otherwise they are told in the background, after what came of them.
    awaitHandlers: true,
    handleChatModelStart: (_model, [messages], id, parent, extra, _tags, metadata) => modelStarts(messages, id, parent, extra, metadata),
    handleLLMNewToken: (text, _place, id, _parent, _tags, fields) => safely(() => {
      const found = calls.get(id)
      if (found === undefined) return
      const reasoning = fields?.chunk?.message?.additional_kwargs?.reasoning_content
      if (typeof reasoning === 'string' && reasoning !== '') found.teller.chunk(found.call, { reasoning })
      if (typeof text === 'string' && text !== '') found.teller.chunk(found.call, { text })
    }),
    handleLLMEnd: (output, id) => modelEnds(id, ({ teller, call }) => {
      teller.answered(call, answerOf(output))
      tellLeftOut(recorder, leftOutOf(output))
    }),
    handleLLMError: (error, id) => modelEnds(id, ({ teller, call }) => teller.failed(call, error)),
    // The last arguments are the name of the run and more; the types of the library have them in another order.
    handleChainStart: (_chain, _inputs, id, parent, _tags, _metadata, _type, name) => safely(() => {
      const { outer } = begin(id, parent)
      if (outer?.tool !== undefined && name !== undefined && !UNNAMED.includes(name)) outer.agent ??= name
    }),
    handleChainEnd: (_outputs, id) => { works.delete(id) },
    handleChainError: (_error, id) => { works.delete(id) },
    handleToolStart: (tool, input, id, parent, _tags, _metadata, runName, call) => safely(() => {
      const name = runName ?? tool?.name ?? 'tool'
      const { teller } = runOf(works.get(parent))
      // What no model asked for is the work of the host.
      const isAsked = call !== undefined && teller.hasCall(call)
      if (!isAsked) begin(id, parent)
      else {
        teller.toolCalled(call, name, dataOf(input))
        begin(id, parent, { tool: name, call, teller })
      }
    }),
    handleToolEnd: (output, id) => toolEnds(id, ({ teller, call }) => {
      const { content, failed, result = dataOf(content) } = returnedOf(output)
      if (failed) teller.toolFailed(call, content)
      else teller.toolReturned(call, result)
    }),
    handleToolError: (error, id) => toolEnds(id, ({ teller, call }) => teller.toolFailed(call, error)),
  }
}
