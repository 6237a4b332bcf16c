// What is particular to the client of Mistral, and the client over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Mistral } from '@mistralai/mistralai'
import { HTTPClient } from '@mistralai/mistralai/lib/http.js'
import { servers, sunny } from '../support/chat-clients.mjs'
import * as recordings from '../support/recordings.mjs'
import { install, load } from '../support/tarball.mjs'
import { errorOf, ways } from './agent.mjs'

const folder = install()
const all = await load(folder, 'transcript-workbench', 'transcript-workbench/fetch', 'transcript-workbench/server')
const { createRecorder, recordFetch, replay, replayFetch } = all

const offline = (fetch) => new Mistral({ apiKey: 'none', httpClient: new HTTPClient({ fetcher: fetch }) })
const play = async (text, options) => {
  const tape = await replay({ text, file: 'weather.yaml' }, options)
  return { tape, client: offline(replayFetch(tape)) }
}

servers(test, {
  all,
  folder,
  ways,
  client: (serverURL) => new Mistral({ apiKey: 'none', serverURL }),
  messageOf: (error) => {
    const { object, message } = errorOf(error)
    assert.equal(object, 'error')
    return message
  },
})

for (const [name, way] of Object.entries(ways)) {
  test(`arguments may come back as data: ${name}`, async () => {
    const { tape, client } = await play(recordings.weather)
    assert.equal((await way(client, { read: sunny, asData: true })).text, "It's 72°F and sunny!")
    tape.assertComplete()
  })

  test(`reasoning is a part of the content, and recorded as reasoning: ${name}`, async () => {
    const usage = { prompt_tokens: 16, completion_tokens: 6, total_tokens: 22 }
    const fields = { content: 'Four.', reasoning: 'two and two', usage }
    const recorder = createRecorder({ name: 'four', recording: 'r1' })
    const source = replayFetch(await replay({ text: recordings.answering(fields) }))
    const answer = await way(offline(recordFetch(recorder, { fetch: source })), { question: 'Hi', system: '', plain: true })
    const [thought, text] = answer.message.content
    assert.deepEqual([thought.type, thought.thinking.map((piece) => piece.text).join('')], ['thinking', 'two and two'])
    assert.equal(text.text, 'Four.')
    assert.deepEqual([answer.usage.promptTokens, answer.usage.totalTokens], [16, 22])
    const { llm_response: recorded } = recorder.finish().transcript.execution[0]
    assert.deepEqual([recorded.content, recorded.reasoning, recorded.usage.total_tokens], ['Four.', 'two and two', 22])
    assert.deepEqual(recorder.problems, [])
  })
}

test('a failure has the form of the vendor and is retried only as recorded', async () => {
  const { tape, client } = await play(recordings.broken)
  await assert.rejects(ways.generate(client, { question: 'Hi', system: '', plain: true }), (error) => {
    assert.equal(error.statusCode, 529)
    assert.deepEqual(errorOf(error), { object: 'error', message: 'too much', type: 'overloaded' })
    return true
  })
  assert.equal(tape.calls.length, 1)
})

test('settings and the model are compared', async () => {
  const recorded = `
version: "1.0"
agent_config: {model: mistral-x}
initial_state: {message_store: [{id: msg_001, role: user, content: Hi}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_config: {temperature: 0, max_tokens: 9}
    llm_response: {content: Hello!}
`
  const compare = ['model', 'settings']
  const scenario = (maxTokens) => ({ question: 'Hi', system: '', plain: true, more: { temperature: 0, maxTokens } })
  const { client } = await play(recorded, { compare })
  assert.equal((await ways.stream(client, scenario(9))).text, 'Hello!')
  const other = await play(recorded, { compare })
  await assert.rejects(ways.stream(other.client, scenario(99)), (error) => errorOf(error).divergence.path === 'settings.max_tokens')
})
