// The provider of Bedrock of the AI SDK, which takes a `fetch`, and reads frames with a codec of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { MODEL, sunny } from './agent.mjs'

const { createRecorder, parse, recordFetch, replay, replayFetch } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
)

const request = (fetch, read) => ({
  model: createAmazonBedrock({ region: 'eu-west-1', apiKey: 'none', fetch })(MODEL),
  system: 'You are helpful',
  prompt: "What's the weather?",
  maxRetries: 0,
  stopWhen: stepCountIs(3),
  tools: {
    weather: tool({
      inputSchema: jsonSchema({ type: 'object', properties: { location: { type: 'string' } } }),
      execute: ({ location }) => read(location),
    }),
  },
})

const streamed = async (fetch, read) => {
  let failure
  const { textStream } = streamText({ ...request(fetch, read), onError: ({ error }) => (failure = error) })
  let text = ''
  for await (const piece of textStream) text += piece
  if (failure !== undefined) throw failure
  return text
}

const ways = {
  generateText: async (fetch, read) => (await generateText(request(fetch, read))).text,
  streamText: streamed,
}

for (const [name, run] of Object.entries(ways)) {
  test(`a run is recorded, plays strictly, and reports a drift: ${name}`, async () => {
    const recorder = createRecorder({ name: 'weather', chunks: true })
    const fetch = recordFetch(recorder, { fetch: replayFetch(await replay({ text: recordings.weather })) })
    assert.match(await run(fetch, sunny), /It's 72°F and sunny!$/)
    const { text, problems } = recorder.finish()
    assert.deepEqual([problems, parse(text).diagnostics], [[], []])
    for (const again of Object.values(ways)) {
      const tape = await replay({ text })
      assert.match(await again(replayFetch(tape), sunny), /It's 72°F and sunny!$/)
      tape.assertComplete()
    }
    const drifting = replayFetch(await replay({ text }))
    await assert.rejects(
      run(drifting, () => ({ temp: 1, condition: 'sunny' })),
      { statusCode: 400 },
    )
    assert.equal(drifting.lastDivergence.path, 'messages[3].result.temp')
  })
}
