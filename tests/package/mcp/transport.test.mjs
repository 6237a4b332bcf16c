// Calls of MCP tools recorded by the transport, saved, and replayed without the server.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { all, clientOf, folder, linked, recorded, runsOf, toolsOf } from './package.mjs'
import { PIXEL, weatherServer } from './tools.mjs'

const { createRecorder, recordMcp, replayMcp } = all

const call = (client, name, args = {}) => client.callTool({ name, arguments: args })

/** Records what `work` does with a client of a live server, and gives what it returned too. */
const recordedWith = async (name, work, { live, ...options } = {}) => {
  let answer
  const { transport, ran } = await linked(live)
  const found = await recorded(name, async (recorder) => {
    const client = await clientOf(recordMcp(recorder, transport, options))
    answer = await work(client)
    await client.close()
  })
  return { ...found, answer, ran }
}

/** Whatever a client can be answered. */
const everything = async (client) => ({
  tools: (await client.listTools()).tools.map(({ name }) => name),
  weather: await call(client, 'weather', { location: 'NYC' }),
  text: await call(client, 'say', { text: 'Grüße, 世界\r\n' }),
  json: await call(client, 'say', { text: '{"a": [1, 2]}' }),
  empty: await call(client, 'say', { text: '' }),
  parts: await call(client, 'draw'),
  failed: await call(client, 'fail'),
})

test('a client is answered what it was answered when it was recorded, whatever kind of answer that is', async () => {
  const { file, transcript, answer, ran } = await recordedWith('everything', everything)
  assert.equal(ran.length, 6)
  assert.deepEqual(answer.weather.structuredContent, { temp: 72, condition: 'sunny' })
  const results = runsOf(transcript).map(({ tool_name: name, result, success, error }) => (success ? [name, result] : [name, error]))
  assert.deepEqual(results.slice(0, 4), [
    ['weather', { temp: 72, condition: 'sunny' }],
    ['say', 'Grüße, 世界\r\n'],
    ['say', '{"a": [1, 2]}'],
    ['say', ''],
  ])
  assert.deepEqual(results[4][1].content[1], {
    type: 'image',
    annotations: { audience: ['user'] },
    $binary: { media_type: 'image/png', base64: PIXEL },
  })
  assert.deepEqual(results[5], ['fail', 'no station'])
  const tape = await toolsOf(file)
  const client = await clientOf(replayMcp(tape))
  assert.deepEqual(await everything(client), answer)
  tape.assertComplete()
})

test('the client of the newer SDK records and replays the same', async () => {
  const make = async (transport) => {
    const client = new NewClient({ name: 'tests', version: '1.0.0' })
    await client.connect(transport)
    return client
  }
  const { transport } = await linked()
  let answer
  const { file } = await recorded('newer', async (recorder) => {
    const client = await make(recordMcp(recorder, transport))
    answer = await everything(client)
    await client.close()
  })
  const tape = await toolsOf(file)
  assert.deepEqual(await everything(await make(replayMcp(tape))), answer)
  tape.assertComplete()
})

test('a server that is a process of its own is recorded by its standard streams, and is not needed again', async () => {
  const here = dirname(fileURLToPath(import.meta.url))
  const { file } = await recorded('stdio', async (recorder) => {
    const transport = recordMcp(recorder, new StdioClientTransport({ command: process.execPath, args: [join(here, 'server.mjs')] }))
    const client = await clientOf(transport)
    assert.equal(typeof transport.pid, 'number')
    assert.deepEqual((await call(client, 'weather', { location: 'NYC' })).structuredContent, { temp: 72, condition: 'sunny' })
    await client.close()
  })
  const tape = await toolsOf(file)
  const client = await clientOf(replayMcp(tape))
  assert.deepEqual((await call(client, 'weather', { location: 'NYC' })).structuredContent, { temp: 72, condition: 'sunny' })
  tape.assertComplete()
})

test('the transport of a server is recorded as well as that of a client', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const { transcript } = await recorded('of-server', async (recorder) => {
    await weatherServer().server.connect(recordMcp(recorder, theirs))
    const client = await clientOf(ours)
    await call(client, 'say', { text: 'Hi' })
    await client.close()
  })
  assert.deepEqual(
    runsOf(transcript).map(({ tool_name: name, parameters, result }) => [name, parameters, result]),
    [['say', { text: 'Hi' }, 'Hi']],
  )
})

test('parallel calls keep their own answers, whichever comes first, and alike ones come in order', async () => {
  const late = { Oslo: 20, Rome: 0 }
  let count = 0
  const live = {
    wait: (location) => new Promise((done) => setTimeout(done, late[location])),
    read: (location) => ({ temp: (count += 1), condition: location }),
  }
  const sendRequests = (client) => Promise.all(['Oslo', 'Rome', 'Rome'].map((location) => call(client, 'weather', { location })))
  const { file, answer, transcript } = await recordedWith('parallel', sendRequests, { live })
  assert.deepEqual(
    answer.map(({ structuredContent: { condition } }) => condition),
    ['Oslo', 'Rome', 'Rome'],
  )
  assert.deepEqual(
    runsOf(transcript).map(({ parameters: { location } }) => location),
    ['Oslo', 'Rome', 'Rome'],
  )
  const tape = await toolsOf(file)
  assert.deepEqual(await sendRequests(await clientOf(replayMcp(tape))), answer)
  tape.assertComplete()
})

test('a call that was not recorded is answered with an error that explains it, and is reported at the end', async () => {
  const { file } = await recordedWith('drift', (client) => call(client, 'weather', { location: 'NYC' }))
  const tape = await toolsOf(file)
  const client = await clientOf(replayMcp(tape))
  await assert.rejects(call(client, 'weather', { location: 'Rome' }), (error) => {
    assert.equal(error.code, -32602)
    assert.match(error.message, /drift\.yaml.*weather/s)
    const { type, path, expected, actual } = error.data
    assert.deepEqual([type, path, expected, actual], ['TranscriptDivergenceError', 'arguments.location', 'NYC', 'Rome'])
    return true
  })
  assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError', path: 'arguments.location' })
  const other = await toolsOf(file)
  await assert.rejects(call(await clientOf(replayMcp(other)), 'say', { text: 'Hi' }), /say/)
  assert.throws(() => other.assertComplete(), { name: 'TranscriptDivergenceError' })
  const unused = await toolsOf(file)
  await clientOf(replayMcp(unused))
  assert.throws(() => unused.assertComplete(), /not made/)
})

test('an error of the protocol is recorded, and is the same error in a replay', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  theirs.onmessage = ({ id, method }) => {
    if (method === 'initialize')
      theirs.send({
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
      })
    if (method === 'tools/call') theirs.send({ jsonrpc: '2.0', id, error: { code: -32050, message: 'no tool today' } })
  }
  const { file, transcript } = await recorded('protocol-error', async (recorder) => {
    const client = await clientOf(recordMcp(recorder, ours))
    await assert.rejects(call(client, 'weather'), { code: -32050, message: /no tool today/ })
  })
  assert.equal(runsOf(transcript)[0].success, false)
  const tape = await toolsOf(file)
  await assert.rejects(call(await clientOf(replayMcp(tape)), 'weather'), { code: -32050, message: /no tool today/ })
  tape.assertComplete()
})

test('a call that is given up is recorded as that, and a late answer is none', async () => {
  const { transcript } = await recordedWith('cancelled', async (client) => {
    const abort = new AbortController()
    const wanted = client.callTool({ name: 'forever', arguments: {} }, undefined, { signal: abort.signal })
    abort.abort('enough')
    await assert.rejects(wanted, /enough/)
    await call(client, 'say', { text: 'Hi' })
  })
  assert.deepEqual(
    runsOf(transcript).map(({ tool_name: name, success }) => [name, success]),
    [
      ['forever', false],
      ['say', true],
    ],
  )
  assert.match(runsOf(transcript)[0].error, /cancelled.*enough/)
})

test('a connection that closes ends the calls that wait', async () => {
  const { transcript } = await recordedWith('closed', async (client) => {
    const wanted = call(client, 'forever')
    const refused = assert.rejects(wanted, /closed/)
    await client.close()
    await refused
  })
  assert.deepEqual(
    runsOf(transcript).map(({ success, error }) => [success, error]),
    [[false, 'the connection was closed']],
  )
})

test('answers of a megabyte are the same again', async () => {
  const text = 'wörd\n'.repeat(200_000)
  const { file } = await recordedWith('large', (client) => call(client, 'say', { text }))
  const tape = await toolsOf(file)
  const { content } = await call(await clientOf(replayMcp(tape)), 'say', { text })
  assert.equal(content[0].text, text)
  tape.assertComplete()
})

test('two servers with tools of the same name are distinguished by their names', async () => {
  const sendRequests = async (a, b) => [await call(a, 'say', { text: 'Hi' }), await call(b, 'say', { text: 'Hi' }), await call(b, 'fail')]
  const { transport: first } = await linked()
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  theirs.onmessage = ({ id, method, params }) => {
    if (method === 'initialize')
      theirs.send({
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } },
      })
    if (method === 'tools/call') theirs.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `${params.name} of b` }] } })
  }
  let answer
  const { file, transcript } = await recorded('two', async (recorder) => {
    const a = await clientOf(recordMcp(recorder, first, { server: 'a' }))
    answer = await sendRequests(a, await clientOf(recordMcp(recorder, ours, { server: 'b' })))
  })
  assert.deepEqual(
    runsOf(transcript).map(({ tool_name: name }) => name),
    ['mcp__a__say', 'mcp__b__say', 'mcp__b__fail'],
  )
  const tape = await toolsOf(file)
  const a = await clientOf(replayMcp(tape, { server: 'a' }))
  const b = await clientOf(replayMcp(tape, { server: 'b' }))
  assert.deepEqual(
    (await a.listTools()).tools.map(({ name }) => name),
    ['say'],
  )
  assert.deepEqual(
    (await b.listTools()).tools.map(({ name }) => name),
    ['say', 'fail'],
  )
  assert.deepEqual(await sendRequests(a, b), answer)
  tape.assertComplete()
})

test('with the transport of a live server only its tools are recorded ones', async () => {
  const { file } = await recordedWith('beside', (client) => call(client, 'say', { text: 'Hi' }))
  const { transport, ran } = await linked()
  const tape = await toolsOf(file)
  const client = await clientOf(replayMcp(tape, { transport }))
  assert.equal(client.getServerVersion().name, 'weather')
  assert.equal((await client.listTools()).tools.length, 5)
  const { contents } = await client.readResource({ uri: 'file:///readme.txt' })
  assert.equal(contents[0].text, 'Read me')
  assert.equal((await call(client, 'say', { text: 'Hi' })).content[0].text, 'Hi')
  assert.deepEqual(ran, [])
  tape.assertComplete()
  await assert.rejects(call(client, 'say', { text: 'Ho' }), { code: -32602 })
  assert.deepEqual(ran, [])
  assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError' })
})

test('what is not recorded is forwarded where that is requested', async () => {
  const { file } = await recordedWith('forward', (client) => call(client, 'say', { text: 'Hi' }))
  const { transport, ran } = await linked()
  const tape = await toolsOf(file)
  const client = await clientOf(replayMcp(tape, { transport, unrecorded: 'forward' }))
  assert.equal((await call(client, 'say', { text: 'Ho' })).content[0].text, 'Ho')
  assert.equal((await call(client, 'say', { text: 'Hi' })).content[0].text, 'Hi')
  assert.deepEqual(ran, [['say', { text: 'Ho' }]])
  tape.assertComplete()
})

test('a journal that breaks off has the tools of the server', async () => {
  const journal = join(folder, 'cut.journal')
  const recorder = all.createRecorder({ recording: 'cut', journal })
  const { transport } = await linked()
  const client = await clientOf(all.recordMcp(recorder, transport))
  await client.listTools()
  await client.callTool({ name: 'say', arguments: { text: 'Hi' } })
  const { transcript, text } = all.recover(readFileSync(journal, 'utf8'))
  assert.deepEqual(transcript.agent_config.tools.map(({ name }) => name).sort(), ['draw', 'fail', 'forever', 'say', 'weather'])
  assert.deepEqual(
    runsOf(transcript).map(({ id, caller }) => [id, caller]),
    [['mcp_001', 'host']],
  )
  assert.deepEqual(
    all.validate({ text }).diagnostics.filter(({ severity }) => severity !== 'info'),
    [],
  )
})

test('the definitions of tools are those that were recorded, unless others are given', async () => {
  const { file } = await recordedWith('definitions', async (client) => {
    await client.listTools()
    await call(client, 'say', { text: 'Hi' })
  })
  const client = await clientOf(replayMcp(await toolsOf(file)))
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['draw', 'fail', 'forever', 'say', 'weather'])
  const say = tools.find(({ name }) => name === 'say')
  assert.equal(say.description, 'Says it')
  assert.deepEqual(say.inputSchema.properties, { text: { type: 'string' } })
  await assert.rejects(client.listTools({ cursor: 'x' }), { code: -32602 })
  const provided = [{ name: 'say', inputSchema: { type: 'object' } }]
  assert.deepEqual((await (await clientOf(replayMcp(await toolsOf(file), { tools: provided }))).listTools()).tools, provided)
})

test('a recording of no MCP tool answers too: data as data and as text', async () => {
  const text = `messages:
  - "user: Hi"
  - "assistant:call weather(location='NYC')"
  - "tool:weather: {temp: 72}"
  - "assistant: It's 72°F."
`
  const tape = await all.replay({ text }, { mode: 'mocked-tools' })
  const client = await clientOf(replayMcp(tape))
  assert.deepEqual((await client.listTools()).tools, [{ name: 'weather', inputSchema: { type: 'object' } }])
  assert.deepEqual(await call(client, 'weather', { location: 'NYC' }), {
    content: [{ type: 'text', text: '{"temp":72}' }],
    structuredContent: { temp: 72 },
  })
  tape.assertComplete()
})

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })

/** A transport of a recording that is started, and what it says. */
const started = async (options) => {
  const transport = replayMcp(await all.replay({ text: 'messages:\n  - "user: Hi"\n' }, { mode: 'mocked-tools' }), options)
  const received = []
  transport.onmessage = (message) => received.push(message)
  await transport.start()
  const sendRequests = async (...messages) => {
    for (const message of messages) await transport.send(message)
    await new Promise((done) => setImmediate(done))
    return received.splice(0)
  }
  return { transport, sendRequests }
}

test('a replay agrees on the revision that is requested, or offers its newest', async () => {
  const { transport, sendRequests } = await started({ server: 'files' })
  for (const [wanted, agreed] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ]) {
    const [{ result }] = await sendRequests(request(1, 'initialize', { protocolVersion: wanted, capabilities: {} }))
    assert.equal(result.protocolVersion, agreed)
    assert.equal(result.serverInfo.name, 'files')
  }
  transport.setProtocolVersion('2025-06-18')
  assert.deepEqual([transport.protocolVersion, transport.sessionId], ['2025-06-18', undefined])
})

test('a replay answers a ping, refuses what it has not, and says nothing to a notification', async () => {
  const { sendRequests } = await started()
  assert.deepEqual(await sendRequests(request('a', 'ping')), [{ jsonrpc: '2.0', id: 'a', result: {} }])
  const [{ error }] = await sendRequests(request(2, 'resources/list'))
  assert.equal(error.code, -32601)
  assert.match(error.message, /resources\/list/)
  assert.deepEqual(await sendRequests({ jsonrpc: '2.0', method: 'notifications/initialized' }), [])
  assert.deepEqual(await sendRequests({ jsonrpc: '2.0', id: 9, result: {} }), [])
  const [{ error: nameless }] = await sendRequests(request(3, 'tools/call', {}))
  assert.equal(nameless.code, -32602)
})

test('a request that was cancelled has no answer', async () => {
  const { transport } = await started()
  const received = []
  transport.onmessage = (message) => received.push(message)
  const sent = transport.send(request(1, 'ping'))
  transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await sent
  await new Promise((done) => setImmediate(done))
  assert.deepEqual(received, [])
})

test('a replay is started once, says once that it is closed, and takes nothing after that', async () => {
  const tape = await all.replay({ text: 'messages:\n  - "user: Hi"\n' }, { mode: 'mocked-tools' })
  const transport = replayMcp(tape)
  let closed = 0
  transport.onclose = () => {
    closed += 1
  }
  await assert.rejects(transport.send(request(1, 'ping')), /Not connected/)
  await transport.start()
  await assert.rejects(transport.start(), /started before/)
  await transport.close()
  await transport.close()
  assert.equal(closed, 1)
  await assert.rejects(transport.send(request(1, 'ping')), /Not connected/)
})

test('what a host throws when it is answered goes back to it', async () => {
  const { transport, sendRequests } = await started()
  const reported = []
  transport.onerror = (error) => reported.push(error.message)
  transport.onmessage = () => {
    throw new Error('not today')
  }
  await sendRequests(request(1, 'ping'))
  assert.deepEqual(reported, ['not today'])
})

test('what is sent and received passes a recorded transport as it is, and so do its failures', async () => {
  const inner = {
    sent: [],
    sessionId: 's1',
    start: async () => {},
    close: async () => inner.onclose?.(),
    send: async (...provided) => {
      inner.sent.push(provided)
      if (provided[0].method === 'tools/call') throw new Error('cut off')
    },
  }
  const recorder = createRecorder({ name: 'raw', recording: 'raw' })
  const transport = recordMcp(recorder, inner)
  const received = []
  let closed = 0
  transport.onmessage = (...reported) => received.push(reported)
  transport.onclose = () => {
    closed += 1
  }
  const unusual = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
  const options = { relatedRequestId: 7 }
  await transport.send(unusual, options)
  assert.equal(inner.sent[0][0], unusual)
  assert.equal(inner.sent[0][1], options)
  inner.onmessage(unusual, options)
  inner.onmessage('no message')
  inner.onmessage(null)
  assert.equal(received[0][0], unusual)
  assert.equal(received[0][1], options)
  assert.equal(received.length, 3)
  await assert.rejects(transport.send(request(1, 'tools/call', { name: 'say' })), /cut off/)
  await transport.close()
  assert.deepEqual([closed, transport.sessionId, recorder.problems], [1, 's1', []])
  assert.deepEqual(
    runsOf(recorder.finish().transcript).map(({ tool_name: name, error }) => [name, error]),
    [['say', 'cut off']],
  )
})

test('a client whose recorder is freed goes on', async () => {
  const { transport } = await linked()
  const recorder = createRecorder({ name: 'freed' })
  const client = await clientOf(recordMcp(recorder, transport))
  recorder.free()
  assert.equal((await call(client, 'say', { text: 'Hi' })).content[0].text, 'Hi')
})

test('what is no recorder, no transport, no tape or no option is refused in words', async () => {
  const { transport } = await linked()
  assert.throws(() => recordMcp({}, transport), /takes a recorder/)
  assert.throws(() => recordMcp(createRecorder(), {}), /start, send and close/)
  assert.throws(() => recordMcp(createRecorder(), transport, { name: 'x' }), /no option `name`.*server/)
  assert.throws(() => recordMcp(createRecorder(), transport, { server: '' }), /name of a server/)
  assert.throws(() => replayMcp(Promise.resolve()), /awaited/)
  assert.throws(() => replayMcp({}), /got an object: pass `await replay\(file, \{ mode: 'mocked-tools' \}\)`/)
  const tape = await all.replay({ text: 'messages:\n  - "user: Hi"\n' }, { mode: 'mocked-tools' })
  assert.throws(() => replayMcp(tape, { unrecorded: 'forward' }), /there is none/)
  assert.throws(() => replayMcp(tape, { unrecorded: 'pass', transport }), /fail or forward/)
  assert.throws(() => replayMcp(tape, { tools: [], transport }), /cannot be used together/)
  assert.throws(() => replayMcp(tape, { tools: {} }), /list of definitions/)
})

test('a tool that fails in the words of a server fails as a tool, and several texts are reported to be one', async () => {
  const words = ['JSON-RPC error -32602: x', 'tool error: JSON-RPC error -32602: x', 'tool error: x']
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  theirs.onmessage = ({ id, method, params }) => {
    if (method === 'initialize')
      theirs.send({
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
      })
    const texts = params?.arguments?.texts ?? []
    if (method === 'tools/call')
      theirs.send({ jsonrpc: '2.0', id, result: { content: texts.map((text) => ({ type: 'text', text })), isError: true } })
  }
  const sendRequests = async (client) => {
    const answers = []
    for (const text of words) answers.push(await call(client, 'fail', { texts: [text] }))
    return answers
  }
  const recorder = createRecorder({ name: 'alike' })
  const client = await clientOf(recordMcp(recorder, ours))
  const answer = await sendRequests(client)
  assert.deepEqual(
    answer.map(({ content, isError }) => [content, isError]),
    words.map((text) => [[{ type: 'text', text }], true]),
  )
  assert.deepEqual(recorder.problems, [])
  await call(client, 'fail', { texts: ['a', 'b'] })
  const tape = await toolsOf(await recorder.save(join(folder, 'alike.yaml')))
  assert.match(recorder.problems[0].message, /more than one text/)
  const again = await clientOf(replayMcp(tape))
  assert.deepEqual(await sendRequests(again), answer)
  assert.deepEqual((await call(again, 'fail', { texts: ['a', 'b'] })).content, [{ type: 'text', text: 'a\nb' }])
  tape.assertComplete()
})
