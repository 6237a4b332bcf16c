// The agent under test: a real tool, which counts its runs.
import { isStepCount, tool } from 'ai'
import { z } from 'zod'

/** The tool of the agent; `read` is its real work. */
export const weatherTool = (read) => {
  const ran = []
  const weather = tool({
    description: 'The weather at a place',
    inputSchema: z.object({ location: z.string() }),
    execute: async ({ location }) => {
      ran.push(location)
      return read(location)
    },
  })
  return { ran, tools: { weather } }
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** The question of the recordings, and room for every step. */
export const question = { instructions: 'You are helpful', prompt: "What's the weather?", stopWhen: isStepCount(9) }
