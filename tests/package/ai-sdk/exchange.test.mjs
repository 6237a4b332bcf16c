// What the AI SDK records replays everywhere, and what others record replays here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai'
import { FRAMEWORKS, RUNS, compareWithStored, storedRecording } from '../support/exchange.mjs'
import { install, load } from '../support/tarball.mjs'
import { weatherTool } from './agent.mjs'

const { aiSdkModel, createRecorder, mock, recordAiSdk, replay } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/ai-sdk',
)

const promptSettings = ({ question: prompt, read }) => ({
  prompt,
  tools: weatherTool(read).tools,
  instructions: 'You are helpful',
  stopWhen: isStepCount(9),
})

for (const [name, run] of Object.entries(RUNS)) {
  test(`record: the run \`${name}\` is the stored recording`, async () => {
    const recorder = createRecorder({ name, recording: name })
    const { middleware, telemetry } = recordAiSdk(recorder)
    const model = wrapLanguageModel({ model: aiSdkModel(run.live(mock)), middleware })
    const { text } = await generateText({ model, ...promptSettings(run), telemetry: { integrations: [telemetry] } })
    assert.equal(text, run.answer)
    compareWithStored('ai-sdk', name, recorder)
  })

  for (const framework of FRAMEWORKS) {
    test(`exchange: the run \`${name}\` of ${framework} replays, at once and streamed`, async () => {
      const tape = await replay(storedRecording(framework, name))
      assert.equal((await generateText({ model: aiSdkModel(tape), ...promptSettings(run) })).text, run.answer)
      tape.assertComplete()
      const streamed = await replay(storedRecording(framework, name))
      assert.equal(await streamText({ model: aiSdkModel(streamed), ...promptSettings(run) }).text, run.answer)
      streamed.assertComplete()
    })
  }
}
