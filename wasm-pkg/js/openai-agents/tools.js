// Tools of an agent with recorded results.
import { withProperties, checkMockedTools } from '../adapters/recorded-tools.ts'
import { parseData } from '../adapters/run-recorder.ts'
import { failureDetector } from './from-sdk.js'

/** The text that the SDK sends the model for a failed tool. */
const FAILED = 'An error occurred while running the tool. Please try again.'

/**
 * The tools, each answering with its recorded results; anything but a function tool stays as it is. A failure has its recorded
 * text if `isFailure` recognises it, otherwise that of the SDK.
 */
export const agentsTools = (tape, tools, { isFailure } = {}) => {
  checkMockedTools('agentsTools', tape, tools)
  const isFailed = failureDetector('agentsTools', isFailure)
  return tools.map((tool) => {
    if (tool?.type !== 'function' || typeof tool.invoke !== 'function') return tool
    const invoke = async (_context, input, details) => {
      try {
        return tape.call({ id: details?.toolCall?.callId, name: tool.name, arguments: parseData(input) }).result
      } catch (error) {
        if (error?.name !== 'RecordedToolError') throw error
        return isFailed(error.message, tool) ? error.message : FAILED
      }
    }
    return withProperties(tool, { invoke })
  })
}
