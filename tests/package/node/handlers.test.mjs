// Handlers that are made in code, and functions in them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const {
  InvalidResponseError,
  MockError,
  MockExhaustedError,
  MockFailureError,
  MockFunctionError,
  mock,
  mockModel,
  simulate,
  timeTravel,
  validate,
} = await load(folder, 'transcript-workbench')

const say = (content) => ({ messages: [{ role: 'user', content }] })
const answer = async (model, ...texts) => {
  const out = []
  for (const text of texts) out.push((await model.call(say(text))).content)
  return out
}
const misuse = (message) => ({ code: 'ERR_TRANSCRIPT_MISUSE', message })

/** A signal that aborts soon; unlike those of AbortSignal.timeout() it keeps the test alive. */
const late = () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), 5)
  return controller.signal
}

test('responses, functions, handlers and documents make a model', async () => {
  assert.deepEqual(await answer(mock('Response 1', 'Response 2'), 'a', 'b'), ['Response 1', 'Response 2'])
  assert.deepEqual(await answer(mock(['a', { content: 'b' }]), 'x', 'y'), ['a', 'b'])
  assert.deepEqual(
    await answer(
      mock(({ lastUser }) => `${lastUser}!`),
      'Hi',
    ),
    ['Hi!'],
  )
  assert.deepEqual(
    await answer(
      mock('One', ({ callCount }) => `Call ${callCount}`),
      'a',
      'b',
    ),
    ['One', 'Call 2'],
  )
  assert.deepEqual(await answer(mock({ handlers: { a: mock.repeat('Hi') } }), 'a'), ['Hi'])
  assert.deepEqual(await answer(mock({ text: 'handlers: {a: {type: queue, responses: [Hi]}}' }), 'a'), ['Hi'])
  assert.deepEqual(await answer(mock({ content: 'Hi' }), 'a'), ['Hi'])
  await assert.rejects(mock().call(say('x')), MockExhaustedError)
})

test('what is made in code is the data of a document', async () => {
  const handlers = {
    a: mock
      .conditional()
      .when({ last_user_contains: 'weather' }, 'Sunny')
      .when('call_count == `2`', mock.create({ content: 'Two' }))
      .default('No idea'),
    b: mock.stateMachine({ states: { greeting: { respond: 'Hello!', next: 'end' }, end: 'Bye' } }),
    c: mock.transcript([['user', 'Hi'], ['assistant', 'Checking', { tool_calls: [['f', {}]] }], { role: 'assistant', content: 'Done' }]),
    d: mock.composite('in_order', mock.queue('a'), [mock.repeat('b', { times: 2 })]),
    e: mock.fail({ type: 'busy', message: 'later' }, { times: 1, then: mock.queue('Hi') }),
    f: mock.toolSequence([mock.toolCall('f', { x: 1 }, { result: 2 })], { then: 'Done' }),
    g: mock.recording(mock.queue('Hi'), { saveAs: 'calls' }),
  }
  assert.ok(Object.values(handlers).every(mock.isData))
  const text = JSON.stringify({ handlers })
  assert.deepEqual(
    validate(text).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  const printed = JSON.parse(text).handlers
  assert.deepEqual(printed.a, {
    type: 'conditional',
    rules: [
      { when: { last_user_contains: 'weather' }, respond: 'Sunny' },
      { when: 'call_count == `2`', respond: { content: 'Two' } },
    ],
    default: 'No idea',
  })
  assert.deepEqual(printed.b, {
    type: 'state_machine',
    initial: 'greeting',
    states: { greeting: { respond: 'Hello!', next: 'end' }, end: { respond: 'Bye' } },
  })
  assert.deepEqual(printed.f.calls, [{ name: 'f', arguments: { x: 1 }, result: 2 }])
  const one = (name) => mockModel({ handlers }, { agent: name })
  assert.deepEqual(await answer(one('a'), 'weather', 'x', 'x'), ['Sunny', 'Two', 'No idea'])
  assert.deepEqual(await answer(one('b'), 'x', 'x'), ['Hello!', 'Bye'])
  assert.deepEqual(await answer(one('d'), 'x', 'x', 'x'), ['a', 'b', 'b'])
  const failing = one('e')
  await assert.rejects(failing.call(say('x')), MockFailureError)
  assert.deepEqual(await answer(failing, 'x'), ['Hi'])
  assert.deepEqual((await one('f').call(say('x'))).tool_calls, [{ name: 'f', arguments: { x: 1 }, result: 2 }])
})

test('rules can be shared: adding to them leaves them as they were', async () => {
  const base = mock.conditional().when({ last_user_contains: 'a' }, 'A')
  const more = base.when({ last_user_contains: 'b' }, 'B').default('None')
  assert.deepEqual([base.rules.length, more.rules.length], [1, 2])
  assert.deepEqual(await answer(mock(more), 'b', 'c'), ['B', 'None'])
})

test('functions stand for conditions, responses and handlers', async () => {
  const seen = []
  const rules = mock
    .conditional()
    .when(
      async (context) => {
        seen.push(context)
        return context.lastUser.startsWith('a')
      },
      ({ lastUser }) => `A: ${lastUser}`,
    )
    .when({ all: [{ last_user_contains: 'b' }, { not: ({ callCount }) => callCount > 3 }] }, async () => ({
      content: 'B',
      metadata: { at: 1 },
    }))
    .default(() => 'None')
  assert.equal(mock.isData(rules), false)
  const model = mock(rules)
  assert.deepEqual(await answer(model, 'ab', 'b', 'c', 'b'), ['A: ab', 'B', 'None', 'None'])
  assert.deepEqual(
    seen.map(({ callCount, lastRole, messages }) => [callCount, lastRole, messages.length]),
    [
      [1, 'user', 1],
      [2, 'user', 1],
      [3, 'user', 1],
      [4, 'user', 1],
    ],
  )
  assert.match(model.trace().text, /^no {3}handlers\.model\.rules\[0\]: the function returned false\n/)
  const machine = mock(
    mock.stateMachine({
      states: {
        ask: {
          respond: ({ callCount }) => `Question ${callCount}`,
          transitions: [{ to: 'end', when: ({ lastUser }) => lastUser === 'stop' }],
        },
        end: () => 'The end',
      },
    }),
  )
  assert.deepEqual(await answer(machine, 'x', 'stop', 'x'), ['Question 1', 'Question 2', 'The end'])
  const both = mock(mock.composite(mock.queue('One'), ({ lastUser }) => `Else: ${lastUser}`))
  assert.deepEqual(await answer(both, 'x', 'y'), ['One', 'Else: y'])
  const afterwards = mock(mock.fail('busy', { times: 1, then: ({ callCount }) => `Call ${callCount}` }))
  await assert.rejects(afterwards.call(say('x')), MockFailureError)
  assert.deepEqual(await answer(afterwards, 'x'), ['Call 2'])
})

const TOOL_TEXTS = [
  '{"sales": 5}',
  '{"k":1}',
  '{"id": 12345678901234567890123, "n": 9007199254740993}',
  '"quoted"',
  '[1.0, 1e5]',
  'plain text',
  '',
]

/** Requests of every framework that end with a tool message with this text. */
const withToolText = (content) => {
  const user = { role: 'user', content: 'Hi' }
  const toolCallMessage = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
  }
  return [
    {
      messages: [
        user,
        { role: 'assistant', tool_calls: [{ id: 'a', name: 'f', arguments: {} }] },
        { role: 'tool', tool_call_id: 'a', content },
      ],
    },
    { format: 'openai-chat', messages: [user, toolCallMessage, { role: 'tool', tool_call_id: 'a', content }] },
    {
      format: 'openai-responses',
      input: [
        user,
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: content },
      ],
    },
    {
      format: 'anthropic',
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
      ],
    },
    {
      format: 'ai-sdk',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: content } }] },
      ],
    },
    {
      format: 'langchain',
      messages: [
        { type: 'human', content: 'Hi' },
        { type: 'ai', content: '', tool_calls: [{ id: 'a', name: 'f', args: {} }] },
        { type: 'tool', tool_call_id: 'a', content },
      ],
    },
  ]
}

test('a function sees the text of a tool as rules see it, unchanged', async () => {
  for (const text of TOOL_TEXTS) {
    for (const request of withToolText(text)) {
      const seen = []
      const models = [
        mock((context) => {
          seen.push(context)
          return 'ok'
        }),
        mock(
          mock.conditional().default((context) => {
            seen.push(context)
            return 'ok'
          }),
        ),
      ]
      for (const model of models) await model.call(request)
      assert.deepEqual(
        seen.map(({ lastTool, messages }) => [lastTool, messages.at(-1).content]),
        [
          [text, text],
          [text, text],
        ],
        request.format,
      )
      const rule = await mock(
        mock.repeat({ content: null, metadata: { last: '{{ last_tool }}', content: '{{ messages[-1].content }}' } }),
      ).call(request)
      assert.deepEqual(rule.metadata, { last: text, content: text }, request.format)
      assert.equal((await mock(mock.conditional().when({ last_tool_equals: text }, 'yes').default('no')).call(request)).content, 'yes')
    }
  }
})

test('a function sees data without a text as rules see it', async () => {
  const output = { type: 'json', value: { k: 1, list: [1.5, 'é'] } }
  const request = {
    format: 'ai-sdk',
    messages: [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output }] }],
  }
  const text = '{"k": 1, "list": [1.5, "é"]}'
  const reply = await mock(({ lastTool, lastResult, messages }) => ({
    content: lastTool,
    metadata: { lastResult, last: messages.at(-1).content },
  })).call(request)
  assert.deepEqual(reply, { content: text, metadata: { lastResult: output.value, last: text } })
  assert.equal((await mock('{{ last_tool }}').call(request)).content, text)
})

test('functions and rules of a simulation see the same of a tool', async () => {
  for (const [profile, result, text] of [
    ['default', { k: 1 }, '{"k": 1}'],
    ['good-agent', { k: 1 }, "{'k': 1}"],
    ['default', '{"k":1}', '{"k":1}'],
    ['default', new Error('no'), 'Error: no'],
  ]) {
    const calling = mock.conditional().default(mock.toolCall('f'))
    for (const handler of [
      calling.when({ last_role: 'tool' }, ({ lastTool }) => lastTool),
      calling.when({ last_tool_equals: text }, text),
    ]) {
      const input = { profile, agents: [{ name: 'bot', tools: ['f'], handler }], steps: [{ op: 'execute', content: 'Go' }] }
      const { steps } = await simulate(input, { tools: { f: () => result } })
      assert.equal(steps[0].yielded.at(-1).content, text)
    }
  }
})

class Counting {
  count = 0

  async handle({ lastUser }, { signal }) {
    assert.equal(signal, undefined)
    this.count += 1
    return `${this.count}: ${lastUser}`
  }
}

class Polite {
  handle() {
    return 'Please'
  }
}

test('an object with a method `handle` is a handler wherever one stands', async () => {
  const counting = new Counting()
  assert.deepEqual(await answer(mock(counting), 'a', 'b'), ['1: a', '2: b'])
  assert.equal(counting.count, 2)
  assert.deepEqual(await answer(mockModel(new Counting(), { agent: 'bot' }), 'a'), ['1: a'])
  assert.deepEqual(await answer(mock({ handle: () => 'plain' }), 'a'), ['plain'])
  assert.deepEqual(await answer(mock({ handlers: { bot: new Counting() } }), 'a'), ['1: a'])
  assert.deepEqual(await answer(mockModel({ handlers: { a: new Polite(), b: mock.queue('B') } }, { agent: 'b' }), 'x'), ['B'])
  assert.deepEqual(await answer(mock(mock.composite(mock.queue('One'), new Polite())), 'a', 'b'), ['One', 'Please'])
  assert.deepEqual(await answer(mock(mock.recording(new Counting())), 'a', 'b'), ['1: a', '2: b'])
  assert.equal(mock.isData(mock.recording(new Polite())), false)
  const steps = [{ op: 'call', content: 'Hi' }]
  for (const [input, options] of [
    [{ agents: [{ name: 'bot', handler: new Counting() }], steps }],
    [{ agents: [{ name: 'bot', mock: [new Counting()] }], steps }],
    [{ agents: [{ name: 'bot' }], handlers: { bot: new Counting() }, steps }],
    [{ agents: [{ name: 'bot' }], steps }, { handlers: { bot: new Counting() } }],
  ])
    assert.equal((await simulate(input, options)).steps[0].returned?.content, '1: Hi')
  const run = timeTravel("messages: ['user: Hi', 'assistant: Hello!']").edit(0, 'Good day')
  assert.match((await run.recompute({ model: new Counting() })).text, /1: Good day/)
  assert.throws(
    () =>
      mock(
        new (class Silent {
          handel() {}
        })(),
      ),
    misuse('mock.queue() got an object of the class Silent, which is neither a response nor has a method `handle`'),
  )
  assert.deepEqual(
    await answer(
      mock(
        new (class {
          content = 'of a class'
        })(),
      ),
      'a',
    ),
    ['of a class'],
  )
  assert.throws(() => mock('a', new Polite()), misuse(/takes a response.*but got a handler/))
  assert.throws(() => mock(Polite), misuse('Polite is a class, not a handler; pass an instance: new Polite(…)'))
  await assert.rejects(
    mock({
      handle: () => {
        throw new RangeError('too far')
      },
    }).call(say('x')),
    RangeError,
  )
})

test('a conditional handler takes its rules one by one or at once', async () => {
  const rules = [
    { when: { last_user_contains: 'weather' }, respond: 'Sunny' },
    { when: ({ lastUser }) => lastUser === 'capital', respond: () => 'Paris' },
  ]
  const requested = ['weather', 'capital']
  for (const handler of [
    mock.conditional(...rules),
    mock.conditional(rules),
    mock.conditional(rules[0]).when(rules[1].when, rules[1].respond),
  ]) {
    assert.deepEqual(await answer(mock(handler), ...requested), ['Sunny', 'Paris'])
    assert.deepEqual(await answer(mock(handler.default('No idea')), 'x', ...requested), ['No idea', 'Sunny', 'Paris'])
  }
  for (const when of [rules[0].when, "contains(last_user, 'weather')", ({ lastUser }) => lastUser === 'weather']) {
    assert.deepEqual(await answer(mock(mock.conditional(when, 'Sunny').default('No')), 'x', 'weather'), ['No', 'Sunny'])
  }
  assert.throws(
    () => mock.conditional({ when: 'a', respnd: 'x' }),
    misuse('mock.conditional() has no option `respnd`; did you mean `respond`?'),
  )
  assert.throws(() => mock.conditional({ respond: 'x' }), misuse(/when\(\) takes a map of tests.*but got nothing/))
  assert.throws(() => mock.conditional({ when: 'a' }), misuse(/takes a response.*but got nothing/))
  assert.throws(() => mock.conditional(5), misuse(/when\(\) takes a map of tests.*but got a number/))
})

test('the transitions of a state may be conditions by their target', async () => {
  const has =
    (word) =>
    ({ lastUser }) =>
      lastUser.includes(word)
  const states = (next) => ({
    greeting: { respond: 'Hello!', transitions: { weather: has('weather'), capital: { last_user_contains: 'capital' } } },
    weather: { respond: mock.create({ content: 'Let me check', tool_calls: [['get_weather', {}]] }), [next]: 'result' },
    result: { respond: "It's sunny!", [next]: 'greeting' },
    capital: { respond: ({ lastUser }) => `The ${lastUser}`, [next]: 'greeting' },
  })
  for (const next of ['next', 'default_next']) {
    const model = mock(mock.stateMachine({ initial: 'greeting', states: states(next) }))
    assert.deepEqual(await answer(model, 'weather', 'x', 'x', 'capital', 'capital'), [
      'Hello!',
      'Let me check',
      "It's sunny!",
      'Hello!',
      'The capital',
    ])
    assert.deepEqual(model.warnings, [])
  }
  assert.deepEqual(
    mock.stateMachine({ states: { a: { respond: 'A', transitions: { b: 'call_count > `1`' } }, b: 'B' } }).states.a.transitions,
    [{ to: 'b', when: 'call_count > `1`' }],
  )
})

test('a function that throws is a named error with its place', async () => {
  const thrown = new RangeError('too far')
  const model = mock(
    mock
      .conditional()
      .when(() => {
        throw thrown
      }, 'x')
      .default('y'),
  )
  const error = await model.call(say('x')).catch((caught) => caught)
  assert.ok(error instanceof MockFunctionError && error instanceof MockError)
  assert.deepEqual(
    [error.name, error.path, error.cause, error.message],
    ['MockFunctionError', 'handlers.model.rules[0].when', thrown, '`handlers.model.rules[0].when` threw RangeError: too far'],
  )
  assert.deepEqual(error.thrown, { name: 'RangeError', message: 'too far' })
  assert.equal(model.exchanges[0].error.name, 'MockFunctionError')
  await assert.rejects(
    mock(mock.queue(() => 12)).call(say('x')),
    (caught) => caught instanceof InvalidResponseError && caught.path === 'handlers.model.responses[0]',
  )
  const caughtError = await mock(mock.queue(() => ({ content: 1n })))
    .call(say('x'))
    .catch((caught) => caught)
  assert.match(caughtError.message, /`handlers\.model\.responses\[0\]` threw TypeError: `content` of what it answered is a BigInt/)
})

test('calls that ask functions are answered in their order', async () => {
  const ends = []
  const model = mock(mock.queue(...['1', '2'].map((text) => () => new Promise((done) => ends.push(() => done(text))))))
  const replies = [model.call(say('a')), model.call(say('b'))]
  while (ends.length < 1) await new Promise(setImmediate)
  ends[0]()
  while (ends.length < 2) await new Promise(setImmediate)
  ends[1]()
  assert.deepEqual(
    (await Promise.all(replies)).map(({ content }) => content),
    ['1', '2'],
  )
})

test('a signal frees a function that hangs, and the calls behind it', async () => {
  const reason = new Error('enough')
  for (const make of [() => mock(() => new Promise(() => {})), () => mock(mock.queue(() => new Promise(() => {}), 'x'))]) {
    const model = make()
    const controller = new AbortController()
    const call = model.call(say('x'), { signal: controller.signal })
    const errors = []
    model.on('error', ({ error }) => errors.push(error))
    setTimeout(() => controller.abort(reason), 5)
    await assert.rejects(call, (error) => error === reason)
    assert.deepEqual(errors, [reason])
    await assert.rejects(model.call(say('x'), { signal: controller.signal }), (error) => error === reason)
    assert.equal(model.callCount, 1)
  }
  const model = mock(mock.conditional().when(({ callCount }) => (callCount === 1 ? new Promise(() => {}) : true), 'Freed'))
  const hung = model.call(say('x'), { signal: late() }).catch(({ name }) => name)
  const behind = model.call(say('y'))
  assert.deepEqual([await hung, (await behind).content], ['TimeoutError', 'Freed'])
})

test('functions get a history that grows as a whole', async () => {
  const seen = []
  const messages = []
  const model = mock(
    mock.repeat(({ messages: reported }) => {
      seen.push(reported.map(({ content }) => content))
      return 'ok'
    }),
  )
  const outside = mock(({ messages: reported }) => String(reported.length))
  const counts = []
  for (let at = 0; at < 4; at += 1) {
    messages.push({ role: 'user', content: `u${at}` })
    await model.call({ messages })
    counts.push((await outside.call({ format: 'canonical', messages })).content)
    messages.push({ role: 'assistant', content: 'ok' })
  }
  assert.deepEqual(seen[3], ['u0', 'ok', 'u1', 'ok', 'u2', 'ok', 'u3'])
  assert.deepEqual(counts, ['1', '3', '5', '7'])
  messages[2] = { role: 'user', content: 'other' }
  await model.call({ messages: messages.slice(0, 3) })
  assert.deepEqual(seen[4], ['u0', 'ok', 'other'])
  await assert.rejects(model.call({ messages: [{ role: 'user', content: 'x' }, 7] }), misuse(/./))
  await model.call({ messages })
  assert.equal(seen.at(-1).length, messages.length)
  const changing = mock(({ messages: [first] }) => {
    first.content = 'y'
    return 'x'
  })
  await assert.rejects(changing.call(say('x')), TypeError)
})
