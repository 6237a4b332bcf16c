// Versions of the AI SDK before the present one, in every case of the table.
import { matrix } from './matrix.mjs'

/** Tests one version: `ai` and `z` are its modules, `all` the package, `output` its name for structured output. */
export const matrixOf = (adapter, { test, ai, z, all, specificationVersion, output }) => {
  const { Output, generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } = ai
  const { aiSdkModel, recordAiSdk } = all
  const play = (source) => aiSdkModel(source, { specificationVersion })
  const weather = (read) =>
    tool({
      description: 'The weather at a place',
      inputSchema: z.object({ location: z.string() }),
      execute: async ({ location }) => read(location),
    })
  const settings = ({ question, read, schema, plain }) => ({
    system: 'You are helpful',
    prompt: question,
    stopWhen: stepCountIs(9),
    maxRetries: 0,
    ...(plain ? {} : { tools: { weather: weather(read) } }),
    ...(schema ? { [output]: Output.object({ schema: jsonSchema(schema) }) } : {}),
  })
  matrix(test, {
    adapter,
    all,
    play,
    // It has no integrations of telemetry: results are those that the model is sent.
    record: (recorder, source) => ({ model: wrapLanguageModel({ model: play(source), middleware: recordAiSdk(recorder).middleware }) }),
    ended: 'length',
    ways: {
      generate: async (model, scenario) => {
        const result = await generateText({ model, ...settings(scenario) })
        return { text: result.text, ended: result.finishReason, object: scenario.schema ? result[output] : undefined }
      },
      stream: async (model, scenario) => {
        let report
        const result = streamText({ model, onError: ({ error }) => (report ??= error), ...settings(scenario) })
        const received = scenario.received ?? []
        for await (const delta of result.textStream) received.push(delta)
        // What the first call failed with goes to `onError` alone.
        const text = await Promise.resolve(result.text).catch((error) => Promise.reject(report ?? error))
        return { text, ended: await result.finishReason, object: scenario.schema ? JSON.parse(text) : undefined }
      },
    },
  })
}
