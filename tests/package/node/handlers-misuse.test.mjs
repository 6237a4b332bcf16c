// Handlers made in code: in simulations, and misuse of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { MockFunctionError, mock, mockModel, simulate, timeTravel } = await load(folder, 'transcript-workbench')

const say = (content) => ({ messages: [{ role: 'user', content }] })
const misuse = (message) => ({ code: 'ERR_TRANSCRIPT_MISUSE', message })

test('handlers made in code drive agents of a simulation', async () => {
  const { steps, toolExecutions } = await simulate(
    {
      agents: [
        {
          name: 'bot',
          tools: ['weather'],
          handler: mock
            .conditional()
            .when(
              ({ lastRole }) => lastRole === 'tool',
              ({ lastResult }) => `It is ${lastResult.temp}°`,
            )
            .default(mock.toolCall('weather', { city: 'Rome' })),
        },
      ],
      steps: [{ op: 'execute', content: 'The weather?' }],
    },
    { tools: { weather: () => ({ temp: 21 }) } },
  )
  assert.equal(steps[0].yielded.at(-1).content, 'It is 21°')
  assert.equal(toolExecutions.length, 1)
})

test('misuse is reported with the name of the call', () => {
  assert.throws(() => mock.toolCall(''), misuse(/mock\.toolCall\(\) takes the name of a tool/))
  assert.throws(() => mock.toolCall('f', {}, { reslut: 1 }), misuse(/did you mean `result`/))
  assert.throws(() => mock.toolCall('f', {}, { result: 1, error: 'x' }), misuse(/not both/))
  assert.throws(() => mock.composite('first', mock.queue()), misuse(/has no strategy `first`/))
  assert.throws(() => mock.composite({ content: 'x' }), misuse(/mock\.composite\(\) takes handlers/))
  assert.throws(() => mock.create({ contnet: 'x' }), misuse(/did you mean `content`/))
  assert.throws(() => mock.conditional().when(1, 'x'), misuse(/when\(\) takes a map of tests/))
  assert.throws(() => mock.conditional().when({}, mock.queue('x')), misuse(/takes a response.*but got a handler/))
  assert.throws(() => mock.stateMachine({ states: [] }), misuse(/`states` of mock\.stateMachine\(\)/))
  assert.throws(() => mock.repeat('x', { times: -1 }), misuse(/`times` of mock\.repeat\(\) is an integer, but got -1/))
})

test('a model is no handler, wherever one is wanted', () => {
  const model = mock('a')
  const modelMisuse = (path) => misuse(`${path} is a model; pass its handler instead`)
  assert.throws(() => mock(model), modelMisuse('this'))
  assert.throws(() => mock(model, 'b'), modelMisuse('this'))
  assert.throws(() => mock.composite(model), modelMisuse('this'))
  assert.throws(() => mockModel({ handlers: { bot: model } }), modelMisuse('`handlers.bot`'))
})

test('a simulation takes no model for a handler', async () => {
  const agents = (rest) => ({ agents: [{ name: 'bot', ...rest }], steps: [{ op: 'call', content: 'Hi' }] })
  const model = mock('a')
  await assert.rejects(simulate(agents({ handler: model })), misuse('`agents[0].handler` is a model; pass its handler instead'))
  await assert.rejects(simulate(agents({ mock: model })), misuse('`agents[0].mock` is a model; pass its handler instead'))
  await assert.rejects(simulate({ ...agents({}), handlers: { bot: model } }), misuse('`handlers.bot` is a model; pass its handler instead'))
})

test('a function that calls its own model is reported at once', async () => {
  const wanted = (error) => {
    assert.ok(error instanceof MockFunctionError)
    assert.match(error.cause.message, /^a function in a handler called its own mock model/)
    return true
  }
  const own = mock(mock.conditional().default(async () => (await own.call(say('x'))).content))
  await assert.rejects(own.call(say('Hi')), wanted)
  const through = mock(mock.conditional().default(async () => (await other.call(say('x'))).content))
  const other = mock(async () => (await through.call(say('x'))).content)
  await assert.rejects(through.call(say('Hi')), wanted)
  // Calls next to each other wait for one another, as they did.
  const slow = mock(mock.conditional().default(async ({ lastUser }) => lastUser))
  const answers = await Promise.all([slow.call(say('a')), slow.call(say('b'))])
  assert.deepEqual(
    answers.map(({ content }) => content),
    ['a', 'b'],
  )
})

test('a function among the responses of an agent is reported where it stands', async () => {
  const fails = () => {
    throw new TypeError('no idea')
  }
  const input = {
    agents: [{ name: 'bot', mock: ['one', fails] }],
    steps: [
      { op: 'call', content: 'a' },
      { op: 'call', content: 'b' },
    ],
  }
  const { steps } = await simulate(input)
  assert.equal(steps[0].returned.content, 'one')
  assert.equal(steps[1].error.path, 'steps[1]: agents[0].mock[1]')
})

test('a call of a mock model is checked', async () => {
  const model = mock('a')
  const { messages } = say('Hi')
  for (const [iteration, got] of [
    ['3', 'a string'],
    [-1, '-1'],
    [1.5, '1.5'],
  ]) {
    await assert.rejects(model.call({ messages, iteration }), misuse(`the \`iteration\` of call() is an integer, but got ${got}`))
  }
  await assert.rejects(model.call({ messages, context: 'str' }), misuse('the `context` of call() is an object, but got a string'))
  await assert.rejects(model.call({ messages }, { sginal: undefined }), misuse('call() has no option `sginal`; did you mean `signal`?'))
  assert.equal((await model.call({ messages, iteration: 0, context: {} }, { signal: undefined })).content, 'a')
})

test('a handler where a model is wanted is reported to be one', async () => {
  const run = timeTravel("messages: ['user: Hi', 'assistant: Hello!']").edit(0, 'Good day')
  await assert.rejects(
    run.recompute({ model: mock.queue('a') }),
    misuse('the option `model` of recompute() is a mock or a function, but got a handler: give it to mock(…)'),
  )
})

test('an error in a state machine names the state in the data of the caller', () => {
  const cases = [
    [
      mock.stateMachine({ initial: 'a', states: { a: { respond: 'Hi', next: 'b' } } }),
      'states.a.next: unknown state `b`; did you mean `a`?',
    ],
    [mock.stateMachine({ initial: 'z', states: { a: { respond: 'Hi' } } }), 'initial: unknown state `z`; did you mean `a`?'],
    [
      mock.stateMachine({ states: { a: { respond: 'Hi', transitions: [{ to: 'a', when: { last_role: 'user' } }, { to: 'zz' }] } } }),
      'states.a.transitions[1].to: unknown state `zz`; add a state `zz` to `states`',
    ],
    [{ handlers: { bot: { type: 'queue', responses: [{ content: 'a' }, 5] } } }, 'handlers.bot.responses[1]: '],
  ]
  for (const [input, words] of cases) {
    assert.throws(
      () => mockModel(input),
      ({ name, message }) => {
        assert.equal(name, 'TranscriptError')
        assert.ok(message.startsWith('the handler cannot answer for a model: it has 1 error\n\n  ' + words), message)
        return true
      },
    )
  }
})
