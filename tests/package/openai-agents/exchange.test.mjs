// What the OpenAI Agents SDK records replays everywhere, and what others record replays here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Runner, setTracingDisabled } from '@openai/agents'
import { FRAMEWORKS, RUNS, compareWithStored, storedRecording } from '../support/exchange.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, weatherTool } from './agent.mjs'

const { openAIAgentsModel, createRecorder, mock, recordOpenAIAgents, replay } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/openai-agents',
)
setTracingDisabled(true)

const agent = (model, { read }) => helpful(model, [weatherTool(read).weather])

for (const [name, run] of Object.entries(RUNS)) {
  test(`record: the run \`${name}\` is the stored recording`, async () => {
    const recorder = createRecorder({ name, recording: name })
    const recording = recordOpenAIAgents(recorder)
    const runner = recording.attach(new Runner())
    const { finalOutput } = await runner.run(agent(recording.model(openAIAgentsModel(run.live(mock))), run), run.question)
    assert.equal(finalOutput, run.answer)
    compareWithStored('openai-agents', name, recorder)
  })

  for (const framework of FRAMEWORKS) {
    test(`exchange: the run \`${name}\` of ${framework} replays, at once and streamed`, async () => {
      for (const stream of [false, true]) {
        const tape = await replay(storedRecording(framework, name))
        const result = await new Runner().run(agent(openAIAgentsModel(tape), run), run.question, { stream })
        await result.completed
        assert.equal(result.finalOutput, run.answer)
        tape.assertComplete()
      }
    })
  }
}
