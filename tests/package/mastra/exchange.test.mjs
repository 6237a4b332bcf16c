// What a Mastra agent records replays everywhere, and what others record replays here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAMEWORKS, RUNS, compareWithStored, storedRecording } from '../support/exchange.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, ways, weatherTool } from './agent.mjs'

const { aiSdkModel, createRecorder, mock, recordAiSdk, replay } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/ai-sdk',
)

for (const [name, run] of Object.entries(RUNS)) {
  test(`record: the run \`${name}\` is the stored recording`, async () => {
    const recorder = createRecorder({ name, recording: name })
    const model = recordAiSdk(recorder).model(aiSdkModel(run.live(mock)))
    assert.equal(await ways.generate(helpful(model, weatherTool(run.read).tools), run.question), run.answer)
    compareWithStored('mastra', name, recorder)
  })

  for (const framework of FRAMEWORKS) {
    test(`exchange: the run \`${name}\` of ${framework} replays, at once and streamed`, async () => {
      for (const way of Object.values(ways)) {
        const tape = await replay(storedRecording(framework, name))
        assert.equal(await way(helpful(aiSdkModel(tape), weatherTool(run.read).tools), run.question), run.answer)
        tape.assertComplete()
      }
    })
  }
}
