// Chat completions of the client, answered from recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { chat, offline, sunny, weather } from './agent.mjs'

const { mock, replay, replayFetch, TranscriptDivergenceError } = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')

const play = async (text, file = 'weather.yaml') => {
  const tape = await replay({ text, file })
  const fetch = replayFetch(tape)
  return { tape, fetch, client: offline(OpenAI, fetch) }
}

for (const way of ['create', 'stream', 'helper']) {
  test(`a tool loop runs as recorded: ${way}`, async () => {
    const { tape, client } = await play(recordings.weather)
    const ran = []
    assert.equal(await chat(client, way, (place) => ran.push(place) && sunny()), "It's 72°F and sunny!")
    assert.deepEqual(ran, ['NYC'])
    assert.deepEqual(
      tape.calls.map(({ step, outcome }) => [step, outcome]),
      [
        ['1', 'response'],
        ['3', 'response'],
      ],
    )
    tape.assertComplete()
  })

  test(`a drift ends the run with the explanation, and is requested once: ${way}`, async () => {
    const { tape, fetch, client } = await play(recordings.weather)
    await assert.rejects(
      chat(client, way, () => ({ temp: 72, condition: 'cloudy' })),
      (error) => {
        assert.equal(error.status, 400)
        assert.equal(error.code, 'transcript_divergence')
        assert.equal(error.param, 'messages[3].result.condition')
        assert.deepEqual([error.error.divergence.expected, error.error.divergence.actual], ['sunny', 'cloudy'])
        for (const part of ['weather.yaml', 'step 3', '"sunny"', '"cloudy"', 'hint: ']) assert.ok(error.message.includes(part), part)
        return true
      },
    )
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.ok(fetch.lastDivergence instanceof TranscriptDivergenceError)
    assert.throws(() => tape.assertComplete(), fetch.lastDivergence)
    assert.throws(() => fetch.assertComplete(), fetch.lastDivergence)
  })
}

test('runTools runs the loop by itself', async () => {
  const { tape, client } = await play(recordings.weather)
  const runner = client.chat.completions.runTools({
    model: 'gpt-x',
    messages: [
      { role: 'system', content: 'You are helpful' },
      { role: 'user', content: "What's the weather?" },
    ],
    tools: [{ type: 'function', function: { ...weather, parse: JSON.parse, function: sunny } }],
  })
  assert.equal(await runner.finalContent(), "It's 72°F and sunny!")
  tape.assertComplete()
})

for (const way of ['create', 'stream', 'helper']) {
  test(`parallel tools, and one that fails: ${way}`, async () => {
    const both = await play(recordings.parallel)
    const read = (place) => ({ temp: place === 'Oslo' ? 5 : 25 })
    assert.equal(await chat(both.client, way, read, { system: '', question: 'Where is it warmer?' }), 'In Rome.')
    both.tape.assertComplete()
    const down = await play(recordings.failing)
    const fails = () => {
      throw new Error('the station is down')
    }
    assert.equal(await chat(down.client, way, fails, { system: '' }), 'I cannot tell.')
    down.tape.assertComplete()
    const up = await play(recordings.failing)
    await assert.rejects(chat(up.client, way, sunny, { system: '' }), { code: 'transcript_divergence', status: 400 })
  })
}

test('structured output is parsed from the recorded text', async () => {
  const { client, tape } = await play(recordings.structured)
  const schema = { type: 'object', properties: { city: { type: 'string' }, population: { type: 'number' } } }
  const {
    choices: [{ message }],
  } = await client.chat.completions.parse({
    model: 'm',
    messages: [{ role: 'user', content: 'Name a city' }],
    response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema } },
  })
  assert.deepEqual(message.parsed, { city: 'Rome', population: 2_800_000 })
  tape.assertComplete()
})

const hi = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

test('a recorded failure is retried where the recording goes on, and only there', async () => {
  const goesOn = await play(recordings.retried)
  const {
    choices: [{ message }],
    usage,
  } = await goesOn.client.chat.completions.create(hi)
  assert.equal(message.content, 'Hello!')
  assert.deepEqual([usage.prompt_tokens, usage.prompt_tokens_details.cached_tokens, usage.total_tokens], [11, 4, 14])
  goesOn.tape.assertComplete()
  const ends = await play(recordings.broken)
  await assert.rejects(ends.client.chat.completions.create(hi), { status: 529, type: 'overloaded', message: /too much/ })
  assert.equal(ends.tape.calls.length, 1)
  assert.equal(ends.fetch.lastDivergence, undefined)
  ends.fetch.assertComplete()
})

test('a call too many is reported as one', async () => {
  const { client } = await play("messages: ['user: Hi', 'assistant: Hello!']")
  await client.chat.completions.create(hi)
  await assert.rejects(client.chat.completions.create(hi), { status: 400, code: 'transcript_exhausted' })
})

test('tokens are reported whichever framework recorded them', async () => {
  for (const usage of [
    { inputTokens: 5, outputTokens: 2 },
    { input_tokens: 5, output_tokens: 2 },
  ]) {
    const { client } = await play(recordings.answering({ content: 'Hello!', usage }))
    const { prompt_tokens: sent, completion_tokens: answer, total_tokens: all } = (await client.chat.completions.create(hi)).usage
    assert.deepEqual([sent, answer, all], [5, 2, 7])
  }
})

test('reasoning, a refusal, and an answer that was cut off', async () => {
  for (const get of [
    (client) => client.chat.completions.create(hi).then(({ choices: [choice] }) => choice),
    (client) =>
      client.chat.completions
        .stream(hi)
        .finalChatCompletion()
        .then(({ choices: [choice] }) => choice),
  ]) {
    const one = async (fields) => get((await play(recordings.answering(fields))).client)
    const refused = await one({ content: null, refusal: 'I must not.' })
    assert.deepEqual([refused.message.content, refused.message.refusal], [null, 'I must not.'])
    assert.equal((await one({ content: 'Four.', reasoning: 'two and two' })).message.content, 'Four.')
  }
  const { client: thinking } = await play(recordings.answering({ content: 'Four.', reasoning: 'two and two' }))
  const {
    choices: [thought],
  } = await thinking.chat.completions.create(hi)
  assert.deepEqual([thought.message.reasoning_content, thought.finish_reason], ['two and two', 'stop'])
  const { client } = await play(recordings.answering({ content: 'And so', finish_reason: 'max_tokens' }))
  assert.equal((await client.chat.completions.create(hi)).choices[0].finish_reason, 'length')
})

const piecesOf = async (client, request = {}) => {
  const pieces = []
  for await (const { choices, usage } of await client.chat.completions.create({ ...hi, stream: true, ...request })) {
    if (choices[0]?.delta.content) pieces.push(choices[0].delta.content)
    if (usage) pieces.push(usage.total_tokens)
  }
  return pieces
}

test('a stream comes in the recorded pieces, and else in pieces that are always the same', async () => {
  assert.deepEqual(await piecesOf((await play(recordings.chunked)).client), ['Hel', 'lo th', 'ere'])
  const plain = recordings.answering({ content: 'Hello there', usage: { total_tokens: 7 } })
  assert.deepEqual(await piecesOf((await play(plain)).client, { stream_options: { include_usage: true } }), ['Hello ', 'there', 7])
  // Pieces that do not add up to what was answered are a fault of the recording, and not sent.
  const source = recordings.answering({ content: 'Hello there', chunks: [{ text: 'Hello' }] })
  assert.deepEqual(await piecesOf((await play(source)).client), ['Hello ', 'there'])
})

test('a stream takes its time only when an option says so', async () => {
  const tape = await replay({ text: recordings.chunked })
  const begin = performance.now()
  assert.deepEqual(await piecesOf(offline(OpenAI, replayFetch(tape, { timing: 'recorded' }))), ['Hel', 'lo th', 'ere'])
  assert.ok(performance.now() - begin >= 55)
  assert.throws(() => replayFetch(tape, { timing: 'slow' }), /`timing`/)
  assert.throws(() => replayFetch(tape, { timming: 1 }), /no option `timming`/)
})

test('a run that is given up is neither answered nor streamed on', async () => {
  const { tape, client } = await play(recordings.chunked)
  const signal = AbortSignal.abort()
  await assert.rejects(client.chat.completions.create(hi, { signal }), { message: /aborted/i })
  assert.equal(tape.calls.length, 0)
  const slow = offline(OpenAI, replayFetch(tape, { timing: 5000 }))
  const stream = await slow.chat.completions.create({ ...hi, stream: true })
  let count = 0
  for await (const _ of stream) {
    count += 1
    setTimeout(() => stream.controller.abort(), 5)
  }
  assert.equal(count, 1)
})

test('a path that no model has is reported, and models are listed', async () => {
  const { client } = await play(recordings.weather)
  await assert.rejects(client.embeddings.create({ model: 'm', input: 'x' }), {
    status: 404,
    message: /nothing answers `POST \/v1\/embeddings`/,
  })
  assert.deepEqual(
    (await client.models.list()).data.map(({ id }) => id),
    ['recorded-model'],
  )
})

test('several transcripts are distinguished by the path or by a header', async () => {
  const tapes = {
    hi: await replay({ text: "messages: ['user: Hi', 'assistant: Hello!']" }),
    city: await replay({ text: recordings.structured }),
  }
  const fetch = replayFetch(new Map(Object.entries(tapes)))
  const one = new OpenAI({ apiKey: 'test', baseURL: 'http://replay.invalid/hi/v1', fetch })
  assert.equal((await one.chat.completions.create(hi)).choices[0].message.content, 'Hello!')
  assert.throws(() => fetch.assertComplete(), { name: 'TranscriptDivergenceError' })
  const other = new OpenAI({ apiKey: 'test', baseURL: 'http://replay.invalid/v1', fetch, defaultHeaders: { 'x-transcript': 'city' } })
  await other.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Name a city' }] })
  fetch.assertComplete()
  const none = new OpenAI({ apiKey: 'test', baseURL: 'http://replay.invalid/bye/v1', fetch })
  await assert.rejects(none.chat.completions.create(hi), { status: 404, message: /unknown transcript `bye`; choose one of hi, city / })
})

test('a mock answers too, and fails as its handler says', async () => {
  const model = mock({
    type: 'conditional',
    rules: [{ when: "last_role == 'tool'", respond: "It's {{ last_result.temp }}°F!" }],
    default: { content: "I'll check.", tool_calls: [{ name: 'weather', arguments: { location: 'NYC' } }] },
  })
  for (const way of ['create', 'stream', 'helper']) {
    assert.equal(await chat(offline(OpenAI, replayFetch(model)), way, sunny), "It's 72°F!")
  }
  const passing = mock({
    type: 'fail',
    times: 1,
    error: { type: 'rate_limit', message: 'slow down', status: 429 },
    then: { type: 'queue', responses: ['Hello!'] },
  })
  const fetch = replayFetch(passing)
  assert.equal((await offline(OpenAI, fetch).chat.completions.create(hi)).choices[0].message.content, 'Hello!')
  await assert.rejects(offline(OpenAI, fetch).chat.completions.create(hi), { status: 400, code: 'mock_error' })
  assert.throws(() => fetch.assertComplete(), { name: 'MockExhaustedError' })
})

test('what is neither a tape nor a mock is refused', () => {
  assert.throws(() => replayFetch(replay({ text: recordings.weather })), /pass `await replay\(file\)` or `mock\(…\)`/)
  assert.throws(() => replayFetch({}), /takes a tape/)
  assert.throws(() => replayFetch({ a: 1 }), /`a` of replayFetch/)
})

test('a history is read on where it was left, and read anew where it was changed', async () => {
  const lines = ["  - 'user: go'"]
  for (let at = 0; at < 20; at += 1) lines.push(`  - "assistant:call weather(location='L${at}')"`, `  - "tool:weather: {temp: ${at}}"`)
  const text = `messages:\n${lines.join('\n')}\n  - 'assistant: done'\n`
  const run = async (client, change) => {
    const messages = [{ role: 'user', content: 'go' }]
    for (;;) {
      const {
        choices: [{ message }],
      } = await client.chat.completions.create({
        messages,
        model: 'm',
        tools: [{ type: 'function', function: weather }],
        temperature: messages.length,
      })
      messages.push(message)
      if (!message.tool_calls) return message.content
      const [{ id, function: called }] = message.tool_calls
      messages.push({
        role: 'tool',
        tool_call_id: id,
        content: JSON.stringify({ temp: Number(JSON.parse(called.arguments).location.slice(1)) }),
      })
      if (messages.length === 21) change(messages)
    }
  }
  const kept = await play(text)
  assert.equal(await run(kept.client, () => {}), 'done')
  kept.tape.assertComplete()
  const changed = await play(text)
  await assert.rejects(
    run(changed.client, (messages) => {
      messages[2] = { ...messages[2], content: '{"temp":99}' }
    }),
    {
      code: 'transcript_divergence',
      param: 'messages[2].result.temp',
    },
  )
  const cut = await play(text)
  await assert.rejects(
    run(cut.client, (messages) => messages.splice(1, 2)),
    { code: 'transcript_divergence' },
  )
})
