// The AI SDK in every case of the table.
import { test } from 'node:test'
import { Output, ToolLoopAgent, generateText, isStepCount, jsonSchema, streamText, wrapLanguageModel } from 'ai'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { weatherTool } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/ai-sdk')
const { aiSdkModel, recordAiSdk } = all

const play = (source) => aiSdkModel(source)
const record = (recorder, source) => {
  const { middleware, telemetry } = recordAiSdk(recorder)
  return { model: wrapLanguageModel({ model: aiSdkModel(source), middleware }), more: { telemetry: { integrations: [telemetry] } } }
}

const settings = ({ read, schema, plain }) => ({
  instructions: 'You are helpful',
  stopWhen: isStepCount(9),
  maxRetries: 0,
  ...(plain ? {} : { tools: weatherTool(read).tools }),
  ...(schema ? { output: Output.object({ schema: jsonSchema(schema) }) } : {}),
})

const resultOf = async (result, { schema }) => {
  const { text, finishReason: ended } = result
  return { text, ended, object: schema ? result.output : undefined }
}

/** What the first call failed with goes to `onError` alone. */
const streamed = async (begin, { schema, received = [] }) => {
  let report
  const result = await begin(({ error }) => (report ??= error))
  for await (const delta of result.textStream) received.push(delta)
  const text = await Promise.resolve(result.text).catch((error) => Promise.reject(report ?? error))
  return { text, ended: await result.finishReason, object: schema ? await result.output : undefined }
}

matrix(test, {
  adapter: 'generateText, streamText',
  all,
  play,
  record,
  ended: 'length',
  ways: {
    generate: async (model, scenario, more) =>
      resultOf(await generateText({ model, prompt: scenario.question, ...settings(scenario), ...more }), scenario),
    stream: (model, scenario, more) =>
      streamed((onError) => streamText({ model, prompt: scenario.question, onError, ...settings(scenario), ...more }), scenario),
  },
})

matrix(test, {
  adapter: 'ToolLoopAgent',
  all,
  play,
  record,
  ended: 'length',
  ways: {
    generate: async (model, scenario, more) =>
      resultOf(await new ToolLoopAgent({ model, ...settings(scenario), ...more }).generate({ prompt: scenario.question }), scenario),
    stream: (model, scenario, more) =>
      streamed(
        (onError) => new ToolLoopAgent({ model, ...settings(scenario), ...more, onError }).stream({ prompt: scenario.question, onError }),
        scenario,
      ),
  },
})
