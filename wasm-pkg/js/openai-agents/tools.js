// Tools of an agent with recorded results.
import { changed, checkTools } from '../adapters/mocked.js'
import { dataOf } from '../adapters/telling.js'

/** What the SDK tells the model of a tool that failed. */
const FAILED = 'An error occurred while running the tool. Please try again.'

/** The tools, each answering with its recorded results; what is no function tool stays as it is. */
export const agentsTools = (tape, tools) => {
  checkTools('agentsTools', tape, tools)
  return tools.map((tool) => {
    if (tool?.type !== 'function' || typeof tool.invoke !== 'function') return tool
    const invoke = async (_context, input, details) => {
      try {
        return tape.call({ id: details?.toolCall?.callId, name: tool.name, arguments: dataOf(input) }).result
      } catch (error) {
        if (error?.name === 'RecordedToolError') return FAILED
        throw error
      }
    }
    return changed(tool, { invoke })
  })
}
