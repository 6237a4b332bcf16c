// Transcripts that a model of the AI SDK writes: its own mocks replace one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonSchema, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { cities, good, slipped } from '../support/models.mjs'
import { install, load } from '../support/tarball.mjs'

const { GenerateError, generate } = await load(install(), 'transcript-workbench')

const usage = { inputTokens: { total: 70, noCache: 70 }, outputTokens: { total: 30, text: 30 } }
const ended = (unified) => ({ unified, raw: unified })
const whole = (text, reason = 'stop') => ({
  content: [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text },
  ],
  finishReason: ended(reason),
  usage,
  warnings: [],
})
const streamed = (text) => ({
  stream: simulateReadableStream({
    chunks: [
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      ...text.match(/[^]{1,40}/gu).map((delta) => ({ type: 'text-delta', id: '1', delta })),
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: ended('stop'), usage },
    ],
  }),
})

test('a model answers at once', async () => {
  const replies = [whole(slipped), whole(good)]
  const model = new MockLanguageModelV4({ doGenerate: async () => replies.shift() })
  const weather = tool({
    description: 'Weather',
    inputSchema: jsonSchema({ type: 'object', required: ['city'], properties: { city: { type: 'string' } } }),
    execute: () => 1,
  })
  const made = await generate('Compare two cities', { model, tools: { weather }, maxTokens: 900, temperature: 0.5 })
  assert.deepEqual([made.rounds, made.usage], [1, { calls: 2, inputTokens: 140, outputTokens: 60, totalTokens: 200 }])
  assert.match(made.text, /required: \[city\]/)
  const [first, second] = model.doGenerateCalls
  assert.deepEqual([first.maxOutputTokens, first.temperature, first.responseFormat], [900, 0.5, { type: 'text' }])
  assert.deepEqual(
    second.prompt.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  )
  assert.equal(typeof second.prompt[0].content, 'string')
  assert.deepEqual(
    second.prompt[1].content.map(({ type }) => type),
    ['text'],
  )
})

test('a model streams', async () => {
  const replies = [streamed(slipped), streamed(good)]
  const model = new MockLanguageModelV4({ doStream: async () => replies.shift() })
  const texts = []
  const made = await generate('Compare two cities', { model, onProgress: ({ phase, text }) => phase === 'writing' && texts.push(text) })
  assert.equal(made.text, cities)
  assert.equal(texts.at(-1), good)
  assert.equal(made.usage.totalTokens, 200)
})

test('older versions have other shapes of the same', async () => {
  const v2 = {
    specificationVersion: 'v2',
    doGenerate: async () => ({ ...whole(good), finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } }),
  }
  const v3 = { specificationVersion: 'v3', doGenerate: async () => whole(good) }
  assert.equal((await generate('x', { model: v2 })).usage.totalTokens, 10)
  assert.equal((await generate('x', { model: v3 })).usage.totalTokens, 100)
})

test('a refusal, a failure, a schema, a signal', async () => {
  const answering = (doGenerate) => new MockLanguageModelV4({ doGenerate })
  const refused = await generate('x', { model: answering(async () => whole('', 'content-filter')) }).catch((error) => error)
  assert.deepEqual([refused instanceof GenerateError, refused.status], [true, 'refused'])
  const broken = await generate('x', {
    model: answering(async () => {
      throw new Error('no credit')
    }),
  }).catch((error) => error)
  assert.deepEqual([broken.status, broken.message, broken.cause.message], ['model', 'the model failed: no credit', 'no credit'])
  const json = answering(async () => whole(JSON.stringify({ name: 'a', messages: ['user: Hi', 'assistant: Hello!'] })))
  assert.ok((await generate('x', { model: json, format: 'json' })).ok)
  const { type, schema } = json.doGenerateCalls[0].responseFormat
  assert.deepEqual([type, schema.title], ['json', 'Transcript'])
  const stop = new AbortController()
  const hanging = answering(
    ({ abortSignal }) =>
      new Promise(() => {
        assert.equal(abortSignal, stop.signal)
        stop.abort(new Error('enough'))
      }),
  )
  await assert.rejects(generate('x', { model: hanging, signal: stop.signal }), { message: 'enough' })
})
