// Recording through the client, and playing what was recorded, with the client of another vendor too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import OpenAI from 'openai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import * as openai from '../openai/agent.mjs'
import { offline, run, sunny, weather } from './agent.mjs'

const { createRecorder, parse, recordFetch, replay, replayFetch } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
)

const recording = async (text) => {
  const recorder = createRecorder({ name: 'weather', chunks: true, recording: 'r1' })
  const vendor = replayFetch(await replay({ text }))
  return { recorder, vendor, fetch: recordFetch(recorder, { fetch: vendor }) }
}

const finished = (recorder) => {
  const { text, transcript, problems } = recorder.finish()
  assert.deepEqual(problems, [])
  const document = parse(text)
  assert.deepEqual(document.diagnostics, [], document.render())
  assert.ok(!/sk-secret/.test(text), text)
  return { text, transcript }
}

const runner = (client, read) =>
  client.beta.messages
    .toolRunner({
      model: 'claude-x',
      max_tokens: 256,
      system: 'You are helpful',
      messages: [{ role: 'user', content: "What's the weather?" }],
      tools: [betaTool({ ...weather, inputSchema: weather.input_schema, run: ({ location }) => JSON.stringify(read(location)) })],
    })
    .runUntilDone()
    .then(({ content: [{ text }] }) => text)

const ways = { ...Object.fromEntries(['create', 'stream', 'helper'].map((way) => [way, (client, read) => run(client, way, read)])), runner }

for (const [way, play] of Object.entries(ways)) {
  test(`a run is recorded, plays strictly, and reports a drift: ${way}`, async () => {
    const { recorder, vendor, fetch } = await recording(recordings.weather)
    assert.equal(await play(offline(Anthropic, fetch, { apiKey: 'sk-secret-123456' }), sunny), "It's 72°F and sunny!")
    vendor.assertComplete()
    const { text, transcript } = finished(recorder)
    assert.deepEqual(
      transcript.execution.map(({ type }) => type),
      ['llm_call', 'tool_call', 'llm_call'],
    )
    assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
    const tape = await replay({ text, file: 'recorded.yaml' })
    assert.equal(await play(offline(Anthropic, replayFetch(tape)), sunny), "It's 72°F and sunny!")
    tape.assertComplete()
    const drifting = replayFetch(await replay({ text }))
    await assert.rejects(
      play(offline(Anthropic, drifting), () => ({ temp: 1, condition: 'sunny' })),
      { status: 400 },
    )
    assert.equal(drifting.lastDivergence.path, 'messages[3].result.temp')
  })
}

test('what was recorded with one client plays with that of another vendor', async () => {
  const first = await recording(recordings.weather)
  await openai.chat(openai.offline(OpenAI, first.fetch), 'stream', sunny)
  const ofOpenai = finished(first.recorder).text
  for (const way of Object.values(ways)) {
    const tape = await replay({ text: ofOpenai })
    assert.equal(await way(offline(Anthropic, replayFetch(tape)), sunny), "It's 72°F and sunny!")
    tape.assertComplete()
  }
  const second = await recording(recordings.weather)
  await run(offline(Anthropic, second.fetch), 'stream', sunny)
  const ofAnthropic = finished(second.recorder).text
  for (const play of [openai.chat, openai.responses]) {
    const tape = await replay({ text: ofAnthropic })
    assert.equal(await play(openai.offline(OpenAI, replayFetch(tape)), 'helper', sunny), "It's 72°F and sunny!")
    tape.assertComplete()
  }
})

test('a failed tool is recorded as one', async () => {
  const { recorder, fetch } = await recording(recordings.failing)
  const fails = () => {
    throw new Error('no answer')
  }
  await run(offline(Anthropic, fetch), 'helper', fails, { system: '' })
  const { text, transcript } = finished(recorder)
  assert.deepEqual([transcript.execution[1].tool_call.success, transcript.execution[1].tool_call.error], [false, 'Error: no answer'])
  const tape = await replay({ text })
  assert.equal(await run(offline(Anthropic, replayFetch(tape)), 'create', fails, { system: '' }), 'I cannot tell.')
  tape.assertComplete()
})

test('reasoning, refusals, failures and usage are recorded, streamed or not', async () => {
  const hi = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
  for (const get of [(client) => client.messages.create(hi), (client) => client.messages.stream(hi).finalMessage()]) {
    const one = async (text) => {
      const { recorder, fetch } = await recording(text)
      await get(offline(Anthropic, fetch)).catch(() => {})
      return finished(recorder).transcript.execution[0]
    }
    const usage = { input_tokens: 10, output_tokens: 4, cache_read_input_tokens: 6, cache_creation_input_tokens: 0 }
    const { llm_response: thought } = await one(recordings.answering({ content: 'Four.', reasoning: 'two and two', usage }))
    assert.deepEqual(
      [thought.content, thought.reasoning, thought.finish_reason, thought.usage],
      ['Four.', 'two and two', 'end_turn', usage],
    )
    const { llm_response: refused } = await one(recordings.answering({ content: null, refusal: 'I must not.' }))
    // This vendor has no word for a refusal but the reason for which an answer ended.
    assert.deepEqual([refused.content, refused.finish_reason], ['I must not.', 'refusal'])
    const { llm_error: failed } = await one(recordings.broken)
    assert.deepEqual(failed, { type: 'overloaded', message: 'too much', status: 529 })
  }
})

/** A fetch that answers with these messages, one after another, whole or as a stream. */
const answering = (messages) => {
  let next = 0
  return async (_url, { body }) => {
    const { content, stop_reason, stop_sequence = null } = messages[next]
    next += 1
    const message = {
      id: `msg_${next}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content,
      stop_reason,
      stop_sequence,
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    if (!JSON.parse(body).stream) return Response.json(message)
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      ...content.flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: block.type === 'text' ? { ...block, text: '' } : block },
        ...(block.type === 'text' ? [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } }] : []),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** Asks until an answer is no pause, as Anthropic says that a client goes on; gives the ends of all answers. */
const untilItEnds = async (fetch, isStreamed) => {
  const client = offline(Anthropic, fetch)
  const messages = [{ role: 'user', content: 'What is new?' }]
  const ends = []
  do {
    const request = { model: 'claude-x', max_tokens: 64, messages }
    const { content, stop_reason, stop_sequence } = isStreamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    ends.push([content.map(({ text }) => text).join(''), stop_reason, stop_sequence])
    messages.push({ role: 'assistant', content })
  } while (ends.at(-1)[1] === 'pause_turn')
  return ends
}

for (const isStreamed of [false, true]) {
  test(`an answer that paused, or ended for another reason of the vendor, ends for it again: ${isStreamed ? 'stream' : 'create'}`, async () => {
    const text = (content) => [{ type: 'text', text: content, citations: null }]
    for (const stop_reason of ['stop_sequence', 'refusal', 'model_context_window_exceeded', 'end_turn', 'max_tokens']) {
      const stop_sequence = stop_reason === 'stop_sequence' ? 'END' : null
      const live = answering([
        { content: text('One moment'), stop_reason: 'pause_turn' },
        { content: text('Nothing'), stop_reason, stop_sequence },
      ])
      const recorder = createRecorder({ name: 'ends' })
      const ends = [
        ['One moment', 'pause_turn', null],
        ['Nothing', stop_reason, stop_sequence],
      ]
      assert.deepEqual(await untilItEnds(recordFetch(recorder, { fetch: live }), isStreamed), ends)
      const tape = await replay({ text: finished(recorder).text })
      assert.deepEqual(await untilItEnds(replayFetch(tape), isStreamed), ends)
      tape.assertComplete()
    }
  })
}

for (const isStreamed of [false, true]) {
  test(`what the vendor did itself is issued again, and reported where its place is another: ${isStreamed ? 'stream' : 'create'}`, async () => {
    const own = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'news' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', title: 'News', url: 'https://example.com', encrypted_content: 'x', page_age: null }],
      },
    ]
    const text = (content) => ({ type: 'text', text: content, citations: null })
    const runAgent = async (fetch) => {
      const request = { model: 'claude-x', max_tokens: 64, messages: [{ role: 'user', content: 'What is new?' }] }
      const client = offline(Anthropic, fetch)
      const { content } = isStreamed ? await client.messages.stream(request).finalMessage() : await client.messages.create(request)
      return content
    }
    const recorder = createRecorder({ name: 'searched' })
    await runAgent(recordFetch(recorder, { fetch: answering([{ content: [...own, text('Nothing')], stop_reason: 'end_turn' }]) }))
    assert.deepEqual(await runAgent(replayFetch(await replay({ text: finished(recorder).text }))), [...own, text('Nothing')])
    const other = createRecorder({ name: 'between' })
    await runAgent(recordFetch(other, { fetch: answering([{ content: [text('I look'), ...own], stop_reason: 'end_turn' }]) }))
    assert.match(other.problems[0].message, /a replay returns the call first/)
  })
}
