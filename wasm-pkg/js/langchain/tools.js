// Tools of an agent with recorded results.
import { withProperties, checkMockedTools } from '../adapters/recorded-tools.ts'

/** The tools, each answering with its recorded results. */
export const langchainTools = (tape, tools) => {
  checkMockedTools('langchainTools', tape, tools)
  return tools.map((tool) => {
    if (typeof tool?._call !== 'function') return tool
    const answer = async (args, _run, config) => tape.call({ id: config?.toolCall?.id, name: tool.name, arguments: args }).result
    return withProperties(tool, { _call: answer })
  })
}
