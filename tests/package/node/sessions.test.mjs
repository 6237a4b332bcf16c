// Replays with settings, requests in the words of many, tools alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { replay, RecordedToolError, TranscriptDivergenceError } = await load(folder, 'transcript-workbench')

const system = { role: 'system', content: 'You are helpful' }
const user = { role: 'user', content: "What's the weather?" }
const called = (id) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'weather', arguments: '{"location":"NYC"}' } }],
})
const answered = (id, temp = 72) => ({
  role: 'tool',
  tool_call_id: id,
  content: JSON.stringify({ temp, condition: 'sunny' }),
})
const chat = (messages) => ({ format: 'openai-chat', model: 'gpt-x', messages })

test('a growing list of messages is followed whether it is one list or a new one each time', async () => {
  for (const copied of [false, true]) {
    const tape = await replay(weather)
    const messages = [system, user]
    const send = () => tape.request(chat(copied ? structuredClone(messages) : messages))
    assert.equal(send().step, '1')
    messages.push(called('call_001'), answered('call_001'))
    assert.equal(send().response.content, "It's 72°F and sunny!")
    tape.assertComplete()
    const [first, second] = tape.calls
    assert.deepEqual(first.messages, [system, user])
    assert.deepEqual(second.messages, [system, user, called('call_001'), answered('call_001')])
  }
})

test('a message that is changed in its place is seen', async () => {
  for (const change of [
    (messages) => {
      messages[0].content = 'You are rude'
    },
    (messages) => {
      messages[0].content[0].text = 'You are rude'
    },
    (messages) => {
      messages[0] = { role: 'developer', content: 'You are rude' }
    },
    (messages) => {
      messages[0].text = messages[0].content
      delete messages[0].content
    },
  ]) {
    const tape = await replay(weather)
    const inParts = String(change).includes('[0].text')
    const content = inParts ? [{ type: 'text', text: 'You are helpful' }] : 'You are helpful'
    const messages = [{ role: 'system', content }, { ...user }]
    tape.request(chat(messages))
    change(messages)
    messages.push(called('call_001'), answered('call_001'))
    assert.throws(() => tape.request(chat(messages)), { name: 'TranscriptDivergenceError', path: 'messages[0].content' })
  }
})

test('in a long history a replaced message is found at once, and one that was changed in place at the last call', async () => {
  const rounds = Array.from({ length: 400 }, (_, at) => `  - "user: Question ${at}"\n  - "assistant: Answer ${at}"\n`)
  const recorded = `messages:\n${rounds.join('')}`
  const play = async (change) => {
    const tape = await replay(recorded)
    const messages = []
    for (let at = 0; at < 400; at += 1) {
      messages.push({ role: 'user', content: `Question ${at}` })
      if (at === 300) change(messages)
      messages.push({ role: 'assistant', content: tape.request(chat(messages)).response.content })
    }
    tape.assertComplete()
  }
  await play((messages) => {
    messages[4] = { ...messages[4] }
  })
  const differs = { name: 'TranscriptDivergenceError', path: 'messages[4].content' }
  await assert.rejects(
    play((messages) => {
      messages[4] = { role: 'user', content: 'Another' }
    }),
    { ...differs, step: '601' },
  )
  await assert.rejects(
    play((messages) => {
      messages[4].content = 'Another'
    }),
    { ...differs, step: '799' },
  )
})

test('the calls of a tape have the new messages of a request that differs after a long history', async () => {
  const tape = await replay(
    `messages:\n${Array.from({ length: 200 }, (_, at) => `  - "user: q${at}"\n  - "assistant: a${at}"\n`).join('')}`,
  )
  const messages = []
  for (let at = 0; at < 150; at += 1) {
    messages.push({ role: 'user', content: `q${at}` })
    messages.push({ role: 'assistant', content: tape.request(chat(messages)).response.content })
  }
  messages.push({ role: 'user', content: 'Something else' })
  assert.throws(() => tape.request(chat(messages)), { name: 'TranscriptDivergenceError', path: 'messages[300].content' })
  assert.deepEqual(tape.calls.at(-1).messages, messages)
  assert.equal(tape.calls.at(-1).outcome, 'divergence')
})

test('a message of a long history that the recording has changed in place too is no difference', async () => {
  const write = (turns) =>
    JSON.stringify({
      version: '1.0',
      initial_state: { message_store: [] },
      execution: turns,
    })
  const turns = []
  const messages = Array.from({ length: 300 }, (_, at) => ({ role: 'user', content: `Question ${at}` }))
  const record = (answer) =>
    turns.push({
      turn: turns.length + 1,
      type: 'llm_call',
      messages_sent_to_llm: structuredClone(messages),
      llm_response: { content: answer },
    })
  record('One')
  messages[4].content = 'cleared'
  record('Two')
  record('Three')
  const tape = await replay({ text: write(turns) })
  messages[4].content = 'Question 4'
  assert.equal(tape.request(chat(messages)).response.content, 'One')
  messages[4].content = 'cleared'
  assert.equal(tape.request(chat(messages)).response.content, 'Two')
  assert.equal(tape.request(chat(messages)).response.content, 'Three')
  tape.assertComplete()
})

/** Plays rounds of a recording of the same, with a change of the list before one of its requests. */
const playRounds = async ({
  rounds,
  requested = rounds,
  change = () => {},
  at = requested - 1,
  each = () => {},
  after = () => {},
  options = {},
}) => {
  const tape = await replay(
    `messages:\n${Array.from({ length: rounds }, (_, nth) => `  - "user: q${nth}"\n  - "assistant: a${nth}"\n`).join('')}`,
    options,
  )
  const messages = []
  for (let nth = 0; nth < requested; nth += 1) {
    messages.push({ role: 'user', content: `q${nth}` })
    if (nth === at) change(messages)
    each(messages, nth)
    messages.push({ role: 'assistant', content: tape.request(chat(messages)).response.content })
  }
  after(messages)
  tape.assertComplete()
}

test('what was changed far back before the last request is seen in it, however long the history', async () => {
  const inPlace = (messages) => {
    messages[40].content = 'Another'
  }
  const replaced = (messages) => {
    messages[40] = { role: 'user', content: 'Another' }
  }
  for (const [rounds, change] of [
    [140, inPlace],
    [300, inPlace],
    [1200, inPlace],
    [1200, replaced],
  ]) {
    const differs = { name: 'TranscriptDivergenceError', path: 'messages[40].content', step: String(2 * rounds - 1), actual: 'Another' }
    await assert.rejects(playRounds({ rounds, change }), differs)
  }
  // After the last request the list is the agent's own.
  await playRounds({ rounds: 300, change: () => {}, after: inPlace })
  await playRounds({ rounds: 300, change: () => {}, after: (messages) => messages.splice(0) })
})

test('where the run ends before the recording what no request was compared with is looked at in the end', async () => {
  const early = { rounds: 400, requested: 300, options: { leftover: 'allow' } }
  for (const requested of [300, 310]) {
    const change = (messages) => {
      messages[40].content = 'Another'
    }
    await assert.rejects(playRounds({ ...early, requested, change }), (error) => {
      assert.ok(error instanceof TranscriptDivergenceError)
      assert.equal(error.path, 'messages[40]')
      assert.equal(error.step, String(2 * requested - 1))
      assert.deepEqual(
        [error.expected, error.actual],
        [
          { role: 'user', content: 'q20' },
          { role: 'user', content: 'Another' },
        ],
      )
      assert.match(error.hint, /changed in its place after it had been sent/)
      return true
    })
  }
  // What the core reads as the same, and a list that was let go, are no other history.
  await playRounds({
    ...early,
    change: (messages) => {
      messages[40].content = [{ type: 'text', text: 'q20' }]
    },
  })
  await playRounds({ ...early, change: () => {}, after: (messages) => messages.splice(0) })
})

test('a change in place in a long history is found at the last call, at a divergence or at the end, while it is there', async () => {
  const play = (changes, requested) => {
    const each = (messages, nth) => changes[nth]?.(messages)
    return playRounds({ rounds: 200, requested, each })
  }
  const spoil = (messages) => {
    messages[4].content = 'Another'
  }
  const restore = (messages) => {
    messages[4].content = 'q2'
  }
  const differs = (step) => ({ name: 'TranscriptDivergenceError', path: /^messages\[4\]/, step })
  await assert.rejects(play({ 150: spoil }), differs('399'))
  const diverge = (messages) => {
    messages.at(-1).content = 'Something else'
  }
  await assert.rejects(play({ 150: spoil, 160: diverge }), differs('321'))
  await assert.rejects(play({ 150: spoil }, 170), differs('339'))
  await play({ 150: spoil, 160: restore })
})

test('words of a message that are no data are refused with their place', async () => {
  const cases = [
    [() => 'Hi', '`messages[0].content` of the request is a function'],
    [Symbol('Hi'), '`messages[0].content` of the request is a symbol'],
    [1n, '`messages[0].content` of the request is a BigInt'],
    [[{ type: 'text', text: () => 'Hi' }], '`messages[0].content[0].text` of the request is a function'],
  ]
  for (const [content, what] of cases) {
    const tape = await replay(weather)
    const message = `${what}, which cannot be written as data`
    assert.throws(() => tape.request(chat([{ role: 'system', content }, user])), { code: 'ERR_TRANSCRIPT_MISUSE', message })
    // A method of a message is no words of it.
    assert.equal(tape.request(chat([{ ...system, text: () => 'You are' }, user])).step, '1')
  }
})

test('after a divergence the agent may be mended and ask again', async () => {
  const tape = await replay(weather)
  tape.request(chat([system, user]))
  const wrong = [system, user, called('call_001'), answered('call_001', 5)]
  assert.throws(() => tape.request(chat(wrong)), { path: 'messages[3].result.temp', expected: 72, actual: 5 })
  const right = [system, user, called('call_001'), answered('call_001')]
  assert.equal(tape.request(chat(right)).step, '3')
})

test('ignores are named, and the hint names them', async () => {
  const run = async (options) => {
    const tape = await replay(weather, options)
    tape.request(chat([system, user]))
    return tape.request(chat([system, user, called('toolu_1'), answered('toolu_1')]))
  }
  await assert.rejects(run({}), (error) => {
    assert(error instanceof TranscriptDivergenceError)
    assert.match(error.hint, /`ignore: \["ids"\]`/)
    return true
  })
  assert.equal((await run({ ignore: ['ids'] })).step, '3')
})

test('leftovers may be allowed, and a run may play itself', async () => {
  const tape = await replay(weather, { leftover: 'allow' })
  assert.equal(tape.replayNext().step, '1')
  tape.assertComplete()
  assert.equal(tape.replayNext().response.content, "It's 72°F and sunny!")
  assert.equal(tape.replayNext(), null)
})

test('a rehearsal gives recorded failures, and goes on', async () => {
  const failing = `version: "1.0"
initial_state: {message_store: [{id: m1, role: user, content: Hi}]}
execution:
  - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: m1}], llm_error: {type: rate_limit, message: slow, status: 429}}
  - {turn: 2, type: llm_call, messages_sent_to_llm: [{ref: m1}], llm_response: {content: Hello}}
`
  const tape = await replay({ text: failing })
  const reported = []
  for (let call = tape.replayNext(); call !== null; call = tape.replayNext()) reported.push(call)
  assert.deepEqual(
    reported.map(({ step, response }) => [step, response?.content]),
    [
      ['1', undefined],
      ['2', 'Hello'],
    ],
  )
  const [{ error }] = reported
  assert.deepEqual([error.name, error.status, error.retried, error.error.type], ['RecordedModelError', 429, true, 'rate_limit'])
  tape.assertComplete()
  // An agent that sends a request is failed as it was.
  const requested = await replay({ text: failing })
  assert.throws(() => requested.request({ format: 'canonical', messages: [{ role: 'user', content: 'Hi' }] }), {
    name: 'RecordedModelError',
  })
})

test('a run that asks no model is complete at once, and any request diverges', async () => {
  const tape = await replay({ text: "messages: ['user: Hi']" })
  assert.deepEqual([tape.remainingSteps, tape.leftover, tape.expectedMessages, tape.replayNext()], [0, [], null, null])
  tape.assertComplete()
  assert.throws(
    () => tape.request({ format: 'canonical', messages: [{ role: 'user', content: 'Hi' }] }),
    (error) => {
      assert.match(error.message, /^<text>: the recording has no model call, but the agent makes one\n/)
      assert.match(error.hint, /record the run again/)
      return true
    },
  )
  assert.throws(() => tape.assertComplete(), TranscriptDivergenceError)
})

test('tools give their recorded results to a live model', async () => {
  const failing = weather.replace(
    "condition: 'sunny'}\"",
    'condition: \'sunny\'}"\n  - "assistant:call weather(location=\'LA\')"\n  - "tool:weather!: no such place"',
  )
  const tools = await replay(failing, { mode: 'mocked-tools' })
  const run = tools.tool('weather')
  assert.deepEqual(await run({ location: 'NYC' }), { temp: 72, condition: 'sunny' })
  await assert.rejects(run({ location: 'LA' }), (error) => error instanceof RecordedToolError && error.message === 'no such place')
  assert.deepEqual(tools.leftover, [])
  tools.assertComplete()
  await assert.rejects(run({ location: 'Oslo' }), { name: 'TranscriptDivergenceError', path: 'arguments.location', actual: 'Oslo' })
  assert.throws(() => tools.assertComplete(), { name: 'TranscriptDivergenceError' })
  assert.throws(() => tools.call('weather'), { name: 'TypeError' })
})

test('a tool whose result nobody requested fails the run', async () => {
  const tools = await replay(weather, { mode: 'mocked-tools' })
  assert.throws(() => tools.assertComplete(), { name: 'TranscriptDivergenceError', step: '2' })
  ;(await replay(weather, { mode: 'mocked-tools', leftover: 'allow' })).assertComplete()
})

test('a call of a long history looks into new messages alone, and the last call into all', async () => {
  const rounds = Array.from({ length: 3000 }, (_, at) => `  - "user: Question ${at}"\n  - "assistant: Answer ${at}"\n`)
  const tape = await replay(`messages:\n${rounds.join('')}`)
  let looks = 0
  const watched = (role, content) => ({
    role,
    get content() {
      looks += 1
      return content
    },
  })
  const messages = []
  for (let at = 0; at < 3000; at += 1) {
    messages.push(watched('user', `Question ${at}`))
    looks = 0
    messages.push(watched('assistant', tape.request(chat(messages)).response.content))
    assert.ok(looks < (at < 2999 ? 300 : 7000), `${looks} looks at step ${at}`)
  }
  assert.ok(looks >= 5999, `${looks} looks at the last step`)
  looks = 0
  tape.assertComplete()
  assert.equal(looks, 0)
})

test('a mocked tool says what was given, not its name, where an argument is missing', async () => {
  const tape = await replay({ text: "messages: ['user: Hi', 'assistant:call f(x=1)', 'tool:f: 2']" }, { mode: 'mocked-tools' })
  assert.throws(() => tape.call({ name: 'f', arguments: {} }), {
    name: 'TranscriptDivergenceError',
    path: 'arguments.x',
    expected: 1,
    actual: undefined,
    missing: 'actual',
  })
  assert.throws(() => tape.call({ name: 'g', arguments: {} }), { path: 'name', actual: 'g' })
})

test('options that are unknown or have no effect are refused', async () => {
  const tape = await replay(weather)
  assert.throws(() => tape.session({ agnt: 'x' }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /session\(\) has no option `agnt`; did you mean `agent`\?/,
  })
  assert.throws(() => tape.request(chat([system]), { agnt: 'x' }), { message: /request\(\) has no option `agnt`/ })
  const refused = [
    [{ match: 'id' }, /`match` of replay\(\) has no effect in the mode `strict`/],
    [{ mode: 'mocked-tools', order: 'any' }, /`order` of replay\(\) has no effect in the mode `mocked-tools`/],
    [{ mode: 'property', ignore: ['tool_call_id'] }, /`ignore` of replay\(\) has no effect in the mode `property`/],
    [{ compare: ['result_order'], ignore: ['result_order'] }, /cannot both compare and ignore `result_order`/],
  ]
  for (const [options, message] of refused) await assert.rejects(replay(weather, options), { code: 'ERR_TRANSCRIPT_MISUSE', message })
})

test('a request that cannot be read is reported with its place and moves nothing', async () => {
  const tape = await replay(weather)
  const itself = { role: 'user', content: 'Hi' }
  itself.itself = itself
  const deep = { role: 'user', content: 'Hi' }
  let at = deep
  for (let depth = 0; depth < 20_000; depth += 1) at = at.in = {}
  const refused = [
    [undefined, /request\(\) takes \{format, messages\}, but got nothing/],
    [{ messages: [system, user] }, /request\(\) takes a request with its `format`/],
    [chat([system, itself]), /`messages\[1\]\.itself` of the request is an object that holds itself/],
    [chat([system, deep]), /of the request is something more than 400 levels deep/],
    [chat([system, { role: 'user', content: 1n }]), /`messages\[1\]\.content` of the request is a BigInt/],
  ]
  for (const [request, message] of refused) assert.throws(() => tape.request(request), { code: 'ERR_TRANSCRIPT_MISUSE', message })
  assert.equal(tape.request(chat([system, user])).step, '1')
  const tools = await replay(weather, { mode: 'mocked-tools' })
  assert.throws(() => tools.call({ name: 'weather', arguments: itself }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /`arguments\.itself` of the call/,
  })
})

test('messages of LangChain have their kind as a method too', async () => {
  const tape = await replay({ text: "messages: ['system: Be kind', 'user: Hi', 'assistant: Hello!']" })
  const of = (kind, content) => ({ content, getType: () => kind })
  const answer = tape.request({ format: 'langchain', messages: [of('system', 'Be kind'), of('human', 'Hi')] })
  assert.equal(answer.response.content, 'Hello!')
})

test('a step of another agent has a state, and its tools are expected too', async () => {
  const tape = await replay({
    text: JSON.stringify({
      version: '1.0',
      initial_state: { message_store: [{ id: 'a', role: 'user', content: 'Hi' }] },
      execution: [
        {
          turn: 1,
          type: 'tool_call',
          tool_call: {
            tool_name: 'ask',
            parameters: {},
            result: {
              agent_id: 'other',
              response: 'yes',
              nested_transcript: {
                initial_state: { context: { depth: 1 }, message_store: [{ id: 'b', role: 'user', content: 'Really?' }] },
                execution: [
                  { turn: 1, type: 'tool_call', tool_call: { tool_name: 'look', parameters: { x: 1 }, result: 2 } },
                  { turn: 2, type: 'llm_call', messages_sent_to_llm: [{ ref: 'b' }], llm_response: { content: 'yes' } },
                ],
              },
            },
          },
        },
      ],
    }),
  })
  assert.deepEqual(tape.state('1.1').context, { depth: 1 })
  assert.throws(() => tape.state('1.3'), RangeError)
  assert.deepEqual(
    tape.expectedToolCalls.map(({ step, name }) => [step, name]),
    [
      ['1', 'ask'],
      ['1.1', 'look'],
    ],
  )
  assert.throws(
    () => tape.assertComplete(),
    ({ step, run }) => step === '1.2' && run !== '',
  )
})
