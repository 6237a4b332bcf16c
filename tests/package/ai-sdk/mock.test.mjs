// The AI SDK with a mock for its model: generated and streamed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, streamText } from 'ai'
import { install, load } from '../support/tarball.mjs'
import { question, sunny, weatherTool } from './agent.mjs'

const { aiSdkModel, mock, mockModel, MockExhaustedError } = await load(install(), 'transcript-workbench', 'transcript-workbench/ai-sdk')

/** A signal that aborts soon; unlike those of AbortSignal.timeout() it keeps the test alive. */
const late = () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), 5)
  return controller.signal
}

const HANDLERS = {
  type: 'conditional',
  rules: [{ when: "last_role == 'tool'", respond: "It's {{ last_result.temp }}°F!" }],
  default: { content: "I'll check.", tool_calls: [{ name: 'weather', arguments: { location: 'NYC' } }] },
}

test('a handler drives a tool loop', async () => {
  const mock = mockModel(HANDLERS)
  const { ran, tools } = weatherTool(sunny)
  const result = await generateText({ model: aiSdkModel(mock), tools, ...question, temperature: 0 })
  assert.deepEqual([result.text, ran, result.steps.length], ["It's 72°F!", ['NYC'], 2])
  assert.deepEqual(
    mock.requests.map(({ tools, iteration }) => [tools, iteration]),
    [
      [['weather'], 0],
      [['weather'], 1],
    ],
  )
  assert.equal(mock.requests[0].kwargs.temperature, 0)
  assert.equal(result.steps[0].toolCalls[0].toolCallId, 'call_1_1')
})

test('a function drives a stream', async () => {
  const mock = mockModel(async ({ lastRole }) =>
    lastRole === 'tool' ? 'Sunny, I think.' : { content: null, tool_calls: [{ name: 'weather', arguments: { location: 'NYC' } }] },
  )
  const { ran, tools } = weatherTool(sunny)
  const { textStream } = streamText({ model: aiSdkModel(mock), tools, ...question })
  const pieces = []
  for await (const piece of textStream) pieces.push(piece)
  assert.deepEqual([pieces, ran], [['Sunny, ', 'I ', 'think.'], ['NYC']])
})

test('a handler that fails is retried as a provider would be', async () => {
  const mock = mockModel({
    type: 'fail',
    times: 1,
    error: { type: 'rate_limit', message: 'slow down', status: 429 },
    then: { type: 'queue', responses: ['Hello!'] },
  })
  const { text } = await generateText({ model: aiSdkModel(mock), prompt: 'Hi' })
  assert.deepEqual([text, mock.callCount], ['Hello!', 2])
})

test('no answer and a throw reach the caller, generated and streamed', async () => {
  const thrown = new Error('no idea')
  const mocks = [
    () => mockModel([]),
    () =>
      mockModel(() => {
        throw thrown
      }),
  ]
  for (const make of mocks) {
    const isIt = (error) => error === thrown || error instanceof MockExhaustedError
    await assert.rejects(generateText({ model: aiSdkModel(make()), prompt: 'Hi' }), isIt)
    const { text } = streamText({ model: aiSdkModel(make()), prompt: 'Hi', onError: () => {} })
    await assert.rejects(async () => {
      await text
    }, isIt)
  }
})

test('what is neither a tape nor a mock is refused', () => {
  assert.throws(() => aiSdkModel({ call() {} }), { name: 'TypeError', message: /takes a tape.*or a mock/ })
})

test('a handler made in code drives a tool loop, and a hanging one is freed by the SDK', async () => {
  const rules = mock
    .conditional()
    .when(
      ({ lastRole }) => lastRole === 'tool',
      ({ lastResult }) => `It's ${lastResult.temp}°F!`,
    )
    .default(mock.toolCall('weather', { location: 'NYC' }))
  const { tools } = weatherTool(sunny)
  const { text } = await generateText({ model: aiSdkModel(mock(rules)), tools, ...question })
  assert.equal(text, "It's 72°F!")
  for (const hanging of [mock(() => new Promise(() => {})), mock(mock.queue(() => new Promise(() => {})))]) {
    const abortSignal = late()
    await assert.rejects(generateText({ model: aiSdkModel(hanging), prompt: 'Hi', abortSignal }), { name: 'TimeoutError' })
  }
})
