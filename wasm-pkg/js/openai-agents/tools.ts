// Tools of an agent with recorded results.
import type { RecordedToolError } from '../api/errors.ts'
import type { Fields } from '../api/fields.ts'
import type { ToolTape } from '../types/index.ts'
import type { IsFailure } from '../types/openai-agents.ts'
import { withProperties, checkMockedTools } from '../adapters/recorded-tools.ts'
import { parseData } from '../adapters/run-recorder.ts'
import { failureDetector } from './from-sdk.ts'

/** A tool of the SDK; only a function tool is invoked here. */
interface AgentTool {
  type: string
  name: string
  invoke?: unknown
}

/** The text that the SDK sends the model for a failed tool. */
const FAILED = 'An error occurred while running the tool. Please try again.'

/**
 * The tools of an agent with recorded results instead of their own work, for a live model.
 *
 * The model gets the failure of a tool in the recording: in the recorded text where it is that of the SDK or `isFailure`
 * knows it, as with an `errorFunction` of the tool, and otherwise in that of the SDK.
 *
 * @param options.isFailure Which texts mean that a tool failed, in addition to those of the SDK.
 * @example
 * const tape = await replay('run.yaml', { mode: 'mocked-tools' })
 * const agent = new Agent({ name: 'Helper', tools: openAIAgentsTools(tape, [weather]) })
 */
export const openAIAgentsTools = <T extends object>(tape: ToolTape, tools: readonly T[], options: { isFailure?: IsFailure } = {}): T[] => {
  checkMockedTools('openAIAgentsTools', tape, tools)
  const isFailed = failureDetector('openAIAgentsTools', options.isFailure)
  return tools.map((tool) => {
    const { type, name, invoke: inner } = (tool ?? {}) as Partial<AgentTool>
    if (type !== 'function' || typeof inner !== 'function') return tool
    const invoke = async (_context: unknown, input: unknown, details?: { toolCall?: { callId?: string } }) => {
      try {
        return tape.call({ id: details?.toolCall?.callId, name: name!, arguments: parseData(input) }).result
      } catch (error) {
        if ((error as Fields)?.name !== 'RecordedToolError') throw error
        return isFailed((error as RecordedToolError).message, tool) ? (error as RecordedToolError).message : FAILED
      }
    }
    return withProperties(tool, { invoke })
  })
}
