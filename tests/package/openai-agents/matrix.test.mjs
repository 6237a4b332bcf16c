// The OpenAI Agents SDK in every case of the table.
import { test } from 'node:test'
import { Runner } from '@openai/agents'
import { z } from 'zod'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, weatherTool } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/openai-agents')
const { openAIAgentsProvider, recordOpenAIAgents } = all

const agentOf = ({ read, schema, plain }) =>
  helpful(
    'large',
    plain ? [] : [weatherTool(read).weather],
    schema ? { outputType: z.object({ city: z.string(), population: z.number() }) } : {},
  )

const answer = ({ finalOutput, rawResponses }, { schema }) => {
  const { output } = rawResponses.at(-1)
  const ended = output.at(-1).status
  return schema ? { object: finalOutput, ended } : { text: finalOutput, ended }
}

matrix(test, {
  adapter: 'Runner.run',
  all,
  play: (source) => new Runner({ modelProvider: openAIAgentsProvider(source) }),
  record: (recorder, source) => {
    const recording = recordOpenAIAgents(recorder)
    return { model: recording.attach(new Runner({ modelProvider: recording.provider(openAIAgentsProvider(source)) })) }
  },
  // The SDK has no word for why an answer ended.
  ended: 'incomplete',
  ways: {
    generate: async (runner, scenario) => answer(await runner.run(agentOf(scenario), scenario.question), scenario),
    stream: async (runner, scenario) => {
      const result = await runner.run(agentOf(scenario), scenario.question, { stream: true })
      for await (const delta of result.toTextStream()) scenario.received?.push(delta)
      await result.completed
      return answer(result, scenario)
    },
  },
})
