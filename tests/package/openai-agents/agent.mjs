// The agent under test: a real tool, which counts its runs.
import { Agent, tool } from '@openai/agents'
import { z } from 'zod'

/** The tool of the agent; `read` is its real work. */
export const weatherTool = (read) => {
  const ran = []
  const weather = tool({
    name: 'weather',
    description: 'The weather at a place',
    parameters: z.object({ location: z.string() }),
    execute: async ({ location }) => {
      ran.push(location)
      return read(location)
    },
  })
  return { ran, weather }
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** The agent of the recordings. */
export const helpful = (model, tools = [], more = {}) =>
  new Agent({ name: 'Helper', instructions: 'You are helpful', model, tools, ...more })
