// Tools of an agent with recorded results.
import type { ToolTape } from '../types/index.ts'
import { withProperties, checkMockedTools } from '../adapters/recorded-tools.ts'

/** A tool of LangChain; one without this method stays as it is. */
interface StructuredTool {
  name: string
  _call?: unknown
}

/** The tools, each answering with its recorded results. */
export const langChainTools = <Tool extends StructuredTool>(tape: ToolTape, tools: readonly Tool[]): Tool[] => {
  checkMockedTools('langChainTools', tape, tools)
  return tools.map((tool) => {
    if (typeof tool?._call !== 'function') return tool
    const answer = async (args: unknown, _run: unknown, config?: { toolCall?: { id?: string } }) =>
      tape.call({ id: config?.toolCall?.id, name: tool.name, arguments: args }).result
    return withProperties(tool, { _call: answer })
  })
}
