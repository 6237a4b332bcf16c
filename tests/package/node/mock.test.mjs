// Mock models: handlers of documents, as data, and functions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const {
  ConditionError,
  InvalidResponseError,
  MockError,
  MockExhaustedError,
  MockFailureError,
  MockNoMatchError,
  TranscriptError,
  UnknownStateError,
  mockModel,
} = await load(folder, 'transcript-workbench')

const say = (content) => ({ messages: [{ role: 'user', content }] })

test('responses come one after the other', async () => {
  const model = mockModel(['Hi', { content: null, tool_calls: [{ name: 'f', arguments: { x: 1 } }] }])
  assert.deepEqual([model.responsesUsed, model.responsesRemaining, model.allConsumed], [0, 2, false])
  assert.equal((await model.call(say('a'))).content, 'Hi')
  assert.deepEqual((await model.call(say('b'))).tool_calls, [{ name: 'f', arguments: { x: 1 } }])
  assert.deepEqual([model.callCount, model.responsesUsed, model.responsesRemaining, model.allConsumed], [2, 2, 0, true])
  await assert.rejects(model.call(say('c')), (error) => {
    assert.ok(error instanceof MockExhaustedError && error instanceof MockError && error instanceof Error)
    assert.ok(!(error instanceof MockNoMatchError))
    assert.deepEqual([error.name, error.call, error.place], ['MockExhaustedError', 3, null])
    return true
  })
  assert.deepEqual(
    model.requests.map(({ messages }) => messages[0].content),
    ['a', 'b', 'c'],
  )
  assert.equal(model.responses.length, 2)
  assert.equal(model.exchanges[2].error.name, 'MockExhaustedError')
})

test('a handler of a document answers, and its errors have their place', async () => {
  const text = `handlers:
  bot:
    type: conditional
    rules:
      - {when: "contains(last_user, 'weather')", respond: "It is {{ context.temp }} degrees"}
  other: {type: queue, responses: [Hi]}
`
  assert.throws(() => mockModel(text), { code: 'ERR_TRANSCRIPT_MISUSE', message: /choose one with `agent`: `bot`, `other`/ })
  assert.throws(() => mockModel(text, { agent: 'bit' }), { message: /no handler `bit`; did you mean `bot`\?/ })
  const model = mockModel({ text, file: 'bots.yaml' }, { agent: 'bot' })
  assert.equal((await model.call({ ...say('the weather'), context: { temp: 21 } })).content, 'It is 21 degrees')
  assert.equal(model.trace().answered, 'handlers.bot.rules[0]')
  await assert.rejects(model.call(say('the time')), (error) => {
    assert.ok(error instanceof MockNoMatchError)
    assert.match(error.message, /^bots\.yaml:\d+:\d+: /)
    return true
  })
  const trace = model.trace()
  assert.deepEqual([trace.answered, trace.decisions[0].matched], [null, false])
  assert.match(trace.text, /^no {3}handlers\.bot\.rules\[0\]/)
})

test('the named errors are known from one another', async () => {
  const machine = mockModel({ type: 'state_machine', initial: 'a', states: { a: { respond: 'A', next: 'a' } } })
  assert.equal((await machine.call(say('x'))).content, 'A')
  const failing = mockModel({
    type: 'fail',
    times: 1,
    error: { type: 'rate_limit', message: 'slow down', status: 429 },
    then: { type: 'queue', responses: ['ok'] },
  })
  await assert.rejects(failing.call(say('x')), (error) => error instanceof MockFailureError && error.status === 429)
  assert.equal((await failing.call(say('x'))).content, 'ok')
  const invalid = mockModel(() => 12)
  await assert.rejects(invalid.call(say('x')), (error) => error instanceof InvalidResponseError && /12/.test(error.message))
  const condition = mockModel({ type: 'conditional', rules: [{ when: 'sum(messages) > `1`', respond: 'x' }] })
  await assert.rejects(condition.call(say('x')), (error) => error instanceof ConditionError)
  assert.equal(typeof UnknownStateError, 'function')
})

test('a function sees the call, and may take its time', async () => {
  const seen = []
  const model = mockModel(
    async (context) => {
      seen.push(context)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return `call ${context.callCount}`
    },
    { agent: 'guide' },
  )
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', tool_calls: [{ id: 'a', name: 'f', arguments: {} }] },
    { role: 'tool', tool_call_id: 'a', result: { temp: 21 } },
  ]
  const replies = await Promise.all([
    model.call({ messages, model: 'm', tools: ['f'], context: { city: 'Rome' }, temperature: 0.5 }),
    model.call({ messages, iteration: 7 }),
  ])
  assert.deepEqual(
    replies.map(({ content }) => content),
    ['call 1', 'call 2'],
  )
  const [first, second] = seen
  assert.deepEqual(
    [first.agent, first.iteration, first.callCount, first.model, first.tools, first.context, first.kwargs],
    ['guide', 1, 1, 'm', ['f'], { city: 'Rome' }, { temperature: 0.5 }],
  )
  assert.deepEqual([first.lastUser, first.lastResult, first.lastRole, second.iteration], ['Hi', { temp: 21 }, 'tool', 7])
})

test('tools that are no list are refused', async () => {
  const model = mockModel(({ tools }) => `${tools.length} tools`)
  for (const [tools, got] of [
    [5, 'a number'],
    ['f', 'a string'],
    [{ f: {} }, 'an object'],
  ]) {
    await assert.rejects(model.call({ messages: [], tools }), {
      code: 'ERR_TRANSCRIPT_MISUSE',
      message: `the \`tools\` of call() are a list, but got ${got}`,
    })
  }
  for (const tools of [undefined, null, []]) assert.equal((await model.call({ messages: [], tools })).content, '0 tools')
})

test('what a function throws reaches the caller as it is', async () => {
  const thrown = Object.assign(new RangeError('too far'), { code: 'E1' })
  const model = mockModel(() => {
    throw thrown
  })
  const reported = []
  model.on('error', (event) => reported.push(event))
  await assert.rejects(model.call(say('x')), (error) => error === thrown)
  assert.equal(reported[0].error, thrown)
  assert.deepEqual(model.exchanges[0].error.message, 'too far')
  assert.deepEqual([model.callCount, model.responsesUsed], [1, 0])
})

test('events come in order, and can be given up', async () => {
  const model = mockModel(['Hi'])
  const reported = []
  const off = ['before', 'after', 'error'].map((kind) => model.on(kind, ({ kind, call }) => reported.push(`${kind} ${call}`)))
  await model.call(say('a'))
  await model.call(say('b')).catch(() => {})
  assert.deepEqual(reported, ['before 1', 'after 1', 'before 2', 'error 2'])
  for (const end of off) end()
  await model.call(say('c')).catch(() => {})
  assert.equal(reported.length, 4)
  assert.throws(() => model.on('befor', () => {}), { code: 'ERR_TRANSCRIPT_MISUSE' })
})

test('a state is taken up where it was left', async () => {
  const model = mockModel(['1', '2', '3'])
  await model.call(say('a'))
  const state = JSON.parse(JSON.stringify(model.snapshot()))
  assert.equal((await model.call(say('b'))).content, '2')
  model.restore(state)
  assert.deepEqual([model.callCount, (await model.call(say('b'))).content], [1, '2'])
  model.reset()
  assert.deepEqual([model.callCount, model.requests.length, (await model.call(say('c'))).content], [0, 0, '1'])
  assert.throws(() => model.restore({}), { code: 'ERR_TRANSCRIPT_MISUSE' })
})

test('a call may be in the words of any framework', async () => {
  const model = mockModel({ type: 'conditional', rules: [{ when: "contains(tools, 'f')", respond: '{{ last_user }}' }] })
  const calls = [
    { format: 'openai-chat', ...say('Hi'), tools: [{ type: 'function', function: { name: 'f' } }] },
    { format: 'anthropic', system: 's', ...say('Hi'), tools: [{ name: 'f', input_schema: {} }] },
    { format: 'ai-sdk', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: ['f'] },
  ]
  for (const call of calls) assert.equal((await model.call(call)).content, 'Hi')
})

test('so much is kept as is requested', async () => {
  const model = mockModel({ type: 'repeat', respond: 'x' }, { keep: { calls: 2 } })
  for (let at = 0; at < 5; at += 1) await model.call(say(String(at)))
  assert.deepEqual([model.callCount, model.requests.map(({ call }) => call)], [5, [4, 5]])
})

test('the words of the library are there for those who ask', async () => {
  const model = mockModel([], { profile: 'good-agent' })
  const other = mockModel([])
  const answer = await Promise.all([model, other].map((one) => one.call(say('x')).catch(({ message }) => message)))
  assert.notEqual(answer[0], answer[1])
})

test('misuse names the option and the place', async () => {
  const misuse = (message) => ({ code: 'ERR_TRANSCRIPT_MISUSE', message })
  assert.throws(() => mockModel(['a'], { agnet: 'x' }), misuse(/has no option `agnet`; did you mean `agent`/))
  assert.throws(() => mockModel(['a'], { keep: { call: 1 } }), misuse(/`keep`/))
  assert.throws(() => mockModel(['a'], { profile: 'good_agent' }), misuse(/`profile` of mockModel\(\) is one of default, good-agent/))
  const invalid = { type: 'queue', responses: ['a'], save_as: () => 'b' }
  assert.throws(() => mockModel(invalid), misuse('`handlers.model.save_as` of the handlers is a function, which cannot be written as data'))
  assert.throws(() => mockModel(() => 'a', { rules: {} }), misuse(/`rules` of mockModel\(\) applies only to documents/))
  await assert.rejects(mockModel(['a']).call([], { signal: 1 }), misuse(/`signal` of call\(\) is an AbortSignal/))
  assert.throws(() => mockModel(12), misuse(/mockModel\(\) takes/))
  assert.throws(() => mockModel('bots.yaml'), misuse(/takes a document, not the name of a file/))
  assert.throws(
    () => mockModel({ type: 'queu', responses: [] }),
    (error) => error instanceof TranscriptError && /queue/.test(error.message),
  )
  const model = mockModel(['a'])
  await assert.rejects(model.call('x'), misuse(/call\(\) takes \{messages/))
  const cyclic = { messages: [] }
  cyclic.extra = cyclic
  await assert.rejects(model.call(cyclic), misuse('`extra` of the call is an object that holds itself, which cannot be written as data'))
  assert.equal(model.callCount, 0)
})

test('bytes in an answer have their normal form', async () => {
  const model = mockModel(() => ({ content: null, metadata: { icon: new Uint8Array([1, 2, 3]) } }))
  const { metadata } = await model.call(say('x'))
  assert.deepEqual(metadata.icon, { $binary: { media_type: 'application/octet-stream', base64: 'AQID' } })
})
