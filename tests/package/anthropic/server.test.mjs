// The server and the recording proxy, with the clients of both vendors over loopback.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { createServer, get } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { install, load } from '../support/tarball.mjs'
import { during } from '../support/during.mjs'
import * as recordings from '../support/recordings.mjs'
import { chat, responses } from '../openai/agent.mjs'
import { run, sunny } from './agent.mjs'

const folder = install()
const { mock, parse, proxy, replay, serve } = await load(folder, 'transcript-workbench', 'transcript-workbench/server')

const file = (name, text) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const weather = file('weather.yaml', recordings.weather)
const city = file('city.yaml', recordings.structured)

const openai = (server, prefix = '', more = {}) => new OpenAI({ apiKey: 'test', baseURL: `${server.url}${prefix}/v1`, ...more })
const anthropic = (server, prefix = '', more = {}) => new Anthropic({ apiKey: 'test', baseURL: `${server.url}${prefix}`, ...more })

const WAYS = ['create', 'stream', 'helper']

test('every protocol runs as recorded, at once and streamed, each caller with its own cursor', async () => {
  await during(serve(weather), async (server) => {
    const all = WAYS.flatMap((way) => [
      chat(openai(server, `/@chat-${way}`), way, sunny),
      responses(openai(server, `/@responses-${way}`), way, sunny, { history: 'previous' }),
      run(anthropic(server, `/@messages-${way}`), way, sunny),
      chat(openai(server, '', { defaultHeaders: { 'x-transcript-session': `header-${way}` } }), way, sunny),
    ])
    for (const text of await Promise.all(all)) assert.equal(text, "It's 72°F and sunny!")
    server.assertComplete()
    assert.equal(server.sessions.length, 12)
    assert.ok(
      server.sessions.every(({ name, complete, remaining, calls }) => name === 'weather' && complete && remaining === 0 && calls === 2),
    )
  })
})

test('a drift is reported in the words of each protocol, and requested once', async () => {
  await during(serve(weather), async (server) => {
    const cloudy = () => ({ temp: 72, condition: 'cloudy' })
    await assert.rejects(chat(openai(server, '/@a'), 'stream', cloudy), {
      status: 400,
      code: 'transcript_divergence',
      param: 'messages[3].result.condition',
    })
    await assert.rejects(run(anthropic(server, '/@b'), 'helper', cloudy), (error) => {
      assert.equal(error.status, 400)
      const { type, divergence } = error.error.error
      assert.deepEqual([type, divergence.expected, divergence.actual], ['invalid_request_error', 'sunny', 'cloudy'])
      return true
    })
    const { sessions } = await (await fetch(`${server.url}/weather@a/transcript`)).json()
    assert.deepEqual(
      sessions.map(({ session, calls, diverged, complete }) => [session, calls, diverged, complete]),
      [['a', 2, true, false]],
    )
    assert.match(sessions[0].problem, /messages\[3\]\.result\.condition/)
    assert.throws(() => server.assertComplete(), { name: 'TranscriptDivergenceError' })
    assert.equal((await fetch(`${server.url}/@a/transcript`, { method: 'DELETE' })).status, 200)
    assert.equal(await chat(openai(server, '/@a'), 'create', sunny), "It's 72°F and sunny!")
    server.reset()
    assert.deepEqual(server.sessions, [])
    server.assertComplete()
  })
})

test('several transcripts are chosen by path or header, and what is none is reported', async () => {
  await during(serve([weather, city, file('handlers.yaml', 'handlers: {bot: {type: repeat, response: Hello!}}\n')]), async (server) => {
    assert.deepEqual(server.names, ['weather', 'city', 'handlers'])
    const params = { model: 'm', messages: [{ role: 'user', content: 'Name a city' }] }
    const requested = async (client) => (await client.chat.completions.create(params)).choices[0].message.content
    assert.match(await requested(openai(server, '/city')), /Rome/)
    assert.match(await requested(openai(server, '', { defaultHeaders: { 'x-transcript': 'city', 'x-transcript-session': 'two' } })), /Rome/)
    assert.equal(await requested(openai(server, '/handlers')), 'Hello!')
    await assert.rejects(requested(openai(server, '/town')), {
      status: 404,
      code: 'unknown_transcript',
      message: /unknown transcript `town`; choose one of weather, city, handlers /,
    })
    await assert.rejects(requested(openai(server)), { status: 404 })
    assert.equal(await run(anthropic(server, '/weather'), 'create', sunny), "It's 72°F and sunny!")
    assert.deepEqual(await (await fetch(`${server.url}/health`)).json(), { ok: true, transcripts: ['weather', 'city', 'handlers'] })
    assert.deepEqual(
      (await openai(server, '/weather').models.list()).data.map(({ id }) => id),
      ['recorded-model'],
    )
    assert.deepEqual(
      (await anthropic(server).models.list()).data.map(({ id }) => id),
      ['recorded-model', 'city', 'handlers'],
    )
  })
})

test('a tape, a mock and a function are sources too', async () => {
  const tape = await replay({ text: recordings.weather })
  await during(serve({ tape, mock: mock('One', 'Two'), made: ({ session }) => mock(`Hello ${session}`) }), async (server) => {
    assert.equal(await chat(openai(server, '/tape'), 'create', sunny), "It's 72°F and sunny!")
    tape.assertComplete()
    const hi = (prefix) => openai(server, prefix).chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    assert.equal((await hi('/made@ann')).choices[0].message.content, 'Hello ann')
    assert.deepEqual([(await hi('/mock')).choices[0].message.content, (await hi('/mock@other')).choices[0].message.content], ['One', 'Two'])
    await assert.rejects(hi('/mock'), { status: 400, code: 'mock_error' })
  })
})

test('what cannot be served is reported when the server starts', async () => {
  await assert.rejects(serve(join(folder, 'none.yaml')), { code: 'ENOENT', message: /cannot read the file/ })
  await assert.rejects(serve({ text: 'messages: [' }), { name: 'TranscriptError' })
  await assert.rejects(serve([weather, weather]), /two transcripts of serve\(\) are named `weather`/)
  await assert.rejects(serve({}), /no transcript/)
  await assert.rejects(serve(weather, { prot: 1 }), /no option `prot`/)
  await assert.rejects(serve(weather, { port: -1 }), /`port`/)
  await during(serve(weather), (server) => assert.rejects(serve(weather, { port: server.port }), { code: 'EADDRINUSE' }))
})

test('it listens on loopback alone, unless an option says otherwise', async () => {
  const other = Object.values(networkInterfaces())
    .flat()
    .find(({ internal, family }) => !internal && family === 'IPv4')
  await during(serve(weather), async (server) => {
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    if (other !== undefined) await assert.rejects(fetch(`http://${other.address}:${server.port}/health`))
  })
  await during(serve(weather, { host: '0.0.0.0' }), async (server) => {
    if (other !== undefined) assert.equal((await fetch(`http://${other.address}:${server.port}/health`)).status, 200)
    assert.equal(server.host, '0.0.0.0')
  })
})

test('a name that others may lead here is refused', async () => {
  await during(serve(weather), async (server) => {
    const requested = (host) =>
      new Promise((done, fail) => {
        get({ port: server.port, path: '/health', headers: { host } }, (response) => done(response.resume().statusCode)).on('error', fail)
      })
    assert.deepEqual(
      [await requested('evil.example'), await requested(`localhost:${server.port}`), await requested('[::1]:80')],
      [403, 200, 200],
    )
  })
})

test('bad requests are answered, and never end the server', async () => {
  await during(serve(weather, { maxBytes: 1000 }), async (server) => {
    const post = (path, body) => fetch(`${server.url}${path}`, { method: 'POST', body })
    assert.equal((await post('/v1/chat/completions', '{')).status, 400)
    assert.equal((await post('/v1/chat/completions', '[]')).status, 400)
    assert.equal((await post('/v1/chat/completions', '{"messages": "x"}')).status, 400)
    assert.equal((await post('/v1/chat/completions', ' '.repeat(2000))).status, 413)
    assert.equal((await fetch(`${server.url}/v1/chat/completions`)).status, 405)
    for (const path of ['/%zz/v1', '/%zz@%zz/v1', '/@%zz/v1']) {
      const answer = await post(`${path}/chat/completions`, '{"messages": []}')
      assert.deepEqual([answer.status, (await answer.json()).error.code], [400, 'unreadable_address'])
    }
    const { error } = await (await post('/v2/anything', '{}')).json()
    assert.match(error.message, /there are: POST …\/chat\/completions, POST …\/responses, POST …\/messages/)
    assert.equal(await chat(openai(server, '/@good'), 'create', sunny), "It's 72°F and sunny!")
  })
})

test('closing waits for what is short, and ends what is long', async () => {
  const server = await serve(file('chunked.yaml', recordings.chunked), { timing: 60_000 })
  const stream = await openai(server, '', { maxRetries: 0 }).chat.completions.create({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  const reading = assert.rejects(
    (async () => {
      for await (const _ of stream) continue
    })(),
  )
  const begin = performance.now()
  await Promise.all([server.close(), server.close()])
  await reading
  assert.ok(performance.now() - begin < 5000)
  await assert.rejects(fetch(`${server.url}/health`))
})

const vendor = (work) => during(serve(weather), work)

for (const [name, play] of Object.entries({
  'chat, streamed': (server, prefix) =>
    chat(openai(server, prefix, { apiKey: 'sk-secret-123456', organization: 'org-secret-1' }), 'stream', sunny),
  'Responses by reference': (server, prefix) => responses(openai(server, prefix), 'create', sunny, { history: 'previous' }),
  'Messages, streamed': (server, prefix) => run(anthropic(server, prefix, { apiKey: 'sk-secret-123456' }), 'helper', sunny),
})) {
  test(`the proxy records what passes, and its transcript plays: ${name}`, async () => {
    await vendor(async (upstream) => {
      const output = join(folder, 'recorded.yaml')
      const journal = join(folder, `${name.replaceAll(/\W+/g, '-')}.journal`)
      const recording = await proxy({ upstream: upstream.url, output, journal, record: { name: 'weather', chunks: true } })
      assert.equal(await play(recording, ''), "It's 72°F and sunny!")
      assert.match(readFileSync(journal, 'utf8'), /"fact":"model_responded"/)
      assert.deepEqual(await recording.close(), [output])
      const text = readFileSync(output, 'utf8')
      assert.ok(!/sk-secret|org-secret/.test(text + readFileSync(journal, 'utf8')))
      assert.deepEqual(parse(text).diagnostics, [])
      await during(serve({ text, file: 'recorded.yaml' }), async (server) => {
        assert.equal(await play(server, '/@again'), "It's 72°F and sunny!")
        server.assertComplete()
      })
    })
  })
}

test('sessions of a proxy are recorded apart, failures and all, and a vendor that is gone is reported', async () => {
  await vendor((upstream) =>
    during(proxy({ upstream: `${upstream.url}/v1`, output: join(folder, 'many.yaml') }), async (recording) => {
      await chat(openai(recording, '/@ann'), 'create', sunny)
      // To the vendor both are one caller with an ended recording.
      const late = chat(openai(recording, '/@bob'), 'create', sunny)
      await assert.rejects(late, { status: 400, code: 'transcript_exhausted' })
      assert.deepEqual(recording.sessions, ['ann', 'bob'])
      assert.deepEqual(await recording.close(), [join(folder, 'many-ann.yaml'), join(folder, 'many-bob.yaml')])
      assert.match(readFileSync(join(folder, 'many-bob.yaml'), 'utf8'), /status: 400/)
    }),
  )
  await during(proxy({ upstream: 'http://127.0.0.1:9' }), async (recording) => {
    const requested = chat(openai(recording, '', { maxRetries: 0 }), 'create', sunny)
    await assert.rejects(requested, { status: 502, message: /127\.0\.0\.1:9 cannot be reached/ })
  })
  await assert.rejects(proxy({ upstream: 'api.openai.com' }), /`upstream`/)
})

const HELLO = { id: 'c', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello!' } }] }
const respondWith = (data) => async () => Response.json(data)
const post = (url, body) => fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
const HI = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

test('callers whose names are alike are recorded in files of their own, compressed where the name says so', async () => {
  const recording = await proxy({
    upstream: 'http://vendor.invalid',
    fetch: respondWith(HELLO),
    output: join(folder, 'alike.yaml.gz'),
    journal: join(folder, 'alike.journal'),
  })
  for (const caller of ['a%20b', 'a_b', 'a~20b', '%C3%A9']) await (await post(`${recording.url}/@${caller}/v1`, HI)).text()
  const files = await recording.close()
  assert.deepEqual(
    files,
    ['a~20b', 'a_b', 'a~7e20b', '~c3~a9'].map((name) => join(folder, `alike-${name}.yaml.gz`)),
  )
  for (const name of files) assert.match(gunzipSync(readFileSync(name)).toString(), /Hello!/)
  for (const name of ['a~20b', 'a_b']) assert.match(readFileSync(join(folder, `alike-${name}.journal`), 'utf8'), /model_responded/)
})

test('what has a form that is not known passes the proxy, and bad options are reported at the start', async () => {
  await during(proxy({ upstream: 'http://vendor.invalid', fetch: respondWith(HELLO) }), async (recording) => {
    for (const body of [{ model: 'm' }, { model: 'm', messages: [null] }])
      assert.equal((await post(`${recording.url}/v1`, body)).status, 200)
    assert.equal(recording.recorder().problems.length, 2)
    assert.equal((await post(`${recording.url}/@%zz/v1`, HI)).status, 400)
  })
  const upstream = 'http://vendor.invalid'
  await assert.rejects(proxy({ upstream, record: { nme: 'x' } }), /no option `nme`; did you mean `name`/)
  await assert.rejects(proxy({ upstream, output: folder }), /is a folder, not a file/)
  await assert.rejects(proxy({ upstream, onResponse: 1 }), /`onResponse` of proxy\(\)/)
})

test('every cookie of a vendor reaches the caller, and a host that fails to listen fails no request', async () => {
  const warned = new Promise((done) => process.once('warning', done))
  const headers = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['content-type', 'application/json'],
  ]
  const vendor = async () => new Response(JSON.stringify(HELLO), { headers })
  const onResponse = () => {
    throw new Error('broken host')
  }
  await during(proxy({ upstream: 'http://vendor.invalid', fetch: vendor, onResponse }), async (recording) => {
    const answer = await post(`${recording.url}/v1`, HI)
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [200, ['a=1', 'b=2']])
  })
  assert.match((await warned).message, /`onResponse` of proxy\(\) failed: broken host/)
  await during(serve({ text: "messages: ['user: Hi', 'assistant: Hello!']" }, { onResponse }), async (server) => {
    assert.equal((await post(`${server.url}/v1`, HI)).status, 200)
  })
})

test('a stream that the vendor cuts is recorded as one, and not as given up', async () => {
  const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hel' } }] })}\n\n`
  const vendor = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk, () => setTimeout(() => response.destroy(), 50))
  })
  await new Promise((done) => vendor.listen(0, '127.0.0.1', done))
  await during(proxy({ upstream: `http://127.0.0.1:${vendor.address().port}` }), async (recording) => {
    await assert.rejects((await post(`${recording.url}/v1`, { ...HI, stream: true })).text())
    const { execution } = recording.recorder().finish().transcript
    assert.equal(execution[0].llm_error.type, 'connection_error')
  })
  vendor.close()
})

test('a name that no transcript has is reported wherever it stands', async () => {
  await during(serve({ a: weather, b: city }), async (server) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${server.url}/nope/transcript`, { method })
      assert.deepEqual([answer.status, (await answer.json()).error.code], [404, 'unknown_transcript'])
      assert.equal((await fetch(`${server.url}/a/transcript`, { method })).status, 200)
    }
    const { error } = await (await post(`${server.url}/v1`, HI)).json()
    assert.match(error.message, /^the request names no transcript; choose one of a, b /)
    await post(`${server.url}/a/v1`, { messages: 'x' })
    assert.throws(() => server.assertComplete(), TypeError)
  })
})
