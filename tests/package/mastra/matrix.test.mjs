// A Mastra agent in every case of the table.
import { test } from 'node:test'
import { z } from 'zod'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, weatherTool } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/ai-sdk')
const { aiSdkModel, recordAiSdk } = all

const agentOf = (model, { read, plain }) => helpful(model, plain ? {} : weatherTool(read).tools)

const options = ({ schema }) => (schema ? { structuredOutput: { schema: z.object({ city: z.string(), population: z.number() }) } } : {})

matrix(test, {
  adapter: 'Mastra Agent',
  all,
  play: (source) => aiSdkModel(source),
  record: (recorder, source) => ({ model: recordAiSdk(recorder).model(aiSdkModel(source)) }),
  ended: 'length',
  // A run of Mastra ends where a tool returns nothing.
  without: ['nothing'],
  ways: {
    generate: async (model, scenario) => {
      const output = await agentOf(model, scenario).generate(scenario.question, options(scenario))
      if (output.error) throw output.error
      return { text: output.steps.at(-1)?.text ?? output.text, ended: output.finishReason, object: output.object }
    },
    stream: async (model, scenario) => {
      const output = await agentOf(model, scenario).stream(scenario.question, options(scenario))
      for await (const { type, payload } of output.fullStream) if (type === 'text-delta') scenario.received?.push(payload.text)
      if (output.error) throw output.error
      return {
        text: (await output.steps).at(-1).text,
        ended: await output.finishReason,
        object: scenario.schema ? await output.object : undefined,
      }
    },
  },
})
