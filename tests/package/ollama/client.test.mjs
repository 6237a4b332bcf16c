// What is particular to the client of Ollama, and the client over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ollama } from 'ollama'
import { servers } from '../support/chat-clients.mjs'
import * as recordings from '../support/recordings.mjs'
import { install, load } from '../support/tarball.mjs'
import { ways } from './agent.mjs'

const folder = install()
const all = await load(folder, 'transcript-workbench', 'transcript-workbench/fetch', 'transcript-workbench/server')
const { createRecorder, parse, recordFetch, replay, replayFetch } = all

const play = async (text, options) => {
  const tape = await replay({ text, file: 'weather.yaml' }, options)
  return { tape, client: new Ollama({ fetch: replayFetch(tape) }) }
}

servers(test, {
  all,
  folder,
  ways,
  client: (host) => new Ollama({ host }),
  messageOf: ({ name, error }) => {
    assert.equal(name, 'ResponseError')
    return error
  },
})

const hi = { question: 'Hi', system: '', plain: true }
const warmer = { question: 'Where is it warmer?', read: (place) => ({ temp: place === 'Oslo' ? 5 : 25 }) }

for (const [name, way] of Object.entries(ways)) {
  test(`results answer calls without ids, and without names in their order: ${name}`, async () => {
    for (const names of [true, false]) {
      const known = await play(recordings.parallel)
      assert.equal((await way(known.client, { ...warmer, system: '', names })).text, 'In Rome.')
      known.tape.assertComplete()
      const { tape, client } = await play(recordings.parallel, { ignore: ['ids'] })
      assert.equal((await way(client, { ...warmer, system: '', names, ids: false })).text, 'In Rome.')
      tape.assertComplete()
    }
  })

  test(`a server without ids is recorded, and plays again: ${name}`, async () => {
    const call = (location) => ({ function: { name: 'weather', arguments: { location } } })
    const lines = [
      [{ thinking: 'Hm' }, { content: 'I look.' }, { tool_calls: [call('Oslo')] }, { tool_calls: [call('Rome')] }],
      [{ content: 'Again.' }, { tool_calls: [call('Oslo'), call('Rome')] }],
      [{ content: 'In ' }, { content: 'Rome.' }],
    ]
    const counts = { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 7 }
    const server = async (_, { body }) => {
      const pieces = lines.shift().map((piece) => ({ role: 'assistant', content: '', ...piece }))
      const event = (message, more) => ({ model: 'llama-x', created_at: '2026-11-27T10:00:00Z', message, done: false, ...more })
      if (JSON.parse(body).stream) {
        const events = [...pieces.map((piece) => event(piece)), event({ role: 'assistant', content: '' }, counts)]
        const text = events.map((one) => `${JSON.stringify(one)}\n`).join('')
        return new Response(text, { headers: { 'content-type': 'application/x-ndjson' } })
      }
      const calls = pieces.flatMap(({ tool_calls: some = [] }) => some)
      const message = {
        role: 'assistant',
        content: pieces.map(({ content }) => content).join(''),
        ...(pieces[0].thinking ? { thinking: pieces[0].thinking } : {}),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      }
      return Response.json(event(message, counts))
    }
    const recorder = createRecorder({ name: 'warmer', chunks: true, recording: 'r1' })
    const recording = new Ollama({ fetch: recordFetch(recorder, { fetch: server }) })
    assert.equal((await way(recording, { ...warmer, names: false })).text, 'In Rome.')
    assert.deepEqual(recorder.problems, [])
    const { text, transcript } = recorder.finish()
    const document = parse(text)
    assert.deepEqual(document.diagnostics, [], document.render())
    const ran = transcript.execution.flatMap(({ tool_call: one }) => (one ? [[one.parameters.location, one.result.temp]] : []))
    assert.deepEqual(ran, [
      ['Oslo', 5],
      ['Rome', 25],
      ['Oslo', 5],
      ['Rome', 25],
    ])
    const { reasoning, usage, model } = transcript.execution[0].llm_response
    assert.deepEqual([reasoning, usage, model], ['Hm', { prompt_eval_count: 5, eval_count: 7 }, 'llama-x'])
    for (const again of Object.values(ways)) {
      const { tape, client } = await play(text)
      assert.equal((await again(client, warmer)).text, 'In Rome.')
      tape.assertComplete()
    }
  })
}

test('a request is streamed unless it says otherwise', async () => {
  const fetch = replayFetch(await replay({ text: recordings.chunked }))
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
  const response = await fetch('http://127.0.0.1:11434/api/chat', { method: 'POST', body })
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
  const events = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    events.map(({ message, done }) => [message.content, done]),
    [
      ['Hel', false],
      ['lo th', false],
      ['ere', false],
      ['', true],
    ],
  )
})

test('a prompt without messages is answered and recorded', async () => {
  const recorder = createRecorder({ name: 'sky', chunks: true, recording: 'r1' })
  const lines = [
    { thinking: 'Hm', response: '' },
    { response: 'It ' },
    { response: 'scatters.' },
    { response: '', done: true, eval_count: 3 },
  ]
  const server = async () => {
    const text = lines.map((line) => `${JSON.stringify({ model: 'llama-x', done: false, ...line })}\n`).join('')
    return new Response(text, { headers: { 'content-type': 'application/x-ndjson' } })
  }
  const request = { model: 'llama-x', system: 'Be brief', prompt: 'Why is the sky blue?' }
  const streamed = async (client, pieces = []) => {
    for await (const { response, thinking = '' } of await client.generate({ ...request, stream: true })) pieces.push([response, thinking])
    return pieces
  }
  const pieces = await streamed(new Ollama({ fetch: recordFetch(recorder, { fetch: server }) }))
  assert.deepEqual(recorder.problems, [])
  const { text } = recorder.finish()
  const first = await play(text)
  assert.deepEqual(await streamed(first.client), pieces)
  first.tape.assertComplete()
  const second = await play(text)
  const { response, thinking, done, eval_count: count } = await second.client.generate(request)
  assert.deepEqual([response, thinking, done, count], ['It scatters.', 'Hm', true, 3])
  second.tape.assertComplete()
  const other = await play(text)
  await assert.rejects(other.client.generate({ ...request, prompt: 'Why is it red?' }), { name: 'ResponseError', status_code: 400 })
})

test('reasoning, usage, a refusal and images', async () => {
  for (const way of Object.values(ways)) {
    const one = async (fields) => way((await play(recordings.answering(fields))).client, hi)
    const { message, rest } = await one({
      content: 'Four.',
      reasoning: 'two and two',
      usage: { prompt_tokens: 16, completion_tokens: 6 },
    })
    assert.deepEqual([message.content, message.thinking], ['Four.', 'two and two'])
    assert.deepEqual([rest.done, rest.prompt_eval_count, rest.eval_count], [true, 16, 6])
    assert.equal((await one({ content: null, refusal: 'I must not.' })).text, 'I must not.')
  }
  const { tape, client } = await play(`
version: "1.0"
initial_state:
  message_store:
    - id: msg_001
      role: user
      content: [{type: text, text: Look}, {type: image, data: AAAA}]
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_response: {content: A dot.}
`)
  const answer = await client.chat({ model: 'm', messages: [{ role: 'user', content: 'Look', images: ['AAAA'] }] })
  assert.equal(answer.message.content, 'A dot.')
  tape.assertComplete()
})

test('a failure is a text and is not retried', async () => {
  const { tape, client } = await play(recordings.broken)
  await assert.rejects(ways.generate(client, hi), { name: 'ResponseError', error: 'too much', status_code: 529 })
  assert.equal(tape.calls.length, 1)
})

test('options and the schema are compared as settings', async () => {
  const recorded = `
version: "1.0"
agent_config: {model: llama-x}
initial_state: {message_store: [{id: msg_001, role: user, content: Hi}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_config: {temperature: 0, max_tokens: 9, response_schema: {type: object}}
    llm_response: {content: "{}"}
`
  const compare = ['model', 'settings']
  const scenario = (predicted, schema) => ({ ...hi, schema, more: { options: { temperature: 0, num_predict: predicted } } })
  const path = async (...wanted) => {
    const fetch = replayFetch(await replay({ text: recorded }, { compare }))
    await ways.stream(new Ollama({ fetch }), scenario(...wanted)).catch(() => {})
    return fetch.lastDivergence?.path
  }
  assert.equal(await path(9, { type: 'object' }), undefined)
  assert.equal(await path(99, { type: 'object' }), 'settings.max_tokens')
  assert.match(await path(9, { type: 'string' }), /^settings\.response_schema/)
})
