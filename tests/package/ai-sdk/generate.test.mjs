// generateText with a tape for its model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Output, ToolLoopAgent, generateText, isStepCount } from 'ai'
import { z } from 'zod'
import { install, load } from '../support/tarball.mjs'
import { question, sunny, weatherTool } from './agent.mjs'
import * as recordings from './transcripts.mjs'

const { aiSdkModel, replay, RecordedModelError, TranscriptDivergenceError } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/ai-sdk',
)

test('a tool loop runs as recorded, with the real tool', async () => {
  const tape = await replay({ text: recordings.weather, file: 'weather.yaml' })
  const { ran, tools } = weatherTool(sunny)
  const result = await generateText({ model: aiSdkModel(tape), tools, ...question })
  assert.equal(result.text, "It's 72°F and sunny!")
  assert.deepEqual(ran, ['NYC'])
  assert.equal(result.steps.length, 2)
  assert.equal(result.steps[0].text, "I'll check.")
  assert.equal(result.steps[0].finishReason, 'tool-calls')
  assert.equal(result.finishReason, 'stop')
  assert.deepEqual(
    result.steps[0].toolResults.map(({ output }) => output),
    [sunny()],
  )
  assert.equal(tape.remainingSteps, 0)
  assert.deepEqual(
    tape.calls.map(({ step, outcome }) => [step, outcome]),
    [
      ['1', 'response'],
      ['3', 'response'],
    ],
  )
  tape.assertComplete()
})

test('an agent of the SDK plays the same recording', async () => {
  const tape = await replay({ text: recordings.weather })
  const { tools } = weatherTool(sunny)
  const agent = new ToolLoopAgent({ model: aiSdkModel(tape), tools, instructions: 'You are helpful' })
  const { text } = await agent.generate({ prompt: "What's the weather?" })
  assert.equal(text, "It's 72°F and sunny!")
  tape.assertComplete()
})

test('older versions of the model interface play too', async () => {
  for (const specificationVersion of ['v3', 'v2']) {
    const tape = await replay({ text: recordings.weather })
    const { tools } = weatherTool(sunny)
    const model = aiSdkModel(tape, { specificationVersion })
    const { text, finishReason } = await generateText({ model, tools, ...question })
    assert.equal(text, "It's 72°F and sunny!", specificationVersion)
    assert.equal(finishReason, 'stop', specificationVersion)
    tape.assertComplete()
  }
})

test('a drift rejects with the step, the path and both values', async () => {
  const tape = await replay({ text: recordings.weather, file: 'weather.yaml' })
  const { tools } = weatherTool(() => ({ temp: 72, condition: 'cloudy' }))
  await assert.rejects(generateText({ model: aiSdkModel(tape), tools, ...question }), (error) => {
    assert.ok(error instanceof TranscriptDivergenceError)
    assert.equal(error.name, 'TranscriptDivergenceError')
    const { step, path, expected, actual, nearest, hint } = error
    assert.deepEqual(
      { step, path, expected, actual },
      {
        step: '3',
        path: 'messages[3].result.condition',
        expected: 'sunny',
        actual: 'cloudy',
      },
    )
    assert.deepEqual(nearest, [{ step: '1', reason: 'messages[2] differs', path: 'messages[2]' }])
    assert.ok(hint.length > 0)
    for (const part of ['weather.yaml', 'step 3', path, '"sunny"', '"cloudy"', hint]) {
      assert.ok(error.message.includes(part), `${part} is missing in: ${error.message}`)
    }
    return true
  })
  // A divergence is requested once: nothing has retried it.
  assert.deepEqual(
    tape.calls.map(({ outcome }) => outcome),
    ['response', 'divergence'],
  )
  assert.throws(() => tape.assertComplete(), TranscriptDivergenceError)
})

test('another question diverges at the first step', async () => {
  const tape = await replay({ text: recordings.weather })
  const { ran, tools } = weatherTool(sunny)
  const options = { ...question, prompt: "What's the time?" }
  await assert.rejects(generateText({ model: aiSdkModel(tape), tools, ...options }), {
    name: 'TranscriptDivergenceError',
    step: '1',
    path: 'messages[1].content',
    expected: "What's the weather?",
    actual: "What's the time?",
  })
  assert.deepEqual(ran, [])
})

test('a run that ends early is reported by assertComplete, with the steps that are left', async () => {
  const tape = await replay({ text: recordings.weather, file: 'weather.yaml' })
  const { tools } = weatherTool(sunny)
  await generateText({ model: aiSdkModel(tape), tools, ...question, stopWhen: isStepCount(1) })
  assert.deepEqual(tape.leftover, ['3'])
  assert.throws(
    () => tape.assertComplete(),
    (error) => {
      assert.ok(error instanceof TranscriptDivergenceError)
      assert.deepEqual([error.step, error.path, error.actual], ['3', 'messages', undefined])
      assert.equal(error.expected.length, 4)
      assert.match(error.message, /weather\.yaml: the run ended before the recording: 1 model call/)
      return true
    },
  )
})

test('a call too many diverges', async () => {
  const tape = await replay({ text: "messages: ['user: Hi', 'assistant: Hello!']" })
  const model = aiSdkModel(tape)
  await generateText({ model, prompt: 'Hi' })
  await assert.rejects(generateText({ model, prompt: 'Hi' }), {
    name: 'TranscriptDivergenceError',
    path: 'messages',
    expected: undefined,
    missing: 'expected',
  })
})

test('parallel calls run both tools, whichever ends first', async () => {
  const tape = await replay({ text: recordings.parallel })
  const late = (value, ticks) => (ticks === 0 ? value : new Promise((done) => setImmediate(() => done(late(value, ticks - 1)))))
  const { ran, tools } = weatherTool((location) => (location === 'Oslo' ? late({ temp: 5 }, 5) : { temp: 25 }))
  const { text, steps } = await generateText({
    model: aiSdkModel(tape),
    tools,
    prompt: 'Where is it warmer?',
    stopWhen: isStepCount(9),
  })
  assert.equal(text, 'In Rome.')
  assert.deepEqual(ran, ['Oslo', 'Rome'])
  assert.equal(steps[0].toolCalls.length, 2)
  tape.assertComplete()
})

test('a tool that fails as recorded follows, and one that no longer fails does not', async () => {
  const down = weatherTool(() => {
    throw new Error('no answer from the station')
  })
  const options = { prompt: "What's the weather?", stopWhen: isStepCount(9) }
  const tape = await replay({ text: recordings.failing })
  const { text } = await generateText({ model: aiSdkModel(tape), tools: down.tools, ...options })
  assert.equal(text, 'I cannot tell.')
  tape.assertComplete()
  const other = await replay({ text: recordings.failing })
  await assert.rejects(generateText({ model: aiSdkModel(other), tools: weatherTool(sunny).tools, ...options }), {
    name: 'TranscriptDivergenceError',
    step: '3',
    path: 'messages[2].is_error',
    expected: true,
    actual: false,
  })
})

test('structured output is read from the recorded text', async () => {
  const tape = await replay({ text: recordings.structured })
  const { output } = await generateText({
    model: aiSdkModel(tape),
    prompt: 'Name a city',
    output: Output.object({ schema: z.object({ city: z.string(), population: z.number() }) }),
  })
  assert.deepEqual(output, { city: 'Rome', population: 2_800_000 })
  tape.assertComplete()
})

test('a recorded failure is retried where the recording goes on with the same request', async () => {
  const tape = await replay({ text: recordings.retried })
  const { text, usage } = await generateText({ model: aiSdkModel(tape), prompt: 'Hi' })
  assert.equal(text, 'Hello!')
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [11, 3, 14])
  assert.equal(usage.inputTokenDetails.cacheReadTokens, 4)
  assert.equal(usage.inputTokenDetails.noCacheTokens, 7)
  assert.deepEqual(
    tape.calls.map(({ outcome }) => outcome),
    ['error', 'response'],
  )
  tape.assertComplete()
})

test('a recorded failure that ended the run ends the replay', async () => {
  const tape = await replay({ text: recordings.broken, file: 'broken.yaml' })
  await assert.rejects(generateText({ model: aiSdkModel(tape), prompt: 'Hi' }), (error) => {
    assert.ok(error instanceof RecordedModelError)
    assert.deepEqual([error.step, error.status, error.retried], ['1', 529, false])
    assert.equal(error.message, 'broken.yaml: step 1: the model call failed, as recorded: overloaded: too much')
    return true
  })
  assert.equal(tape.calls.length, 1)
  tape.assertComplete()
})

test('reasoning and a refusal are passed on', async () => {
  const thought = await generateText({
    model: aiSdkModel(await replay({ text: recordings.reasoned })),
    prompt: 'Hi',
  })
  assert.deepEqual([thought.reasoningText, thought.text], ['two and two', 'Four.'])
  const refused = await generateText({
    model: aiSdkModel(await replay({ text: recordings.refused })),
    prompt: 'Hi',
  })
  assert.deepEqual([refused.text, refused.finishReason], ['', 'content-filter'])
  assert.deepEqual(refused.providerMetadata, { transcript: { refusal: 'I must not.' } })
})

test('a run that was given up is not requested', async () => {
  const tape = await replay({ text: recordings.weather })
  const aborted = AbortSignal.abort(new Error('given up'))
  await assert.rejects(aiSdkModel(tape).doGenerate({ prompt: [], abortSignal: aborted }), { message: 'given up' })
  assert.equal(tape.calls.length, 0)
})

test('what is no tape is refused', () => {
  assert.throws(() => aiSdkModel(replay({ text: recordings.weather })), /pass `await replay\(file\)` or `mock\(…\)`/)
  assert.throws(() => aiSdkModel({}), /takes a tape/)
})
