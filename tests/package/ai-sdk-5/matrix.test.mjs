// Version 5 of the AI SDK, whose models have the interface v2, in every case of the table.
import { test } from 'node:test'
import { Output, generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/ai-sdk')
const { aiSdkModel, recordAiSdk } = all

const play = (source) => aiSdkModel(source, { specificationVersion: 'v2' })

const weather = (read) => tool({
  description: 'The weather at a place', inputSchema: z.object({ location: z.string() }), execute: async ({ location }) => read(location),
})

const settings = ({ asked, read, schema, plain }) => ({
  system: 'You are helpful',
  prompt: asked,
  stopWhen: stepCountIs(9),
  maxRetries: 0,
  ...(plain ? {} : { tools: { weather: weather(read) } }),
  ...(schema ? { experimental_output: Output.object({ schema: jsonSchema(schema) }) } : {}),
})

matrix(test, {
  adapter: 'ai 5',
  all,
  play,
  // It has no integrations of telemetry: results are those that the model is sent.
  record: (recorder, source) => ({ model: wrapLanguageModel({ model: play(source), middleware: recordAiSdk(recorder).middleware }) }),
  ended: 'length',
  ways: {
    ask: async (model, asking) => {
      const result = await generateText({ model, ...settings(asking) })
      return { text: result.text, ended: result.finishReason, object: asking.schema ? result.experimental_output : undefined }
    },
    stream: async (model, asking) => {
      const result = streamText({ model, onError: () => {}, ...settings(asking) })
      const heard = asking.heard ?? []
      for await (const delta of result.textStream) heard.push(delta)
      const text = await result.text
      return { text, ended: await result.finishReason, object: asking.schema ? JSON.parse(text) : undefined }
    },
  },
})
