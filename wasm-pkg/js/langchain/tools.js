// Tools of an agent with recorded results.
import { changed, checkTools } from '../adapters/recorded-tools.js'

/** The tools, each answering with its recorded results. */
export const langchainTools = (tape, tools) => {
  checkTools('langchainTools', tape, tools)
  return tools.map((tool) => {
    if (typeof tool?._call !== 'function') return tool
    const answer = async (given, _run, config) => tape.call({ id: config?.toolCall?.id, name: tool.name, arguments: given }).result
    return changed(tool, { _call: answer })
  })
}
