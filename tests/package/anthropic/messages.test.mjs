// Messages of the client, answered from recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { offline, run, sunny, weather } from './agent.mjs'

const { mock, replay, replayFetch } = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')

const play = async (text) => {
  const tape = await replay({ text, file: 'weather.yaml' })
  const fetch = replayFetch(tape)
  return { tape, fetch, client: offline(Anthropic, fetch) }
}

const hi = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const fails = () => {
  throw new Error('no answer')
}

for (const way of ['create', 'stream', 'helper']) {
  test(`a tool loop runs as recorded: ${way}`, async () => {
    const { tape, client } = await play(recordings.weather)
    assert.equal(await run(client, way, sunny), "It's 72°F and sunny!")
    tape.assertComplete()
  })

  test(`parallel tools, and one that fails in other words: ${way}`, async () => {
    const both = await play(recordings.parallel)
    const read = (place) => ({ temp: place === 'Oslo' ? 5 : 25 })
    assert.equal(await run(both.client, way, read, { system: '', question: 'Where is it warmer?' }), 'In Rome.')
    both.tape.assertComplete()
    const down = await play(recordings.failing)
    assert.equal(await run(down.client, way, fails, { system: '' }), 'I cannot tell.')
    down.tape.assertComplete()
    const up = await play(recordings.failing)
    await assert.rejects(run(up.client, way, sunny, { system: '' }), (error) => error.status === 400 && /is_error/.test(error.message))
  })

  test(`a drift ends the run with the explanation, and is requested once: ${way}`, async () => {
    const { tape, fetch, client } = await play(recordings.weather)
    await assert.rejects(
      run(client, way, () => ({ temp: 72, condition: 'cloudy' })),
      (error) => {
        assert.equal(error.status, 400)
        assert.equal(error.error.error.type, 'invalid_request_error')
        assert.equal(error.error.error.code, 'transcript_divergence')
        assert.equal(error.error.error.divergence.path, 'messages[3].result.condition')
        for (const part of ['weather.yaml', 'step 3', 'hint: ']) assert.ok(error.message.includes(part), part)
        return true
      },
    )
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.throws(() => tape.assertComplete(), fetch.lastDivergence)
  })
}

const runner = (client, read, more = {}) =>
  client.beta.messages.toolRunner({
    model: 'claude-x',
    max_tokens: 256,
    system: 'You are helpful',
    ...more,
    messages: [{ role: 'user', content: "What's the weather?" }],
    tools: [betaTool({ ...weather, inputSchema: weather.input_schema, run: ({ location }) => JSON.stringify(read(location)) })],
  })

test('the tool runner sends only what is new, and its thread is made whole', async () => {
  for (const stream of [false, true]) {
    const { tape, client } = await play(recordings.weather)
    const message = await runner(client, sunny, { stream }).runUntilDone()
    assert.equal(message.content[0].text, "It's 72°F and sunny!", `stream ${stream}`)
    assert.equal(tape.calls[1].messages.length, 3, `stream ${stream}`)
    tape.assertComplete()
    const other = await play(recordings.weather)
    await assert.rejects(
      runner(other.client, () => ({ temp: 1, condition: 'sunny' }), { stream }).runUntilDone(),
      /messages\[3\]\.result\.temp/,
    )
  }
})

test('a thread that was never begun is reported', async () => {
  const { client } = await play(recordings.weather)
  const request = { ...hi, thread: { type: 'continue', previous_message_id: 'msg_9' } }
  await assert.rejects(client.messages.create(request), { status: 400, message: /no answer `msg_9`/ })
})

test('reasoning, a refusal, usage and an answer that was cut off', async () => {
  for (const get of [(client) => client.messages.create(hi), (client) => client.messages.stream(hi).finalMessage()]) {
    const one = async (fields) => get((await play(recordings.answering(fields))).client)
    const usage = { prompt_tokens: 16, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 6 } }
    const thought = await one({ content: 'Four.', reasoning: 'two and two', usage })
    assert.deepEqual(
      thought.content.map(({ type, thinking, text }) => [type, thinking ?? text]),
      [
        ['thinking', 'two and two'],
        ['text', 'Four.'],
      ],
    )
    assert.equal(thought.stop_reason, 'end_turn')
    assert.deepEqual([thought.usage.input_tokens, thought.usage.cache_read_input_tokens, thought.usage.output_tokens], [10, 6, 4])
    const refused = await one({ content: null, refusal: 'I must not.' })
    assert.deepEqual([refused.stop_reason, refused.content[0].text], ['refusal', 'I must not.'])
    const cut = await one({ content: 'And so', finish_reason: 'length' })
    assert.equal(cut.stop_reason, 'max_tokens')
  }
})

test('a recorded failure is retried where the recording goes on, and only there', async () => {
  const goesOn = await play(recordings.retried)
  assert.equal((await goesOn.client.messages.create(hi)).content[0].text, 'Hello!')
  goesOn.tape.assertComplete()
  const ends = await play(recordings.broken)
  await assert.rejects(ends.client.messages.create(hi), (error) => {
    assert.deepEqual([error.status, error.error.error.type, error.error.error.message], [529, 'overloaded', 'too much'])
    return true
  })
  assert.equal(ends.tape.calls.length, 1)
})

test('structured output is parsed from the recorded text', async () => {
  const { client, tape } = await play(recordings.structured)
  const format = { type: 'json_schema', schema: { type: 'object', properties: { city: { type: 'string' } } }, parse: JSON.parse }
  const { parsed_output: parsed } = await client.messages.parse({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Name a city' }],
    output_config: { format },
  })
  assert.deepEqual(parsed, { city: 'Rome', population: 2_800_000 })
  tape.assertComplete()
})

test('a stream comes in the recorded pieces', async () => {
  const { client } = await play(recordings.chunked)
  const pieces = []
  await client.messages
    .stream(hi)
    .on('text', (piece) => pieces.push(piece))
    .finalMessage()
  assert.deepEqual(pieces, ['Hel', 'lo th', 'ere'])
})

test('a mock answers too', async () => {
  const model = mock({
    type: 'conditional',
    rules: [{ when: "last_role == 'tool'", respond: "It's {{ last_result.temp }}°F!" }],
    default: { content: "I'll check.", tool_calls: [{ name: 'weather', arguments: { location: 'NYC' } }] },
  })
  for (const way of ['create', 'stream', 'helper'])
    assert.equal(await run(offline(Anthropic, replayFetch(model)), way, sunny), "It's 72°F!")
})

test('a path that no model has is reported in the words of the vendor, and models are listed', async () => {
  const { client } = await play(recordings.weather)
  await assert.rejects(client.messages.countTokens(hi), (error) => {
    assert.deepEqual([error.status, error.error.error.type], [404, 'not_found_error'])
    assert.match(error.message, /nothing answers `POST \/v1\/messages\/count_tokens` here/)
    return true
  })
  assert.deepEqual(
    (await client.models.list()).data.map(({ id }) => id),
    ['recorded-model'],
  )
})
