// What is particular to the client of Cohere, and the client over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CohereClient, CohereClientV2 } from 'cohere-ai'
import { servers, sunny } from '../support/chat-clients.mjs'
import * as recordings from '../support/recordings.mjs'
import { install, load } from '../support/tarball.mjs'
import { ways } from './agent.mjs'

const folder = install()
const all = await load(folder, 'transcript-workbench', 'transcript-workbench/fetch', 'transcript-workbench/server')
const { createRecorder, recordFetch, replay, replayFetch } = all

const offline = (fetch) => new CohereClientV2({ token: 'none', fetch, maxRetries: 0 })
const play = async (text, options) => {
  const tape = await replay({ text, file: 'weather.yaml' }, options)
  return { tape, client: offline(replayFetch(tape)) }
}

servers(test, {
  all,
  folder,
  ways,
  client: (environment) => new CohereClientV2({ token: 'none', environment, maxRetries: 0 }),
  messageOf: ({ body }) => body.message,
})

const hi = { question: 'Hi', system: '', plain: true }

for (const [name, way] of Object.entries(ways)) {
  test(`results may be documents: ${name}`, async () => {
    const { tape, client } = await play(recordings.weather)
    assert.equal((await way(client, { read: sunny, asDocument: true })).text, "It's 72°F and sunny!")
    tape.assertComplete()
  })

  test(`the older client has the same chat: ${name}`, async () => {
    const tape = await replay({ text: recordings.weather })
    const { v2 } = new CohereClient({ token: 'none', fetch: replayFetch(tape), maxRetries: 0 })
    assert.equal((await way(v2, { read: sunny })).text, "It's 72°F and sunny!")
    tape.assertComplete()
  })

  test(`reasoning, usage and the finish reason are sent and recorded: ${name}`, async () => {
    const usage = { prompt_tokens: 16, completion_tokens: 6 }
    const source = replayFetch(
      await replay({ text: recordings.answering({ content: 'Four.', reasoning: 'two and two', usage, finish_reason: 'max_tokens' }) }),
    )
    const recorder = createRecorder({ name: 'four', recording: 'r1' })
    const answer = await way(offline(recordFetch(recorder, { fetch: source })), hi)
    assert.deepEqual(answer.message.content, [
      { type: 'thinking', thinking: 'two and two' },
      { type: 'text', text: 'Four.' },
    ])
    assert.deepEqual([answer.usage.tokens.inputTokens, answer.usage.billedUnits.outputTokens], [16, 6])
    assert.equal(answer.ended, 'MAX_TOKENS')
    const { llm_response: recorded } = recorder.finish().transcript.execution[0]
    assert.deepEqual([recorded.content, recorded.reasoning, recorded.finish_reason], ['Four.', 'two and two', 'MAX_TOKENS'])
    assert.deepEqual(recorded.usage.tokens, { input_tokens: 16, output_tokens: 6 })
    assert.deepEqual(recorder.problems, [])
  })
}

test('a text before calls is their plan', async () => {
  const { client } = await play(recordings.weather)
  const messages = [
    { role: 'system', content: 'You are helpful' },
    { role: 'user', content: "What's the weather?" },
  ]
  const { message, finishReason } = await client.chat({ model: 'command-x', messages })
  assert.deepEqual([message.toolPlan, message.content, finishReason], ["I'll check.", undefined, 'TOOL_CALL'])
})

test('a failure has the form of the vendor and is requested once', async () => {
  const { tape, client } = await play(recordings.broken)
  await assert.rejects(ways.generate(client, hi), (error) => {
    assert.deepEqual([error.statusCode, error.body], [529, { message: 'too much' }])
    return true
  })
  assert.equal(tape.calls.length, 1)
})

test('settings are compared by the names that recordings have', async () => {
  const recorded = `
version: "1.0"
initial_state: {message_store: [{id: msg_001, role: user, content: Hi}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_config: {top_p: 0.5, top_k: 3, tool_choice: required}
    llm_response: {content: Hello!}
`
  const path = async (k) => {
    const fetch = replayFetch(await replay({ text: recorded }, { compare: ['settings'] }))
    await ways.stream(offline(fetch), { ...hi, more: { p: 0.5, k, toolChoice: 'REQUIRED' } }).catch(() => {})
    return fetch.lastDivergence?.path
  }
  assert.equal(await path(3), undefined)
  assert.equal(await path(4), 'settings.top_k')
})
