// A tape without any framework.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { replay, TranscriptDivergenceError, TranscriptError } = await load(folder, 'transcript-workbench')

const system = { role: 'system', content: 'You are helpful' }
const user = { role: 'user', content: "What's the weather?" }
const canonicalRequest = (messages) => ({ format: 'canonical', messages })

test('a file is named by its path or its URL', async () => {
  const file = join(folder, 'weather.yaml')
  writeFileSync(file, weather)
  for (const source of [file, pathToFileURL(file)]) {
    const tape = await replay(source)
    assert.equal(tape.file, file)
    assert.equal(tape.remainingSteps, 2)
  }
  const fails = (source, code, message) => assert.rejects(replay(source), { code, message })
  await fails(join(folder, 'none.yaml'), 'ENOENT', /none\.yaml.*; record the run first/)
  await fails('none.yaml', 'ENOENT', /relative to the current folder.*\{text\} for a transcript on one line/)
  await fails(
    `{"messages": ["user: ${'x'.repeat(300)}"]}`,
    'ENAMETOOLONG',
    /^this text is too long .* pass a transcript on one line as \{text\}$/,
  )
})

test('a text is taken as it is, with a name or without', async () => {
  assert.equal((await replay(weather)).file, '<text>')
  assert.equal((await replay({ text: "messages: ['user: Hi', 'assistant: Hello!']" })).remainingSteps, 1)
  assert.equal((await replay({ text: weather, file: 'w.yaml' })).file, 'w.yaml')
  assert.equal((await replay({ bytes: new TextEncoder().encode(weather), file: 'w.yaml' })).file, 'w.yaml')
})

test('a tape says what the recording expects', async () => {
  const tape = await replay(`model: recorded\ntemperature: 0.5\ncontext: {city: NYC}\n${weather}`)
  assert.deepEqual(tape.expectedConfig, { model: 'recorded', temperature: 0.5 })
  assert.deepEqual(tape.initialContext, { city: 'NYC' })
  assert.deepEqual(tape.expectedToolCalls, [
    {
      step: '2',
      id: 'call_001',
      name: 'weather',
      arguments: { location: 'NYC' },
      result: { temp: 72, condition: 'sunny' },
      success: true,
    },
  ])
  assert.deepEqual(tape.expectedMessages, [
    { ...system, is_error: false },
    { ...user, is_error: false },
  ])
  assert.deepEqual(tape.state(0).visible, ['msg_001', 'msg_002'])
  assert.deepEqual(
    tape.state(1).sent.map(({ id }) => id),
    ['msg_001', 'msg_002'],
  )
})

test('answers come in order and the tape counts them', async () => {
  const tape = await replay(weather)
  const first = tape.request(canonicalRequest([system, user]))
  assert.equal(first.step, '1')
  assert.deepEqual(first.response.tool_calls, [{ id: 'call_001', name: 'weather', arguments: { location: 'NYC' } }])
  assert.deepEqual([tape.remainingSteps, tape.leftover], [1, ['3']])
  const second = tape.request(
    canonicalRequest([
      system,
      user,
      { role: 'assistant', tool_calls: first.response.tool_calls },
      { role: 'tool', tool_call_id: 'call_001', result: { condition: 'sunny', temp: 72 } },
    ]),
  )
  assert.deepEqual([second.step, second.response.content], ['3', "It's 72°F and sunny!"])
  assert.deepEqual(
    tape.calls.map(({ step, outcome, messages }) => [step, outcome, messages.length]),
    [
      ['1', 'response', 2],
      ['3', 'response', 4],
    ],
  )
  tape.assertComplete()
})

test('a divergence leaves the tape where it is, and is remembered', async () => {
  const tape = await replay(weather)
  const other = { role: 'user', content: "What's the time?" }
  assert.throws(
    () => tape.request(canonicalRequest([system, other])),
    (error) => {
      assert.ok(error instanceof TranscriptDivergenceError && error instanceof Error)
      assert.deepEqual([error.path, error.expected, error.actual], ['messages[1].content', user.content, other.content])
      return true
    },
  )
  assert.equal(tape.remainingSteps, 2)
  assert.equal(tape.request(canonicalRequest([system, user])).step, '1')
  assert.throws(() => tape.assertComplete(), { path: 'messages[1].content' })
})

test('two tapes of one recording do not know of each other', async () => {
  const [one, other] = [await replay(weather), await replay(weather)]
  one.request(canonicalRequest([system, user]))
  assert.deepEqual([one.remainingSteps, other.remainingSteps], [1, 2])
})

test('what cannot be replayed is reported with its diagnostics', async () => {
  await assert.rejects(replay({ text: unknownRef, file: 'run.yaml' }), (error) => {
    assert.ok(error instanceof TranscriptError)
    assert.ok(error.diagnostics.some(({ code }) => code === 'T201'))
    assert.match(error.rendered, /error\[T201\]/)
    assert.ok(error.message.startsWith('run.yaml cannot be replayed: it has '), error.message)
    assert.ok(error.message.endsWith(error.rendered))
    return true
  })
  const inside = `execution:
  - type: llm_call
    llm_response: {content: Hi}
`
  await assert.rejects(replay({ text: inside }), { name: 'TranscriptError', message: /cannot be replayed: step 1/ })
})

test('a file that is missing, and handlers, are refused with what to do', async () => {
  await assert.rejects(replay('none.yaml'), {
    code: 'ENOENT',
    message: /^there is no file `none\.yaml`; .*relative to the current folder: pass new URL\(name, import\.meta\.url\)/,
  })
  await assert.rejects(replay(new URL('none.yaml', import.meta.url)), {
    code: 'ENOENT',
    message: /; record the run first, or write the file$/,
  })
  const absolute = join(tmpdir(), 'no-such-folder', 'none.yaml')
  await assert.rejects(replay(absolute), {
    code: 'ENOENT',
    message: `there is no file \`${absolute}\`; record the run first, or write the file`,
  })
  for (const folder of [tmpdir(), '..', pathToFileURL(tmpdir())]) {
    await assert.rejects(replay(folder), { code: 'EISDIR', message: /^replay\(\) cannot read the file `[^`]*`: EISDIR[^;]*$/ })
  }
  const handlers = { text: 'handlers: {bot: {type: repeat, respond: Hi}}', file: 'bots.yaml' }
  await assert.rejects(replay(handlers), { name: 'TypeError', message: 'bots.yaml has handlers and no run: pass its text to mockModel()' })
})

test('what is not there is refused, not ignored', async () => {
  await assert.rejects(replay(weather, { mode: 'loose' }), { name: 'TypeError', message: /is one of strict/ })
  await assert.rejects(replay(weather, { ignore: 'ids' }), { name: 'TypeError', message: /takes a list/ })
  await assert.rejects(replay(weather, { ignore: ['id'] }), { name: 'TypeError', message: /did you mean `ids`/ })
  await assert.rejects(replay(weather, { order: 'all' }), { name: 'TypeError', message: /is one of sequence, any/ })
  await assert.rejects(replay('none.yaml', { maxDepth: 'deep' }), { name: 'TypeError', message: /of replay\(\)/ })
  await assert.rejects(replay(weather, { mod: 'strict' }), { name: 'TypeError', message: /did you mean `mode`/ })
})

test('requests that JSON cannot say are distinguished from a divergence', async () => {
  const tape = await replay(weather)
  assert.throws(() => tape.request({ format: 'canonical' }), { name: 'TypeError', message: /messages/ })
  assert.throws(() => tape.request(canonicalRequest([{ role: 'user', content: 1 }])), { name: 'TypeError' })
  const cyclic = { role: 'user' }
  cyclic.content = cyclic
  assert.throws(() => tape.request(canonicalRequest([cyclic])), TypeError)
  // Half a surrogate pair, as a text cut in the middle ends with, is compared as U+FFFD.
  const halved = { role: 'user', content: '\ud83c' }
  assert.throws(() => tape.request(canonicalRequest([system, halved])), { name: 'TranscriptDivergenceError', actual: '\ufffd' })
  assert.equal(tape.remainingSteps, 2)
})

const nested = `messages:
  - "system: You are helpful"
  - "user: Both?"
  - {assistant: "", call: ["research(city='Rome')", "research(city='Oslo')"]}
  - tool: research
    result: {agent_id: researcher, response: warm, nested_transcript: {
      initial_state: {message_store: [{id: s, role: system, content: You look up}, {id: u, role: user, content: Rome}]},
      execution: [{turn: 1, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}], llm_response: {content: warm}}]}}
  - tool: research
    result: {agent_id: researcher, response: cold, nested_transcript: {
      initial_state: {message_store: [{id: s, role: system, content: You look up}, {id: u, role: user, content: Oslo}]},
      execution: [{turn: 1, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}], llm_response: {content: cold}}]}}
  - "assistant: One is."
`
const lookUp = (city) => [
  { role: 'system', content: 'You look up' },
  { role: 'user', content: city },
]
const both = [system, { role: 'user', content: 'Both?' }]
const report = (calls) => [
  ...both,
  { role: 'assistant', tool_calls: calls },
  { role: 'tool', tool_call_id: calls[0].id, result: 'warm' },
  { role: 'tool', tool_call_id: calls[1].id, result: 'cold' },
]

test('agents that run side by side get their own answers', async () => {
  const tape = await replay(nested)
  assert.deepEqual([tape.remainingSteps, tape.leftover], [4, ['1', '2.1', '3.1', '4']])
  const { response } = tape.request(canonicalRequest(both))
  assert.deepEqual(
    ['Oslo', 'Rome'].map((city) => tape.request(canonicalRequest(lookUp(city))).step),
    ['3.1', '2.1'],
  )
  assert.equal(tape.request(canonicalRequest(report(response.tool_calls))).step, '4')
  tape.assertComplete()
  assert.deepEqual(
    tape.calls.map(({ step, messages }) => [step, messages.length]),
    [
      ['1', 2],
      ['3.1', 2],
      ['2.1', 2],
      ['4', 5],
    ],
  )
})

test('a host may say which agent asks, and mock an agent as a tool', async () => {
  const tape = await replay(nested)
  const { response } = tape.session({ agent: 'main' }).request(canonicalRequest(both))
  const researcher = tape.session({ agent: 'call_002' })
  assert.equal(researcher.request(canonicalRequest(lookUp('Oslo'))).step, '3.1')
  assert.throws(
    () => tape.request(canonicalRequest(lookUp('Bern')), { agent: 'researcher' }),
    (error) => {
      const { step, run, path, recordedPath, otherDifference } = error
      assert.deepEqual(
        { step, run, path, recordedPath, otherDifference },
        {
          step: '2.1',
          run: 'turn 2 > researcher',
          path: 'messages[1].content',
          recordedPath: null,
          otherDifference: null,
        },
      )
      return true
    },
  )
  assert.throws(() => tape.request(canonicalRequest(both), { agent: 'reseacher' }), /no agent `reseacher`[^]*did you mean `researcher`/)
  assert.throws(() => tape.session({ agent: 1 }), { name: 'TypeError', message: /`agent` of session\(\) is a string/ })
  assert.equal(tape.request(canonicalRequest(report(response.tool_calls)), { agent: 'main' }).step, '4')
  // The other one was not run, and its answer is the recorded one.
  assert.deepEqual([tape.remainingSteps, tape.leftover], [0, []])
})

test('of an agent that is a tool, mocked tools give the answer', async () => {
  const tools = await replay(nested, { mode: 'mocked-tools' })
  assert.equal(await tools.tool('research')({ city: 'Oslo' }), 'cold')
  assert.deepEqual(tools.leftover, ['2'])
})

test('a request that is refused leaves no trace in the next one', async () => {
  const text = "messages: ['user: Hi', 'assistant: Hello!', 'user: More', 'assistant: OK', 'user: Last', 'assistant: Bye']"
  const said = ['user', 'assistant', 'user', 'assistant', 'user']
  const request = (...contents) => canonicalRequest(contents.map((content, at) => ({ role: said[at], content })))
  const tape = await replay({ text })
  assert.throws(() => tape.request(request('Hi', 5)), TypeError)
  assert.equal(tape.request(request('Hi')).response.content, 'Hello!')
  assert.equal(tape.request(request('Hi', 'Hello!', 'More')).response.content, 'OK')
  // The third message differs from the recording, and the fourth is none.
  assert.throws(() => tape.request(request('Hi', 'Hello!', 'Other', 5)), TypeError)
  assert.throws(() => tape.request(request('Hi', 'Hello!', 'Other', 'OK', 'Last')), { path: 'messages[2].content' })
  assert.throws(() => tape.assertComplete())
})

test('an error has the place of a message in the list that was passed', async () => {
  const text = "messages: ['user: Hi', 'assistant: Hello!', 'user: More', 'user: Still', 'assistant: OK']"
  const first = [{ role: 'user', content: 'Hi' }]
  const second = [...first, { role: 'assistant', content: 'Hello!' }, ...['More', 'Still'].map((content) => ({ role: 'user', content }))]
  for (const [wrong, message] of [
    [{ content: 'x' }, /^messages\[4\] has no `role`/],
    ['x', /^messages\[4\]: expected a map, found a string/],
    [{ role: 'user', content: 1n }, /^`messages\[4\]\.content` of the request is a BigInt/i],
  ]) {
    const tape = await replay({ text })
    const ask = (messages) => tape.request({ format: 'openai-chat', messages })
    assert.equal(ask(first).response.content, 'Hello!')
    assert.throws(() => ask([...second, wrong]), { code: 'ERR_TRANSCRIPT_MISUSE', message })
    assert.equal(ask(second).response.content, 'OK')
    tape.assertComplete()
  }
})
