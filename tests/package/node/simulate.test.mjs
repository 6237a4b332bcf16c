// Simulations with functions of the caller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { replay, simulate, validate } = await load(folder, 'transcript-workbench')

const INPUT = {
  agents: [{
    name: 'bot',
    system: 'You are helpful',
    tools: [{ name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
    mock: [{ content: 'Checking', tool_calls: [{ name: 'weather', arguments: { city: 'Rome' } }] }, 'It is {{ last_result.temp }}°C'],
  }],
  steps: [{ op: 'execute', content: 'The weather in Rome?' }],
}

test('live tools are run, and the run is a transcript that replays', async () => {
  const seen = []
  const weather = async (args, { agent, call }) => {
    seen.push([args, agent, call.name])
    return { temp: 21 }
  }
  const result = await simulate(INPUT, { tools: { weather } })
  assert.deepEqual(seen, [[{ city: 'Rome' }, 'bot', 'weather']])
  assert.deepEqual(result.steps[0].yielded.map(({ role, content }) => [role, content]), [
    ['assistant', 'Checking'], ['tool', '{"temp": 21}'], ['assistant', 'It is 21°C'],
  ])
  assert.deepEqual([result.ok, result.done, result.failures, result.toolExecutions.length], [true, true, [], 1])
  assert.equal(validate(result.text).ok, true)
  const tape = await replay({ text: result.text })
  while (tape.rehearse() !== null);
  tape.assertComplete()
})

test('functions answer for agents, and what they throw is kept', async () => {
  const input = { agents: [{ name: 'a' }], steps: [{ op: 'call', content: 'Hi' }, { op: 'call', content: 'Bye' }] }
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

test('a tool that fails tells the model, and the run goes on', async () => {
  const thrown = new RangeError('no such city')
  const result = await simulate(
    { ...INPUT, agents: [{ ...INPUT.agents[0], mock: [INPUT.agents[0].mock[0], 'Sorry'] }] },
    { tools: { weather: () => { throw thrown } } },
  )
  const [, tool, last] = result.steps[0].yielded
  assert.match(tool.content, /^Error: .*no such city/)
  assert.deepEqual([last.content, result.failures[0].error], ['Sorry', thrown])
})

test('a document with handlers is talked to', async () => {
  const text = 'handlers:\n  bot: {type: queue, responses: [Hi, "{{ last_user }}, too"]}\n'
  const result = await simulate({ text, file: 'bot.yaml' }, { user: ['Hello', 'Bye'] })
  assert.deepEqual(result.steps.map(({ yielded }) => yielded[0].content), ['Hi', 'Bye, too'])
  await assert.rejects(simulate("messages: ['user: Hi']", { user: 'Hi' }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /no `handlers`/ })
})

test('what is wrong with the input is an answer with its place', async () => {
  const result = await simulate({ text: 'agents: [{name: bot}]\nsteps: [{op: cal}]', file: 's.yaml' })
  assert.deepEqual([result.ok, result.text, result.steps], [false, null, []])
  assert.deepEqual([result.problems[0].path, result.problems[0].place.line], ['steps[0].op', 2])
  assert.equal((await simulate('agents: [')).ok, false)
})

test('events are told as they come', async () => {
  const events = []
  await simulate(INPUT, { tools: { weather: () => 1 }, onEvent: ({ event }) => events.push(event) })
  assert.ok(events.includes('tool:call:before') && events.includes('tool:call:after'), events.join())
})

test('a simulation can be given up, and is bounded', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const stopping = { handlers: { a: () => { controller.abort(reason); return 'x' } }, signal: controller.signal }
  const input = { agents: [{ name: 'a' }], steps: [{ op: 'call', content: '1' }, { op: 'call', content: '2' }] }
  await assert.rejects(simulate(input, stopping), (error) => error === reason)
  await assert.rejects(simulate(input, { handlers: { a: () => 'x' }, maxSteps: 1 }), /`maxSteps` allows no more/)
})

test('misuse names what is missing, and where', async () => {
  const misuse = (message) => ({ code: 'ERR_TRANSCRIPT_MISUSE', message })
  await assert.rejects(simulate(INPUT, { tools: { wether: () => 1 } }), misuse(/runs the tool `weather`.*did you mean `wether`/))
  await assert.rejects(simulate(INPUT, { tools: { weather: 1 } }), misuse(/`tools\.weather` of simulate\(\) is a function, but got a number/))
  await assert.rejects(simulate(INPUT, { tool: {} }), misuse(/did you mean `tools`/))
  await assert.rejects(simulate(INPUT, { signal: 1 }), misuse(/`signal`.*AbortSignal/))
  const input = { agents: [{ name: 'a', external: true }], steps: [{ op: 'call', content: '1' }] }
  await assert.rejects(simulate(input), misuse(/asks for the agent `a`/))
  const cyclic = {}
  cyclic.inner = { cyclic }
  for (const [value, message] of [
    [cyclic, /`inner\.cyclic` of the result of the tool `weather` is an object that holds itself/],
    [{ rows: [{ id: 1n }] }, /`rows\[0\]\.id` of the result of the tool `weather` is a BigInt/],
    [{ f: () => {} }, /`f` of the result of the tool `weather` is a function/],
    [Number.NaN, /the result of the tool `weather` is the number NaN/],
  ]) {
    await assert.rejects(simulate(INPUT, { tools: { weather: () => value } }), misuse(message))
  }
  const { toolExecutions, steps } = await simulate(INPUT, { tools: { weather: () => ({ image: new Uint8Array([255]) }) } })
  assert.equal(toolExecutions.length, 1)
  assert.match(steps[0].yielded[1].content, /"base64": "\/w=="/)
})
