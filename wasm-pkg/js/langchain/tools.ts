// Tools of an agent with recorded results.
import type { ToolTape } from '../types/index.ts'
import { withProperties, checkMockedTools } from '../adapters/recorded-tools.ts'

/** A tool of LangChain; one without this method stays as it is. */
interface StructuredTool {
  name: string
  _call?: unknown
}

/**
 * The tools of an agent with recorded results instead of their own work, for a live model.
 *
 * @example
 * const tape = await replay('run.yaml', { mode: 'mocked-tools' })
 * const agent = createAgent({ model, tools: langChainTools(tape, [weather]) })
 */
export const langChainTools = <T extends object>(tape: ToolTape, tools: readonly T[]): T[] => {
  checkMockedTools('langChainTools', tape, tools)
  return tools.map((tool) => {
    const { _call: call, name } = (tool ?? {}) as Partial<StructuredTool>
    if (typeof call !== 'function') return tool
    const answer = async (args: unknown, _run: unknown, config?: { toolCall?: { id?: string } }) =>
      tape.call({ id: config?.toolCall?.id, name: name!, arguments: args }).result
    return withProperties(tool, { _call: answer })
  })
}
