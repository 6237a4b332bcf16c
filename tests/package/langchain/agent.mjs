// The agents under test: a real tool, which counts its runs.
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { createAgent } from 'langchain'
import { z } from 'zod'

/** The tool of the agent; `read` is its real work. */
export const weatherTool = (read) => {
  const ran = []
  const weather = tool(
    async ({ location }) => {
      ran.push(location)
      return read(location)
    },
    { name: 'weather', description: 'The weather at a place', schema: z.object({ location: z.string() }) },
  )
  return { ran, weather }
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** Both ways to make an agent, by name. */
export const agents = {
  createReactAgent: (llm, tools = [], more = {}) => createReactAgent({ llm, tools, prompt: 'You are helpful', ...more }),
  createAgent: (model, tools = [], more = {}) => createAgent({ model, tools, systemPrompt: 'You are helpful', ...more }),
}

export const userInput = (content) => ({ messages: [{ role: 'user', content }] })

/** The text of the last message of a run. */
export const last = ({ messages }) => messages.at(-1).text
