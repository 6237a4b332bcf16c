// What handlers probably do not mean reaches whoever uses them; nothing is printed. What answers mean is the same everywhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { mock, mockModel, replay, simulate, timeTravel, validate } = await load(folder, 'transcript-workbench')
const { run, write } = programIn(folder)

const say = (content) => ({ messages: [{ role: 'user', content }] })
const bot = (more, steps = [{ op: 'call', content: 'Hi' }]) => ({ agents: [{ name: 'bot', ...more }], steps })
const MISSPELLED = { type: 'repeat', respond: 'You said {{ lastuser }}', loop: true }
const codes = (warnings) => warnings.map(({ code }) => code).sort()

test('a mock has its warnings, and reports them where an option says so', async () => {
  const reported = []
  const model = mockModel(MISSPELLED, { onWarning: (warning) => reported.push(warning) })
  assert.deepEqual(
    [codes(model.warnings), codes(reported)],
    [
      ['T103', 'T615'],
      ['T103', 'T615'],
    ],
  )
  const unknown = model.warnings.find(({ code }) => code === 'T615')
  assert.deepEqual(
    [unknown.message, unknown.file, unknown.help],
    ['unknown variable `lastuser`', '<handlers>', 'did you mean `last_user`?'],
  )
  assert.equal((await model.call(say('x'))).content, 'You said ')
  assert.deepEqual(mock('Hi', '{{ last_user }}').warnings, [])
  assert.deepEqual(mock(() => 'Hi').warnings, [])
  // The placeholders of functions cause no warning.
  const ruled = mock
    .conditional()
    .when(() => true, 'a')
    .when(() => false, 'b')
    .when({ not: () => true }, 'c')
    .default('d')
  assert.deepEqual(mock(ruled).warnings, [])
  // The library fills nothing in.
  assert.deepEqual(codes(mockModel(MISSPELLED, { profile: 'good-agent' }).warnings), ['T103'])
  assert.throws(() => mockModel(MISSPELLED, { onWarning: 'log' }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /`onWarning` of mockModel\(\) is a function/,
  })
})

test('a simulation reports them with their places', async () => {
  const { ok, problems, warnings } = await simulate(bot({ handler: MISSPELLED }))
  assert.deepEqual([ok, problems], [true, []])
  assert.deepEqual(
    warnings.map(({ code, path }) => [code, path]),
    [
      ['T615', 'agents[0].handler.respond'],
      ['T103', 'agents[0].handler.loop'],
    ],
  )
  assert.match(warnings[0].rendered, /^warning\[T615\]: unknown variable `lastuser`\n +--> <simulation>:\d+:\d+\n/)
  const listed = await simulate(bot({ mock: ['Hi', () => 'x', '{{ lastuser }}'] }))
  assert.deepEqual(
    listed.warnings.map(({ code, path }) => [code, path]),
    [['T615', 'agents[0].mock[2]']],
  )
  const withUnusedTool = await simulate(bot({ mock: ['{{ lastuser }}'] }), { tools: { wether: () => 1 } })
  assert.deepEqual(
    withUnusedTool.warnings.map(({ path }) => path),
    ['agents[0].mock[0]', 'tools.wether'],
  )
})

test('the command line prints them, and goes on', () => {
  write('odd.yaml', "handlers:\n  bot: {type: repeat, respond: 'You said {{ lastuser }}', loop: true}\n")
  const { status, stdout, stderr } = run(['simulate', 'odd.yaml', '--user', 'Hi'])
  assert.equal(status, 0)
  assert.match(stdout, /You said/)
  assert.match(stderr, /warning\[T615\]: unknown variable `lastuser`\n --> odd\.yaml:2:/)
  assert.match(stderr, /\[T103\]: unknown key `loop`/)
})

test('structured output is the text of an answer that has no other', async () => {
  const answer = { content: '{"a": 1}', parsed: { a: 1 } }
  assert.deepEqual(await mock({ parsed: { a: 1 } }).call(say('x')), answer)
  assert.deepEqual(await mock(() => ({ parsed: { a: 1 } })).call(say('x')), answer)
  const simulated = await simulate(bot({ output_schema: { type: 'object' }, mock: [{ parsed: { a: 1 } }] }))
  const { content, parsed } = simulated.steps[0].returned
  assert.deepEqual({ content, parsed }, answer)
  assert.deepEqual(validate(simulated.text).diagnostics, [])
  const { response } = (await replay({ text: simulated.text })).replayNext()
  assert.equal(response.content, answer.content)
  // What says something says that.
  assert.equal((await mock({ content: 'a is 1', parsed: { a: 1 } }).call(say('x'))).content, 'a is 1')
})

test('a content that is a map is refused everywhere', async () => {
  const invalid = { content: { a: 1 } }
  assert.throws(() => mock(invalid), { name: 'TranscriptError', message: /`content`: expected a string.*, found a map/ })
  await assert.rejects(mock(() => invalid).call(say('x')), { name: 'InvalidResponseError', message: /put data in `parsed`/ })
  const { problems } = await simulate(bot({ mock: [invalid] }))
  assert.deepEqual(
    problems.map(({ name, path }) => [name, path]),
    [['InvalidResponseError', 'agents[0].mock[0]']],
  )
  const { steps } = await simulate(bot({ mock: () => invalid }))
  assert.equal(steps[0].error.type, 'InvalidResponseError')
})

test('errors name the place where the author wrote it', async () => {
  const fails = () => {
    throw new Error('no')
  }
  const path = async (input) => {
    const { problems, steps } = await simulate(input)
    return problems[0]?.path ?? steps.at(-1).error.path
  }
  assert.equal(await path(bot({ mock: [fails, 'two'] })), 'steps[0]: agents[0].mock[0]')
  assert.equal(await path({ profile: 'good-agent', ...bot({ mock: [fails, 'two'] }) }), 'steps[0]: agents[0].mock[0]')
  assert.equal(await path(bot({ mock: [() => 'x', { content: 5 }] })), 'agents[0].mock[1]')
  const ruled = mock.conditional().when(fails, 'x')
  assert.equal(await path(bot({ mock: ruled })), 'steps[0]: agents[0].mock.rules[0].when')
  assert.equal(await path(bot({ mock: [ruled] })), 'steps[0]: agents[0].mock[0].rules[0].when')
  assert.equal(await path(bot({ mock: { type: 'conditional', rules: [{ when: () => true }] } })), 'agents[0].mock.rules[0]')
})

test('what is no answer is the same error wherever a model is called', async () => {
  const text = "messages:\n  - 'user: Hi'\n  - 'assistant:call f(x=1)'\n  - 'tool:f: 1'\n  - 'assistant: ok'\n"
  const trip = timeTravel(text).replace(2, { result: 2 })
  for (const model of [() => 5, mock(() => 5)]) {
    await assert.rejects(trip.recompute({ model }), { name: 'InvalidResponseError', message: /a handler returned 5/ })
  }
  await assert.rejects(trip.recompute({ model: () => 1n }), TypeError)
})
