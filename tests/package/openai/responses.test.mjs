// Responses of the client, answered from recordings, with every way to bring the history.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { offline, responses, sunny } from './agent.mjs'

const { createRecorder, recordFetch, replay, replayFetch } = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')

const play = async (text) => {
  const tape = await replay({ text, file: 'weather.yaml' })
  const fetch = replayFetch(tape)
  return { tape, fetch, client: offline(OpenAI, fetch) }
}

for (const way of ['create', 'stream', 'helper']) {
  for (const history of ['sent', 'reference', 'previous', 'conversation']) {
    test(`a tool loop runs as recorded: ${way}, history ${history}`, async () => {
      const { tape, client } = await play(recordings.weather)
      assert.equal(await responses(client, way, sunny, { history }), "It's 72°F and sunny!")
      tape.assertComplete()
    })
  }
}

for (const [name, { first, second }] of Object.entries({
  previous_response_id: { first: {}, second: ({ id }) => ({ previous_response_id: id }) },
  conversation: { first: { conversation: 'conv_1' }, second: () => ({ conversation: 'conv_1' }) },
})) {
  test(`an input that is a text is part of the history, and is recorded: ${name}`, async () => {
    const recorder = createRecorder({ recording: 'r1' })
    const tape = await replay({ text: recordings.continued })
    const client = offline(OpenAI, recordFetch(recorder, { fetch: replayFetch(tape) }))
    const begun = await client.responses.create({ model: 'm', input: 'Hi there', ...first })
    const { output_text: answer } = await client.responses.create({ model: 'm', input: 'More', ...second(begun) })
    assert.deepEqual([begun.output_text, answer], ['Hello!', 'There is more.'])
    tape.assertComplete()
    const { problems, transcript } = recorder.finish()
    assert.deepEqual(problems, [])
    assert.deepEqual(
      transcript.execution.map(
        ({ messages_sent_to_llm: sent, message_created: message }) => sent?.map(({ ref }) => ref) ?? message.content,
      ),
      [['msg_001'], 'More', ['msg_001', 'msg_002', 'msg_003']],
    )
  })
}

test('a drift is found in a history that was only referred to', async () => {
  const { client, fetch } = await play(recordings.weather)
  await assert.rejects(
    responses(client, 'create', () => ({ temp: 71, condition: 'sunny' }), { history: 'previous' }),
    {
      status: 400,
      code: 'transcript_divergence',
      param: 'messages[3].result.temp',
    },
  )
  assert.equal(fetch.lastDivergence.step, '3')
})

test('what was never issued is reported by its name', async () => {
  const { client } = await play(recordings.weather)
  await assert.rejects(client.responses.create({ model: 'm', input: 'Hi', previous_response_id: 'resp_9' }), {
    status: 400,
    code: 'unknown_reference',
    message: /no answer `resp_9`/,
    param: 'previous_response_id',
  })
  await assert.rejects(client.responses.create({ model: 'm', input: [{ type: 'item_reference', id: 'msg_9' }] }), {
    status: 400,
    code: 'unknown_reference',
    message: /no item `msg_9`/,
    param: 'input[0].id',
  })
})

test('reasoning, a refusal, usage and an answer that was cut off', async () => {
  const one = async (fields) => (await play(recordings.answering(fields))).client
  const request = { model: 'm', input: [{ role: 'user', content: 'Hi' }] }
  const usage = { input_tokens: 10, output_tokens: 4, cache_read_input_tokens: 6 }
  for (const get of [(client) => client.responses.create(request), (client) => client.responses.stream(request).finalResponse()]) {
    const thought = await get(await one({ content: 'Four.', reasoning: 'two and two', usage }))
    assert.deepEqual(
      thought.output.map(({ type }) => type),
      ['reasoning', 'message'],
    )
    assert.equal(thought.output[0].summary[0].text, 'two and two')
    assert.equal(thought.output_text, 'Four.')
    assert.equal(thought.status, 'completed')
    assert.deepEqual(
      [thought.usage.input_tokens, thought.usage.input_tokens_details.cached_tokens, thought.usage.total_tokens],
      [16, 6, 20],
    )
    const refused = await get(await one({ content: null, refusal: 'I must not.' }))
    assert.deepEqual(
      refused.output[0].content.map(({ type, refusal }) => [type, refusal]),
      [['refusal', 'I must not.']],
    )
    const cut = await get(await one({ content: 'And so', finish_reason: 'max_tokens' }))
    assert.deepEqual([cut.status, cut.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }])
  }
})

test('structured output is parsed from the recorded text', async () => {
  const { client, tape } = await play(recordings.structured)
  const schema = { type: 'object', properties: { city: { type: 'string' }, population: { type: 'number' } } }
  const { output_parsed: parsed } = await client.responses.parse({
    model: 'm',
    input: 'Name a city',
    text: { format: { type: 'json_schema', name: 'city', strict: true, schema } },
  })
  assert.deepEqual(parsed, { city: 'Rome', population: 2_800_000 })
  tape.assertComplete()
})
