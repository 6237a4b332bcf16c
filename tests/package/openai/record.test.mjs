// Recording through the client, and playing what was recorded. The vendor is played by a recording too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, isStepCount, tool } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'
import { CHANGED_ANSWERS, HISTORIES, checkHistory, partsOf } from '../support/histories.mjs'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { chat, offline, responses, sunny } from './agent.mjs'

const { aiSdkModel, createRecorder, parse, recordFetch, replay, replayFetch } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
  'transcript-workbench/ai-sdk',
)

/** A client with recorded calls, and what a vendor would answer. */
const recording = async (text, more) => {
  const recorder = createRecorder({ name: 'weather', chunks: true, recording: 'r1', ...more })
  const vendor = replayFetch(await replay({ text }))
  const fetch = recordFetch(recorder, { fetch: vendor })
  return { recorder, vendor, client: offline(OpenAI, fetch, { apiKey: 'sk-secret-123456', organization: 'org-secret-1' }) }
}

const check = ({ text, problems }) => {
  assert.deepEqual(problems, [])
  const document = parse(text)
  assert.deepEqual(document.diagnostics, [], document.render())
  assert.ok(!/sk-secret|org-secret/.test(text), text)
  return document
}

const ways = ['create', 'stream', 'helper']
const runs = [
  ...ways.map((way) => [`chat ${way}`, (client, read) => chat(client, way, read)]),
  ...ways.flatMap((way) =>
    ['sent', 'reference', 'previous'].map((history) => [
      `responses ${way} ${history}`,
      (client, read) => responses(client, way, read, { history }),
    ]),
  ),
]

for (const [name, run] of runs) {
  test(`a run is recorded, plays strictly, and reports a drift: ${name}`, async () => {
    const { recorder, vendor, client } = await recording(recordings.weather)
    assert.equal(await run(client, sunny), "It's 72°F and sunny!")
    vendor.assertComplete()
    const { text, problems, transcript } = recorder.finish()
    check({ text, problems })
    assert.deepEqual(
      transcript.execution.map(({ type }) => type),
      ['llm_call', 'tool_call', 'llm_call'],
    )
    assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
    assert.equal(transcript.agent_config.tools[0].name, 'weather')
    const tape = await replay({ text, file: 'recorded.yaml' })
    assert.equal(await run(offline(OpenAI, replayFetch(tape)), sunny), "It's 72°F and sunny!")
    tape.assertComplete()
    const drifting = replayFetch(await replay({ text, file: 'recorded.yaml' }))
    await assert.rejects(
      run(offline(OpenAI, drifting), () => ({ temp: 1, condition: 'sunny' })),
      { code: 'transcript_divergence' },
    )
    assert.equal(drifting.lastDivergence.path, 'messages[3].result.temp')
  })
}

test('what was recorded with this client plays in the AI SDK', async () => {
  const { recorder, client } = await recording(recordings.weather)
  await chat(client, 'stream', sunny)
  const tape = await replay({ text: recorder.finish().text })
  const { text } = await generateText({
    model: aiSdkModel(tape),
    system: 'You are helpful',
    prompt: "What's the weather?",
    stopWhen: isStepCount(9),
    tools: { weather: tool({ inputSchema: z.object({ location: z.string() }), execute: sunny }) },
  })
  assert.equal(text, "It's 72°F and sunny!")
  tape.assertComplete()
})

test('a stream is recorded piece by piece, and played so', async () => {
  const { recorder, client } = await recording(recordings.chunked)
  const request = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  const piecesOf = async (client) => {
    const pieces = []
    for await (const { choices } of await client.chat.completions.create(request))
      if (choices[0]?.delta.content) pieces.push(choices[0].delta.content)
    return pieces
  }
  await piecesOf(client)
  const { text, transcript } = recorder.finish()
  assert.deepEqual(transcript.execution[0].llm_response.chunks, [{ text: 'Hel' }, { text: 'lo th' }, { text: 'ere' }])
  assert.deepEqual(await piecesOf(offline(OpenAI, replayFetch(await replay({ text })))), ['Hel', 'lo th', 'ere'])
})

test('failures are recorded with their status, and fail again', async () => {
  const { recorder, client } = await recording(recordings.retried)
  const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
  await client.chat.completions.create(request)
  const { text, transcript, problems } = recorder.finish()
  check({ text, problems })
  assert.deepEqual(transcript.execution[0].llm_error, { type: 'rate_limit', message: 'slow down', status: 429 })
  const tape = await replay({ text })
  assert.equal((await offline(OpenAI, replayFetch(tape)).chat.completions.create(request)).choices[0].message.content, 'Hello!')
  tape.assertComplete()
})

test('parallel tools are recorded each with its result', async () => {
  const { recorder, client } = await recording(recordings.parallel)
  const read = (place) => ({ temp: place === 'Oslo' ? 5 : 25 })
  const request = { system: '', question: 'Where is it warmer?' }
  await chat(client, 'helper', read, request)
  const { text, transcript, problems } = recorder.finish()
  check({ text, problems })
  assert.deepEqual(
    transcript.execution.flatMap(({ tool_call: ran }) => (ran ? [ran.result] : [])),
    [{ temp: 5 }, { temp: 25 }],
  )
  const tape = await replay({ text })
  assert.equal(await chat(offline(OpenAI, replayFetch(tape)), 'create', read, request), 'In Rome.')
  tape.assertComplete()
})

test('secrets that a vendor repeats are not recorded', async () => {
  const recorder = createRecorder({ recording: 'r1' })
  const fetch = recordFetch(recorder, {
    fetch: async () => Response.json({ error: { message: 'Incorrect API key: sk-secret-123456', type: 'auth' } }, { status: 401 }),
  })
  const client = offline(OpenAI, fetch, { apiKey: 'sk-secret-123456' })
  await assert.rejects(
    client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'my key is sk-secret-123456' }] }),
    { status: 401 },
  )
  const { text } = recorder.finish()
  assert.match(text, /Incorrect API key: \[redacted\]/)
  assert.ok(!text.includes('sk-secret'), text)
})

test('a secret that comes in pieces is not recorded in pieces', async () => {
  const fields = { content: 'it is sk-secret-123456', chunks: [{ text: 'it is sk-sec' }, { text: 'ret-123456' }] }
  const { recorder, client } = await recording(recordings.answering(fields))
  await client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }).finalContent()
  const { text, transcript } = recorder.finish()
  assert.ok(!/sk-sec|ret-123456/.test(text), text)
  assert.equal(transcript.execution[0].llm_response.content, 'it is [redacted]')
})

test('images and what the vendor ran itself are recorded, and compared', async () => {
  const vendor = async (url) =>
    Response.json(
      String(url).endsWith('responses')
        ? {
            id: 'resp_1',
            object: 'response',
            status: 'completed',
            model: 'm',
            output: [
              { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'Rome' } },
              {
                type: 'message',
                id: 'msg_1',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'Found.', annotations: [] }],
              },
            ],
          }
        : {
            id: 'c',
            object: 'chat.completion',
            model: 'm',
            choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'A cat.' } }],
          },
    )
  const image = (url) => [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url } },
  ]
  const cat = 'data:image/png;base64,iVBORw0KGgo='
  const look = (client, url) => client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: image(url) }] })
  const search = async (client) => {
    const input = [{ role: 'user', content: 'Where is Rome?' }]
    const { output } = await client.responses.create({ model: 'm', input })
    await client.responses.create({ model: 'm', input: [...input, ...output, { role: 'user', content: 'Thanks' }] })
  }
  for (const [run, drift] of [[(client) => look(client, cat), (client) => look(client, 'data:image/png;base64,AAAA')], [search]]) {
    const recorder = createRecorder({ recording: 'r1' })
    await run(offline(OpenAI, recordFetch(recorder, { fetch: vendor })))
    const { text, problems } = recorder.finish()
    assert.deepEqual(problems, [])
    const tape = await replay({ text })
    const fetch = replayFetch(tape)
    await run(offline(OpenAI, fetch))
    tape.assertComplete()
    if (run === search) {
      // What the vendor ran itself is issued again, at once or streamed.
      for (const stream of [false, true]) {
        const client = offline(OpenAI, replayFetch(await replay({ text })))
        const request = await client.responses.create({ model: 'm', input: [{ role: 'user', content: 'Where is Rome?' }], stream })
        let { output } = request
        if (stream) for await (const event of request) if (event.type === 'response.completed') ({ output } = event.response)
        assert.deepEqual(
          output.map(({ type }) => type),
          ['web_search_call', 'message'],
        )
        assert.deepEqual(output[0], { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'Rome' } })
      }
    }
    if (drift) await assert.rejects(drift(offline(OpenAI, replayFetch(await replay({ text })))), { code: 'transcript_divergence' })
  }
})

test('what is no call of a model passes by, and a stream that is given up is reported', async () => {
  const { recorder, client } = await recording(recordings.weather)
  await client.models.list()
  assert.equal(recorder.finish().transcript.execution.length, 0)
  const stream = await client.chat.completions.create({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 'You are helpful' },
      { role: 'user', content: "What's the weather?" },
    ],
  })
  for await (const { choices } of stream) if (choices[0].delta.content) break
  const { text, transcript } = recorder.finish()
  assert.equal(transcript.execution[0].llm_response.finish_reason, 'aborted')
  assert.deepEqual(parse(text).diagnostics, [])
  assert.throws(() => recordFetch({}), /takes a recorder/)
})

/** A vendor that answers all requests with the same data. */
const respondWith = (data, status) => async () => Response.json(data, { status })
const post = (fetch, path, body, more = {}) =>
  fetch(`http://vendor.invalid/v1/${path}`, { method: 'POST', body: JSON.stringify(body), ...more }).then((response) => response.text())

const HELLO = { id: 'c', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello!' } }] }
const HI = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

for (const [name, calls] of Object.entries({ ...HISTORIES, 'changed answers': CHANGED_ANSWERS })) {
  test(`what is new in a request: ${name}`, async () => {
    const recorder = createRecorder({ recording: 'r1' })
    let vendor
    const fetch = recordFetch(recorder, { fetch: () => vendor() })
    for (const { sends, answer } of calls) {
      const messages = sends.map(partsOf).map(([role, content]) => ({ role, content }))
      const message = { role: 'assistant', content: answer }
      vendor = answer
        ? respondWith({ choices: [{ index: 0, finish_reason: 'stop', message }] })
        : respondWith({ error: { message: 'slow down' } }, 429)
      await post(fetch, 'chat/completions', { model: 'm', messages })
    }
    checkHistory(recorder, calls)
  })
}

test('what has a form that is not known passes all the same, and is reported among the problems', async () => {
  const requests = [
    ...[undefined, null, 'hi', [null]].map((messages) => ['chat/completions', { model: 'm', messages }]),
    ['chat/completions', { ...HI, tools: [null] }],
    ['messages', { model: 'm' }],
    ['messages', { model: 'm', messages: [{ role: 'user', content: [null] }] }],
    ['responses', { model: 'm', input: [null] }],
  ]
  for (const [path, body] of requests) {
    const recorder = createRecorder({ recording: 'r1' })
    assert.deepEqual(JSON.parse(await post(recordFetch(recorder, { fetch: respondWith({ any: 1 }, 400) }), path, body)), { any: 1 })
    assert.match(
      recorder.problems.map(({ message }) => message).join('\n'),
      /request `call_1` have a form that is not known/,
      JSON.stringify(body),
    )
    assert.equal(recorder.finish().transcript.execution[0].llm_error.status, 400)
  }
  const answers = {
    'chat/completions': [null, {}, { choices: [] }, { choices: [{ message: null }] }],
    messages: [{}, { content: null }, { content: [null] }],
    responses: [{}, { output: [null] }],
  }
  for (const [path, bodies] of Object.entries(answers)) {
    for (const body of bodies) {
      const recorder = createRecorder({ recording: 'r1' })
      const request = path === 'responses' ? { model: 'm', input: 'Hi' } : HI
      assert.deepEqual(JSON.parse(await post(recordFetch(recorder, { fetch: respondWith(body) }), path, request)), body)
      assert.deepEqual(
        recorder.problems.map(({ message }) => message),
        ['the answer of `call_1` has a form that is not known, and is recorded as a failure'],
      )
      assert.equal(recorder.finish().transcript.execution[0].llm_error.type, 'unreadable')
    }
  }
})

test('what of an answer is not recorded is reported', async () => {
  const second = { index: 1, finish_reason: 'stop', message: { role: 'assistant', content: 'Ho' } }
  const called = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
  const stream = (chunk) => async () =>
    new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  const ends = { index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }
  for (const [vendor, words] of [
    [respondWith({ ...HELLO, choices: [...HELLO.choices, second] }), /several choices/],
    [respondWith({ ...HELLO, choices: [{ index: 0, finish_reason: 'function_call', message: called }] }), /`function_call`/],
    [stream({ choices: [ends, { index: 1, delta: { content: 'Ho' } }] }), /several choices/],
    [stream({ choices: [{ ...ends, delta: called }] }), /`function_call`/],
  ]) {
    const reported = []
    const recorder = createRecorder({ recording: 'r1', onProblem: ({ message }) => reported.push(message) })
    await post(recordFetch(recorder, { fetch: vendor }), 'chat/completions', HI)
    assert.equal(reported.length, 1)
    assert.match(reported[0], words)
    assert.deepEqual(
      recorder.problems.map(({ message }) => message),
      reported,
    )
  }
})

test('the name of an account is no secret, and a recording with its words plays', async () => {
  const recorder = createRecorder({ recording: 'r1' })
  const request = { model: 'm', messages: [{ role: 'user', content: 'do research on cats' }] }
  await post(recordFetch(recorder, { fetch: respondWith(HELLO) }), 'chat/completions', request, {
    headers: { 'openai-organization': 'research' },
  })
  const { text } = recorder.finish()
  assert.match(text, /do research on cats/)
  assert.match(await post(replayFetch(await replay({ text })), 'chat/completions', request), /Hello!/)
})

test('keys in addresses, other headers, cookies and base64 are not recorded where an answer repeats them', async () => {
  const secrets = [
    'query-key-1234',
    'token-in-header-1',
    'cookie-value-12345',
    'sk-secret-123456',
    btoa('sk-secret-123456').replace(/=+$/, ''),
    'password-of-ann-1',
  ]
  const recorder = createRecorder({ recording: 'r1' })
  const vendor = respondWith({
    ...HELLO,
    choices: [{ ...HELLO.choices[0], message: { role: 'assistant', content: `I saw ${secrets.join(', ')} and dark-theme` } }],
  })
  await post(recordFetch(recorder, { fetch: vendor }), 'chat/completions?api-key=query-key-1234', HI, {
    headers: {
      'x-auth-token': 'token-in-header-1',
      cookie: 'theme=dark-theme; id=cookie-value-12345',
      authorization: 'Bearer sk-secret-123456',
      'proxy-authorization': `Basic ${btoa('ann:password-of-ann-1')}`,
    },
  })
  const { text } = recorder.finish()
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret}\n${text}`)
  assert.match(text, /dark-theme/)
})

test('a stream that is left early is recorded and played as far as it was received', async () => {
  const content = 'w0 w1 w2 w3 w4 '
  for (const chunks of [true, false]) {
    const { recorder, client } = await recording(
      recordings.answering({ content, chunks: content.match(/\S+ /g).map((text) => ({ text })) }),
      { chunks },
    )
    const leave = async (client) => {
      const received = []
      for await (const { choices } of await client.chat.completions.create({ ...HI, stream: true })) {
        if (choices[0]?.delta.content) received.push(choices[0].delta.content)
        if (received.length === 3) break
      }
      return received.join('')
    }
    assert.equal(await leave(client), 'w0 w1 w2 ')
    const { text, transcript } = recorder.finish()
    const { llm_response: response } = transcript.execution[0]
    assert.deepEqual([response.content, response.chunks?.length], ['w0 w1 w2 ', chunks ? 3 : undefined])
    assert.equal(await leave(offline(OpenAI, replayFetch(await replay({ text })))), 'w0 w1 w2 ')
  }
})

test('a call of no named tool is reported with its message', async () => {
  const recorder = createRecorder({ recording: 'r1' })
  const messages = [...HI.messages, { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function' }] }]
  await post(recordFetch(recorder, { fetch: respondWith(HELLO) }), 'chat/completions', { model: 'm', messages })
  assert.deepEqual(
    recorder.problems.map(({ message }) => message),
    ['the message `msg_002` calls a tool without a name, and that call is not recorded'],
  )
})

test('a long request that differs is answered shortly', async () => {
  const fetch = replayFetch(await replay({ text: recordings.answering({ content: 'Hello!' }) }))
  const answer = await post(fetch, 'chat/completions', { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(2_000_000) }] })
  assert.match(JSON.parse(answer).error.code, /transcript_divergence/)
  assert.ok(answer.length < 100_000, String(answer.length))
})

test('a message that comes again is not looked through again', async () => {
  const times = async (turns) => {
    const recorder = createRecorder({ recording: 'r1' })
    const fetch = recordFetch(recorder, { fetch: respondWith(HELLO) })
    const messages = []
    const begin = process.cpuUsage()
    for (let turn = 0; turn < turns; turn += 1) {
      messages.push({ role: 'user', content: `question ${turn} ${'x'.repeat(400)}` })
      await post(fetch, 'chat/completions', { model: 'm', messages }, { headers: { authorization: 'Bearer sk-secret-123456' } })
      messages.push({ role: 'assistant', content: 'Hello!' })
    }
    const { user } = process.cpuUsage(begin)
    assert.equal(recorder.finish().transcript.execution.filter(({ type }) => type === 'llm_call').length, turns)
    assert.deepEqual(recorder.problems, [])
    return user / 1000
  }
  await times(50)
  const [few, many] = [await times(100), await times(800)]
  assert.ok(many < 40 * Math.max(few, 40), `100 turns take ${few} ms, 800 ${many} ms`)
})
