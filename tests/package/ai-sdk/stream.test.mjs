// streamText with a tape for its model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStepCount, streamText } from 'ai'
import { PIECES, streamed } from '../support/agent-runs.mjs'
import { install, load } from '../support/tarball.mjs'
import { question, sunny, weatherTool } from './agent.mjs'
import * as recordings from './transcripts.mjs'

const { aiSdkModel, mock, replay, TranscriptDivergenceError } = await load(install(), 'transcript-workbench', 'transcript-workbench/ai-sdk')

const collect = async (stream) => {
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

test('a tool loop streams as recorded, for each version of the interface', async () => {
  for (const specificationVersion of ['v4', 'v3', 'v2']) {
    const tape = await replay({ text: recordings.weather })
    const { ran, tools } = weatherTool(sunny)
    const result = streamText({ model: aiSdkModel(tape, { specificationVersion }), tools, ...question })
    const pieces = await collect(result.textStream)
    assert.deepEqual(pieces, ["I'll ", 'check.', "It's ", '72°F ', 'and ', 'sunny!'], specificationVersion)
    assert.equal(await result.text, "It's 72°F and sunny!")
    assert.equal((await result.steps).length, 2)
    assert.equal(await result.finishReason, 'stop')
    assert.deepEqual(ran, ['NYC'])
    tape.assertComplete()
  }
})

test('every part of a streamed call is there, in order', async () => {
  const tape = await replay({ text: recordings.weather })
  const prompt = [
    { role: 'system', content: 'You are helpful' },
    { role: 'user', content: [{ type: 'text', text: "What's the weather?" }] },
  ]
  const { stream } = await aiSdkModel(tape).doStream({ prompt })
  const parts = await collect(stream)
  assert.deepEqual(
    parts.map(({ type }) => type),
    [
      'stream-start',
      'response-metadata',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ],
  )
  assert.deepEqual(parts.at(-2), {
    type: 'tool-call',
    toolCallId: 'call_001',
    toolName: 'weather',
    input: '{"location":"NYC"}',
  })
  assert.deepEqual(parts.at(-1).finishReason, { unified: 'tool-calls', raw: undefined })
  assert.deepEqual(Object.keys(parts.at(-1).usage), ['inputTokens', 'outputTokens'])
})

test('parallel calls stream', async () => {
  const tape = await replay({ text: recordings.parallel })
  const { ran, tools } = weatherTool((location) => ({ temp: location === 'Oslo' ? 5 : 25 }))
  const options = { prompt: 'Where is it warmer?', stopWhen: isStepCount(9) }
  const { text } = streamText({ model: aiSdkModel(tape), tools, ...options })
  assert.equal(await text, 'In Rome.')
  assert.deepEqual(ran, ['Oslo', 'Rome'])
  tape.assertComplete()
})

/** A run that drifts at its second call, where the SDK loses what a model throws. */
const drifting = async () => {
  const tape = await replay({ text: recordings.weather })
  const { tools } = weatherTool(() => ({ temp: 72, condition: 'cloudy' }))
  const seen = []
  const result = streamText({
    model: aiSdkModel(tape),
    tools,
    ...question,
    onError: ({ error }) => seen.push(error),
  })
  return { tape, result, seen }
}

const isTheDrift = (error) => {
  assert.ok(error instanceof TranscriptDivergenceError, String(error))
  assert.deepEqual([error.step, error.expected, error.actual], ['3', 'sunny', 'cloudy'])
  return true
}

test('a drift in a later step reaches whoever awaits the text', async () => {
  const { tape, result } = await drifting()
  await assert.rejects(async () => await result.text, isTheDrift)
  await assert.rejects(async () => await result.steps, isTheDrift)
  assert.throws(() => tape.assertComplete(), isTheDrift)
})

test('a drift in a later step reaches whoever reads the stream', async () => {
  const { result, seen } = await drifting()
  await assert.rejects(collect(result.textStream), isTheDrift)
  assert.ok(seen.every(isTheDrift))
})

test('a drift in the first step reaches whoever awaits the text', async () => {
  const tape = await replay({ text: recordings.weather })
  const { tools } = weatherTool(sunny)
  const result = streamText({
    model: aiSdkModel(tape),
    tools,
    ...question,
    prompt: 'Hello?',
    onError: () => {},
  })
  await assert.rejects(async () => await result.text, { name: 'TranscriptDivergenceError', step: '1' })
})

test('a recorded failure is retried where the recording goes on, and ends the stream where it does not', async () => {
  const tape = await replay({ text: recordings.retried })
  assert.equal(await streamText({ model: aiSdkModel(tape), prompt: 'Hi' }).text, 'Hello!')
  tape.assertComplete()
  const ended = streamText({
    model: aiSdkModel(await replay({ text: recordings.broken })),
    prompt: 'Hi',
    onError: () => {},
  })
  await assert.rejects(async () => await ended.text, { name: 'RecordedModelError', status: 529 })
})

test('the recorded pieces are streamed, and those of a mock', async () => {
  const answers = mock(mock.create({ content: PIECES.join(''), chunks: PIECES.map((text) => ({ text })) }))
  for (const source of [await replay({ text: streamed }), answers]) {
    const deltas = []
    for await (const delta of streamText({ model: aiSdkModel(source), prompt: 'Hi' }).textStream) deltas.push(delta)
    assert.deepEqual(deltas, PIECES)
  }
})
