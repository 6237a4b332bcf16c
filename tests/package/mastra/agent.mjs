// The agent under test: a real tool, which counts its runs.
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

/** The tool of the agent; `read` is its real work. */
export const weatherTool = (read) => {
  const ran = []
  const weather = createTool({
    id: 'weather',
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

/** The agent of the recordings; it logs nothing. */
export const helpful = (model, tools = {}) => {
  const helper = new Agent({ id: 'helper', name: 'Helper', instructions: 'You are helpful', model, tools })
  return new Mastra({ agents: { helper }, logger: false }).getAgent('helper')
}

/** The ways to run an agent: what it says in the end. */
export const ways = {
  generate: async (agent, words, more) => {
    const { steps, text } = await agent.generate(words, more)
    return steps.at(-1)?.text ?? text
  },
  stream: async (agent, words, more) => {
    const output = await agent.stream(words, more)
    for await (const _ of output.fullStream);
    if (output.error) throw output.error
    return (await output.steps).at(-1).text
  },
}
