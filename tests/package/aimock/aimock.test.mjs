// Fixtures of aimock: what aimock answers to a request, their handlers answer as well.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { programIn } from '../support/program.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { detect, importLog, mockModel, replay, serve, validate } = await load(folder, 'transcript-workbench', 'transcript-workbench/server')
const { read, run, write } = programIn(folder)
const rules = new URL('fixtures/rules.json', import.meta.url)
const source = { bytes: readFileSync(rules), file: 'rules.json' }

const closing = []
after(() => Promise.all(closing.map((close) => close())))

const aimock = async (files, provided = {}) => {
  const server = new LLMock({ port: 0, logLevel: 'silent', ...provided })
  for (const file of files) server.loadFixtureFile(file)
  const url = await server.start()
  closing.push(() => server.stop())
  return { server, url }
}

/** What a server of chat completions answers: the message without ids that were made up, or the error. */
const sendRequest = async (url, body) => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'other', ...body }),
  })
  const output = await response.json()
  if (output.error)
    return response.status === 429 ? { status: 429, message: output.error.message } : { failed: true, status: response.status }
  const [{ message, finish_reason: finish }] = output.choices
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: args } }) => [name, JSON.parse(args)])
  return { content: message.content || null, calls, finish }
}

const user = (content) => ({ role: 'user', content })
const output = (content) => ({ role: 'assistant', content })
const called = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_w', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
}
const result = (content) => ({ role: 'tool', tool_call_id: 'call_w', content })
const system = (content) => ({ role: 'system', content })
const tool = (name) => ({ type: 'function', function: { name, parameters: { type: 'object', properties: {} } } })

/** Requests, in the order in which they are sent, each with what is wanted of it. */
const requests = [
  ['a part of the text', { messages: [user('Are you busy today?')] }, { status: 429, message: 'Slow down' }],
  ['capitals count', { messages: [user('BUSY')] }, null],
  ['the first of a sequence', { messages: [user('do it twice')] }, { content: 'First' }],
  ['the second of it fails', { messages: [user('do it twice')] }, { failed: true }],
  ['the third', { messages: [user('do it twice, please')] }, { content: 'Third' }],
  ['after the sequence the next rule', { messages: [user('do it twice')] }, { content: 'And on' }],
  ['and again', { messages: [user('twice')] }, { content: 'And on' }],
  ['a call of a tool', { messages: [user('The weather?')] }, { content: 'Let me look', finish: 'tool_calls' }],
  ['its result by its words', { messages: [user('The weather?'), called, result('heavy rain')] }, { content: 'Take an umbrella' }],
  ['its result by its id', { messages: [user('The weather?'), called, result('sunny')] }, { content: 'It is fine' }],
  [
    'the next turn of a talk with tools',
    { messages: [user('The weather?'), called, result('sunny'), output('It is fine'), user('The weather now?')] },
    { content: 'Let me look' },
  ],
  ['two texts of the system', { messages: [system('You are a pirate.'), system('Be polite.'), user('Hi')] }, { content: 'Arr, please' }],
  ['one of two texts', { messages: [system('You are a pirate.'), user('Hi')] }, null],
  ['turn 0', { messages: [user('both')] }, { content: 'Turn 0' }],
  ['turn 1 is that behind', { messages: [user('x'), output('y'), user('both')] }, { content: 'Turn 0' }],
  ['turn 2', { messages: [user('x'), output('y'), user('x'), output('y'), user('both')] }, { content: 'Turn 2' }],
  [
    'a later turn',
    { messages: [user('x'), output('y'), user('x'), output('y'), user('x'), output('y'), user('both')] },
    { content: 'Turn 2' },
  ],
  ['without a turn before one of this turn', { messages: [user('x'), output('y'), user('early')] }, { content: 'Any turn' }],
  [
    'a turn that is behind before one without',
    { messages: [user('x'), output('y'), user('x'), output('y'), user('early')] },
    { content: 'Turn 1' },
  ],
  ['a turn that is to come after one without', { messages: [user('early')] }, { content: 'Any turn' }],
  ['a turn that is to come and nothing else', { messages: [user('later')] }, { content: 'Turn 3, asked before' }],
  ['a tool that is offered', { messages: [user('tools')], tools: [tool('search')] }, { calls: [['search', { query: 'braces {{ x }}' }]] }],
  ['a tool that is not', { messages: [user('tools')], tools: [tool('find')] }, null],
  ['a model', { model: 'gpt-x', messages: [user('Hi')] }, { content: 'Of the model' }],
  ['a dated model', { model: 'gpt-x-2026-01-01', messages: [user('Hi')] }, { content: 'Of the model' }],
  ['a model that begins so', { model: 'gpt-xl', messages: [user('Hi')] }, null],
  ['a variant of a model', { model: 'gpt-x-mini', messages: [user('Hi')] }, null],
  ['data, with braces', { messages: [user('data `quoted`')] }, { content: '{"answer":"{{ last_user }}"}' }],
  ['the reason of the end', { messages: [user('usage')] }, { content: 'Counted', finish: 'length' }],
  ['what no rule is for', { messages: [user('nothing')] }, null],
]

test('what aimock answers, the handlers answer', async () => {
  const { url } = await aimock([rules.pathname])
  const { handlers } = importLog(source)
  const ours = await serve({ text: handlers, file: 'handlers.yaml' })
  closing.push(() => ours.close())
  for (const [name, body, wanted] of requests) {
    const [theirs, own] = [await sendRequest(url, body), await sendRequest(ours.url, body)]
    if (wanted === null) assert.equal(theirs.failed, true, name)
    else for (const [key, value] of Object.entries(wanted)) assert.deepEqual(theirs[key], value, name)
    assert.deepEqual(own.failed ? { ...own, status: theirs.status } : own, theirs, name)
  }
})

test('what has no place in handlers is reported, and kept', () => {
  assert.deepEqual([detect(source).kind, detect(source).confidence], ['aimock-fixtures', 'certain'])
  const {
    kind,
    text,
    handlers,
    problem,
    files: [file],
  } = importLog(source, { format: 'json' })
  assert.deepEqual([kind, text, problem.message], ['aimock-fixtures', null, 'fixtures are rules for requests, not a conversation'])
  assert.deepEqual(
    file.kept.map(({ kind: path }) => path),
    ['fixtures[18]', 'fixtures[19]'],
  )
  assert.deepEqual([file.entries, file.used.length], [20, 18])
  const report = file.diagnostics.map(({ message }) => message)
  for (const path of ['fixtures[16].response.latency', 'fixtures[16].chunkSize', 'fixtures[17].latency', 'fixtures[18]', 'fixtures[19]']) {
    assert.ok(
      report.some((message) => message.includes(`\`${path}\``)),
      path,
    )
  }
  const { metadata } = JSON.parse(handlers)
  assert.equal(metadata.recording.kept.find(({ path }) => path === 'fixtures[16].chunkSize').entry, 4)
  assert.deepEqual(
    validate({ text: handlers }).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
})

test('the command line makes handlers of fixtures, and says where there is no conversation', async () => {
  write('rules.json', source.bytes)
  const made = run(['convert', 'rules.json', '--to', 'handlers', '-o', 'handlers.yaml'])
  assert.equal(made.status, 0, made.stderr)
  assert.match(made.stderr, /handlers do not support `chunkSize`: `fixtures\[16\]\.chunkSize`/)
  const model = mockModel({ text: read('handlers.yaml') })
  assert.equal((await model.call({ messages: [user('twice')] })).content, 'First')
  await assert.rejects(model.call({ messages: [user('busy')] }), ({ name, error }) => name === 'MockFailureError' && error.status === 429)
  const { status, stderr } = run(['convert', 'rules.json'])
  assert.equal(status, 1)
  assert.match(stderr, /rules for requests, not a conversation/)
})

test('fixtures that the recorder of aimock wrote become the conversation, and handlers', async () => {
  const upstream = await serve({
    text: `handlers:
  agent:
    type: queue
    responses:
      - {content: Let me look, tool_calls: [{id: call_w, name: get_weather, arguments: {city: Paris}}]}
      - It is fine
      - Bye
`,
  })
  closing.push(() => upstream.close())
  const at = join(folder, 'recorded')
  const { url, server } = await aimock([], { record: { providers: { openai: upstream.url }, fixturePath: at } })
  const conversation = [
    [user('The weather?')],
    [user('The weather?'), called, result('sunny')],
    [user('The weather?'), called, result('sunny'), output('It is fine'), user('Thanks')],
  ]
  const first = []
  for (const messages of conversation) first.push(await sendRequest(url, { messages }))
  assert.deepEqual(
    first.map(({ content }) => content),
    ['Let me look', 'It is fine', 'Bye'],
  )
  await server.stop()
  closing.splice(closing.length - 1)
  const files = readdirSync(at).filter((name) => name.endsWith('.json'))
  assert.equal(files.length, 3)
  const found = importLog(files.map((file) => ({ bytes: readFileSync(join(at, file)), file: `recorded/${file}` })))
  assert.equal(found.problem, null)
  assert.deepEqual(
    validate({ text: found.text }).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  const received = found.transcript.execution.flatMap(({ llm_response: answer }) => (answer ? [answer.content] : []))
  assert.deepEqual(received, ['Let me look', 'It is fine', 'Bye'])
  const tape = await replay({ text: found.text }, { unrecorded: 'allow' })
  while (tape.replayNext() !== null);
  tape.assertComplete()
  const again = await serve({ text: found.handlers })
  closing.push(() => again.close())
  for (const [index, messages] of conversation.entries()) assert.deepEqual(await sendRequest(again.url, { messages }), first[index])
  const { status, stderr } = run(['convert', 'recorded', '-o', 'made/'])
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(run(['detect', 'made/fixtures.yaml', '--format', 'json']).stdout).kind, 'full')
})
