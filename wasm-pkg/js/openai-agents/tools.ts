// Tools of an agent with recorded results.
import type { RecordedToolError } from '../api/errors.ts'
import type { Fields } from '../api/fields.ts'
import type { ToolTape } from '../types/index.ts'
import { withProperties, checkMockedTools } from '../adapters/recorded-tools.ts'
import { parseData } from '../adapters/run-recorder.ts'
import { failureDetector } from './from-sdk.ts'
import type { FailureOptions } from './protocol.ts'

/** A tool of the SDK; only a function tool is invoked here. */
interface AgentTool {
  type: string
  name: string
  invoke?: unknown
}

/** The text that the SDK sends the model for a failed tool. */
const FAILED = 'An error occurred while running the tool. Please try again.'

/**
 * The tools, each answering with its recorded results; anything but a function tool stays as it is. A failure has its recorded
 * text if `isFailure` recognises it, otherwise that of the SDK.
 */
export const openAIAgentsTools = <Tool extends AgentTool>(
  tape: ToolTape,
  tools: readonly Tool[],
  { isFailure }: FailureOptions = {},
): Tool[] => {
  checkMockedTools('openAIAgentsTools', tape, tools)
  const isFailed = failureDetector('openAIAgentsTools', isFailure)
  return tools.map((tool) => {
    if (tool?.type !== 'function' || typeof tool.invoke !== 'function') return tool
    const invoke = async (_context: unknown, input: unknown, details?: { toolCall?: { callId?: string } }) => {
      try {
        return tape.call({ id: details?.toolCall?.callId, name: tool.name, arguments: parseData(input) }).result
      } catch (error) {
        if ((error as Fields)?.name !== 'RecordedToolError') throw error
        return isFailed((error as RecordedToolError).message, tool) ? (error as RecordedToolError).message : FAILED
      }
    }
    return withProperties(tool, { invoke })
  })
}
