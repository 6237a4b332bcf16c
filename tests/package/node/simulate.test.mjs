// Simulations with functions of the caller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { replay, simulate, validate } = await load(folder, 'transcript-workbench')

const INPUT = {
  agents: [
    {
      name: 'bot',
      system: 'You are helpful',
      tools: [{ name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
      mock: [{ content: 'Checking', tool_calls: [{ name: 'weather', arguments: { city: 'Rome' } }] }, 'It is {{ last_result.temp }}°C'],
    },
  ],
  steps: [{ op: 'execute', content: 'The weather in Rome?' }],
}

const SAFE = { ...INPUT, agents: [{ ...INPUT.agents[0], mock: [INPUT.agents[0].mock[0], 'Done'] }] }
const AT_ONCE = {
  agents: [
    {
      name: 'bot',
      tools: ['f', 'g'],
      mock: [
        {
          tool_calls: [
            ['f', { at: 1 }],
            ['g', { at: 2 }],
            ['f', { at: 3 }],
          ],
        },
        'Done',
      ],
    },
  ],
  steps: [{ op: 'execute', content: 'Go' }],
}

test('live tools are run, and the run is a transcript that replays', async () => {
  const seen = []
  const weather = async (args, { agent, call }) => {
    seen.push([args, agent, call.name])
    return { temp: 21 }
  }
  const result = await simulate(INPUT, { tools: { weather } })
  assert.deepEqual(seen, [[{ city: 'Rome' }, 'bot', 'weather']])
  assert.deepEqual(
    result.steps[0].yielded.map(({ role, content }) => [role, content]),
    [
      ['assistant', 'Checking'],
      ['tool', '{"temp": 21}'],
      ['assistant', 'It is 21°C'],
    ],
  )
  assert.deepEqual([result.ok, result.done, result.failures, result.toolExecutions.length], [true, true, [], 1])
  assert.equal(validate(result.text).ok, true)
  const tape = await replay({ text: result.text })
  while (tape.replayNext() !== null);
  tape.assertComplete()
})

test('functions answer for agents, and what they throw is kept', async () => {
  const input = {
    agents: [{ name: 'a' }],
    steps: [
      { op: 'call', content: 'Hi' },
      { op: 'call', content: 'Bye' },
    ],
  }
  const thrown = new TypeError('no idea')
  const contexts = []
  const result = await simulate(input, {
    handlers: {
      a: (context) => {
        contexts.push(context)
        if (context.callCount === 2) throw thrown
        return 'Hello!'
      },
    },
  })
  assert.equal(contexts[0].messages.at(-1).content, 'Hi')
  assert.equal(result.steps[0].returned.content, 'Hello!')
  const { error } = result.steps[1]
  assert.deepEqual([result.ok, error.type, error.message, error.cause], [false, 'TypeError', 'no idea', thrown])
  assert.deepEqual(result.failures, [{ agent: 'a', tool: null, error: thrown }])
})

test('a tool that fails answers the model with its error, and the run goes on', async () => {
  const thrown = new RangeError('no such city')
  const result = await simulate(
    { ...INPUT, agents: [{ ...INPUT.agents[0], mock: [INPUT.agents[0].mock[0], 'Sorry'] }] },
    {
      tools: {
        weather: () => {
          throw thrown
        },
      },
    },
  )
  const [, tool, last] = result.steps[0].yielded
  assert.match(tool.content, /^Error: .*no such city/)
  assert.deepEqual([last.content, result.failures[0].error], ['Sorry', thrown])
})

test('a document with handlers is talked to', async () => {
  const text = 'handlers:\n  bot: {type: queue, responses: [Hi, "{{ last_user }}, too"]}\n'
  const result = await simulate({ text, file: 'bot.yaml' }, { user: ['Hello', 'Bye'] })
  assert.deepEqual(
    result.steps.map(({ yielded }) => yielded[0].content),
    ['Hi', 'Bye, too'],
  )
  await assert.rejects(simulate("messages: ['user: Hi']", { user: 'Hi' }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /no `handlers`/ })
})

test('what is wrong with the input is an answer with its place', async () => {
  const result = await simulate({ text: 'agents: [{name: bot}]\nsteps: [{op: cal}]', file: 's.yaml' })
  assert.deepEqual([result.ok, result.text, result.steps], [false, null, []])
  assert.deepEqual([result.problems[0].path, result.problems[0].place.line], ['steps[0].op', 2])
  assert.equal((await simulate('agents: [')).ok, false)
})

test('events are reported as they come', async () => {
  const events = []
  await simulate(INPUT, { tools: { weather: () => 1 }, onEvent: ({ event }) => events.push(event) })
  assert.ok(events.includes('tool:call:before') && events.includes('tool:call:after'), events.join())
})

test('a simulation can be given up, and is bounded', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const stopping = {
    handlers: {
      a: () => {
        controller.abort(reason)
        return 'x'
      },
    },
    signal: controller.signal,
  }
  const input = {
    agents: [{ name: 'a' }],
    steps: [
      { op: 'call', content: '1' },
      { op: 'call', content: '2' },
    ],
  }
  await assert.rejects(simulate(input, stopping), (error) => error === reason)
  await assert.rejects(simulate(input, { handlers: { a: () => 'x' }, maxSteps: 1 }), /the maximum that `maxSteps` allows/)
})

test('misuse names what is missing, and where', async () => {
  const misuse = (message) => ({ code: 'ERR_TRANSCRIPT_MISUSE', message })
  const live = { ...INPUT, agents: [{ ...INPUT.agents[0], tools: [{ name: 'weather', live: true }] }] }
  await assert.rejects(simulate(live, { tools: { wether: () => 1 } }), misuse(/runs the tool `weather`.*did you mean `wether`/))
  await assert.rejects(
    simulate(INPUT, { tools: { weather: 1 } }),
    misuse(/`tools\.weather` of simulate\(\) is a function, but got a number/),
  )
  await assert.rejects(simulate(INPUT, { tool: {} }), misuse(/did you mean `tools`/))
  await assert.rejects(simulate(INPUT, { signal: 1 }), misuse(/`signal`.*AbortSignal/))
  const input = { agents: [{ name: 'a', external: true }], steps: [{ op: 'call', content: '1' }] }
  await assert.rejects(simulate(input), misuse(/asks for the agent `a`/))
  await assert.rejects(simulate(INPUT, { rules: {} }), misuse(/takes no `rules`/))
  await assert.rejects(simulate(INPUT, { files: {} }), misuse(/takes no `files`/))
  await assert.rejects(simulate(INPUT, { agent: 'bot' }), misuse(/`agent`.*needs `user`/))
  await assert.rejects(simulate(INPUT, { user: 'Hi' }), misuse(/`user` of simulate\(\) is for a document with handlers/))
  await assert.rejects(simulate('handlers: {}', { user: [] }), misuse(/`user`.*is an empty list/))
})

test('what a tool returns and cannot be data fails that call alone', async () => {
  const cyclic = {}
  cyclic.inner = { cyclic }
  for (const [value, message] of [
    [cyclic, /`inner\.cyclic` of the result of the tool `weather` is an object that holds itself/],
    [{ rows: [{ id: 1n }] }, /`rows\[0\]\.id` of the result of the tool `weather` is a BigInt/],
    [{ f: () => {} }, /`f` of the result of the tool `weather` is a function/],
    [Number.NaN, /the result of the tool `weather` is the number NaN/],
    [new Error('no such city'), /no such city/],
  ]) {
    const { ok, steps, failures } = await simulate(SAFE, { tools: { weather: () => value } })
    assert.match(steps[0].yielded[1].content, new RegExp(`^Error: .*${message.source}`))
    assert.deepEqual([ok, failures.length, failures[0].tool], [true, 1, 'weather'])
  }
  const nothing = await simulate(SAFE, { tools: { weather: () => undefined } })
  assert.deepEqual([nothing.ok, nothing.steps[0].yielded[1].content], [true, 'null'])
  const bad = {
    agents: [{ name: 'a' }],
    steps: [
      { op: 'call', content: 'Hi' },
      { op: 'call', content: 'Bye' },
    ],
  }
  const report = await simulate(bad, { handlers: { a: ({ callCount }) => (callCount === 1 ? { content: 1n } : 'Hello!') } })
  assert.match(report.steps[0].error.message, /`content` of what the handler of `a` answered is a BigInt/)
  assert.equal(report.steps[1].returned.content, 'Hello!')
  const { toolExecutions, steps } = await simulate(INPUT, { tools: { weather: () => ({ image: new Uint8Array([255]) }) } })
  assert.equal(toolExecutions.length, 1)
  assert.match(steps[0].yielded[1].content, /"base64": "\/w=="/)
})

test('live tools of one answer run at the same time, and answer in order', async () => {
  const log = []
  const waiting = []
  const tool = (name) => (args) =>
    new Promise((done) => {
      log.push(`${name} ${args.at} begins`)
      waiting.push(() => done(args.at))
      // The last one that begins ends first.
      if (waiting.length === 3) for (const end of waiting.reverse()) end()
    })
  const result = await simulate(AT_ONCE, { tools: { f: tool('f'), g: tool('g') }, maxSteps: 3 })
  assert.deepEqual(log, ['f 1 begins', 'g 2 begins', 'f 3 begins'])
  assert.deepEqual(
    result.steps[0].yielded.map(({ content }) => content),
    ['', '1', '2', '3', 'Done'],
  )
  await assert.rejects(simulate(AT_ONCE, { tools: { f: () => 1, g: () => 1 }, maxSteps: 2 }), {
    name: 'RangeError',
    code: 'ERR_TRANSCRIPT_MISUSE',
  })
})

test('a signal frees what hangs', async () => {
  const reason = new Error('enough')
  const hanging = () => new Promise(() => {})
  const handler = { agents: [{ name: 'a', handler: hanging }], steps: [{ op: 'call', content: 'Hi' }] }
  const inside = {
    agents: [{ name: 'a', handler: { type: 'conditional', rules: [{ when: hanging, respond: 'x' }] } }],
    steps: handler.steps,
  }
  for (const [input, tools] of [
    [
      AT_ONCE,
      {
        f: hanging,
        g: () => {
          throw new Error('beside')
        },
      },
    ],
    [handler, {}],
    [inside, {}],
  ]) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 5)
    await assert.rejects(simulate(input, { tools, signal: controller.signal }), (error) => error === reason)
  }
})

test('functions stand in the handlers of agents', async () => {
  const seen = []
  const thrown = new TypeError('no idea')
  const input = {
    agents: [
      {
        name: 'a',
        handler: {
          type: 'conditional',
          rules: [
            {
              when: async ({ lastUser, callCount }) => {
                seen.push([lastUser, callCount])
                return lastUser.includes('weather')
              },
              respond: ({ lastUser }) => `You said ${lastUser}`,
            },
            {
              when: { last_user_contains: 'throw' },
              respond: () => {
                throw thrown
              },
            },
          ],
          default: 'No idea',
        },
      },
      { name: 'b', mock: ['First', ({ callCount }) => `Call ${callCount}`] },
      { name: 'c', mock: ({ agent }) => `I am ${agent}` },
    ],
    steps: [
      ...['The weather?', 'Hi', 'throw'].map((content) => ({ op: 'call', agent: 'a', content })),
      { op: 'call', agent: 'b', content: '1' },
      { op: 'call', agent: 'b', content: '2' },
      { op: 'call', agent: 'c', content: '1' },
    ],
  }
  const { ok, steps, agents, failures } = await simulate(input)
  assert.deepEqual(
    steps.map(({ returned }) => returned?.content),
    ['You said The weather?', 'No idea', undefined, 'First', 'Call 2', 'I am c'],
  )
  assert.deepEqual(seen, [
    ['The weather?', 1],
    ['Hi', 2],
    ['throw', 3],
  ])
  const { error } = steps[2]
  assert.deepEqual([ok, error.type, error.cause, Object.keys(error)], [false, 'MockFunctionError', thrown, ['type', 'message', 'path']])
  assert.equal(error.path, 'steps[2]: agents[0].handler.rules[1].respond')
  assert.equal(error.message, '`agents[0].handler.rules[1].respond` threw TypeError: no idea')
  assert.deepEqual([failures.length, agents[0].calls[2].error.cause], [1, thrown])
  assert.deepEqual(
    agents[0].calls[0].trace.decisions.map(({ path, reason }) => [path, reason]),
    [['agents[0].handler.rules[0]', 'the function returned true']],
  )
})

test('functions stand among the handlers of the input, too', async () => {
  const steps = ['a', 'b'].map((agent) => ({ op: 'call', agent, content: 'Hi' }))
  const handlers = { a: ({ lastUser }) => `${lastUser}!`, B: { type: 'repeat', respond: ({ agent }) => agent } }
  const result = await simulate({ agents: [{ name: 'a' }, { key: 'b', name: 'B' }], handlers, steps })
  assert.deepEqual(
    result.steps.map(({ returned }) => returned.content),
    ['Hi!', 'B'],
  )
  const invalid = { agents: [{ name: 'a', system: () => 'x' }], steps }
  await assert.rejects(simulate(invalid), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /`agents\[0\]\.system` of the simulation is a function/,
  })
})

test('two failures of the same words keep their own causes', async () => {
  const thrown = [new Error('same'), new Error('same')]
  const input = {
    agents: [{ name: 'a' }],
    steps: [
      { op: 'call', content: '1' },
      { op: 'call', content: '2' },
    ],
  }
  const { steps } = await simulate(input, {
    handlers: {
      a: ({ callCount }) => {
        throw thrown[callCount - 1]
      },
    },
  })
  assert.ok(steps.every(({ error }, at) => error.cause === thrown[at]))
})

test('functions that nothing asks for are reported', async () => {
  const provided = { tools: { wether: () => 1, weather: () => 1 }, handlers: { bto: () => 'x', bot: () => 'x' } }
  const { warnings } = await simulate(SAFE, provided)
  assert.deepEqual(warnings, [
    { path: 'handlers.bto', message: 'there is no agent `bto`', help: 'did you mean `bot`?' },
    { path: 'handlers.bot', message: 'the agent `bot` has a handler of its own, so that its function is not asked', help: null },
    { path: 'tools.wether', message: 'no agent has a tool `wether`', help: 'did you mean `weather`?' },
  ])
  const canned = { ...SAFE, agents: [{ ...SAFE.agents[0], tools: [{ name: 'weather', results: [{ return: 1 }] }] }] }
  assert.match((await simulate(canned, { tools: { weather: () => 1 } })).warnings[0].message, /has results of its own/)
})
