// A Mastra agent with the model for the AI SDK: a tape is played, and a run recorded.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { live } from '../support/live.mjs'
import * as shared from '../support/agent-runs.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, sunny, ways, weatherTool } from './agent.mjs'

const folder = install()
const { aiSdkModel, createRecorder, mock, recordAiSdk, replay } = await load(folder, 'transcript-workbench', 'transcript-workbench/ai-sdk')
const LIVE = live(mock)

const cloudy = () => ({ temp: 72, condition: 'cloudy' })
const boom = () => {
  throw new Error('no answer from the station')
}

for (const [way, run] of Object.entries(ways)) {
  for (const specificationVersion of ['v4', 'v3', 'v2']) {
    test(`${way === 'stream' ? 'stream' : 'replay'}: ${way} runs a tool loop as recorded, with a model of ${specificationVersion}`, async () => {
      const tape = await replay({ text: shared.weather })
      const { ran, tools } = weatherTool(sunny)
      const words = await run(helpful(aiSdkModel(tape, { specificationVersion }), tools), "What's the weather?")
      assert.deepEqual([words, ran], ["It's 72°F and sunny!", ['NYC']])
      tape.assertComplete()
    })
  }

  test(`the traps: ${way} adds clock values and inputs to the prompt, which do not count`, async () => {
    const tape = await replay({ text: shared.weather })
    await run(helpful(aiSdkModel(tape), weatherTool(sunny).tools), "What's the weather?")
    const sent = JSON.stringify(tape.calls.at(-1).messages)
    assert.match(sent, /createdAt/)
    const result = tape.calls.at(-1).messages.at(-1).content[0]
    assert.equal(result.type, 'tool-result')
    assert.ok('input' in result)
    tape.assertComplete()
  })

  test(`parallel tools: ${way} runs both`, async () => {
    const tape = await replay({ text: shared.parallel })
    const { ran, tools } = weatherTool((location) => ({ temp: location === 'Oslo' ? 5 : 25 }))
    assert.equal(await run(helpful(aiSdkModel(tape), tools), 'Where is it warmer?'), 'In Rome.')
    assert.deepEqual(ran, ['Oslo', 'Rome'])
    tape.assertComplete()
  })

  test(`failing tool: ${way} follows one that fails as recorded, and no other`, async () => {
    const tape = await replay({ text: shared.failing('the station is down') })
    assert.equal(await run(helpful(aiSdkModel(tape), weatherTool(boom).tools), "What's the weather?"), 'I cannot tell.')
    tape.assertComplete()
    const other = await replay({ text: shared.failing('the station is down') })
    await assert.rejects(run(helpful(aiSdkModel(other), weatherTool(sunny).tools), "What's the weather?"), {
      name: 'TranscriptDivergenceError',
      path: 'messages[3].is_error',
    })
  })

  test(`drift: ${way} rejects with the step, the path and both values, and asks once`, async () => {
    const tape = await replay({ text: shared.weather })
    await assert.rejects(run(helpful(aiSdkModel(tape), weatherTool(cloudy).tools), "What's the weather?"), {
      name: 'TranscriptDivergenceError',
      step: '3',
      path: 'messages[3].result.condition',
      expected: 'sunny',
      actual: 'cloudy',
    })
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError' })
  })

  test(`record: ${way} is recorded, replays strictly, and drifts`, async () => {
    const recorder = createRecorder({ name: way, recording: way })
    const model = recordAiSdk(recorder).model(aiSdkModel(LIVE.weather()))
    assert.equal(await run(helpful(model, weatherTool(sunny).tools), "What's the weather?"), "It's 72°F and sunny!")
    assert.deepEqual(recorder.problems, [])
    const file = await recorder.save(join(folder, `${way}.yaml`))
    assert.deepEqual(
      recorder.finish().transcript.execution.map(({ type }) => type),
      ['llm_call', 'tool_call', 'llm_call'],
    )
    const tape = await replay(file)
    assert.equal(await run(helpful(aiSdkModel(tape), weatherTool(sunny).tools), "What's the weather?"), "It's 72°F and sunny!")
    tape.assertComplete()
    await assert.rejects(run(helpful(aiSdkModel(await replay(file)), weatherTool(cloudy).tools), "What's the weather?"), {
      name: 'TranscriptDivergenceError',
      step: '3',
    })
  })

  test(`structured output: ${way} reads it from the recorded text`, async () => {
    const tape = await replay({ text: shared.structured })
    const schema = z.object({ city: z.string(), population: z.number() })
    const agent = helpful(aiSdkModel(tape))
    const output = await agent[way]('Name a city', { structuredOutput: { schema } })
    assert.deepEqual(await output.object, { city: 'Rome', population: 2_800_000 })
    tape.assertComplete()
  })
}
