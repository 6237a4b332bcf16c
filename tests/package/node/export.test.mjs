// Transcripts in the forms of other tools: by the package and on the command line.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { exportTranscript, orderEvents, parse, readEvents, validate, verifyDeterminism } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/experimental',
)
const { read, run, write } = programIn(folder)
cpSync(join(repository, 'tests/imports/fixtures/qbit/transcripts'), join(folder, 'qbit'), { recursive: true })
write('weather.yaml', weather)

const answerText = "It's 72°F and sunny!"
const lossTexts = ({ losses }) => losses.map(({ kind, path }) => `${kind} ${path}`)

test('the full forms and the compact one read as the same run', () => {
  for (const to of ['yaml', 'json', 'compact']) {
    const { ok, text, losses, summary, diagnostics } = exportTranscript(weather, { to })
    assert.deepEqual([ok, losses, summary, diagnostics], [true, [], [], []], to)
    assert.deepEqual(validate(text).diagnostics, [], to)
    assert.equal(parse(text).expand('json'), parse(weather).expand('json'), to)
  }
  assert.equal(JSON.parse(exportTranscript(weather, { to: 'json' }).text).metadata.name, 'weather_query')
})

test('requests have what the model would be sent next', () => {
  const call = { id: 'call_001', name: 'weather', arguments: { location: 'NYC' } }
  const result = { temp: 72, condition: 'sunny' }
  const openai = exportTranscript(weather, { to: 'openai' })
  const { messages, ...request } = JSON.parse(openai.text)
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'assistant'],
  )
  const [made] = messages[2].tool_calls
  assert.deepEqual([made.id, made.function.name, JSON.parse(made.function.arguments)], [call.id, call.name, call.arguments])
  assert.deepEqual([messages[3].tool_call_id, JSON.parse(messages[3].content)], [call.id, result])
  assert.equal(messages[4].content, answerText)
  assert.equal(request.model, undefined)
  assert.deepEqual(lossTexts(openai), ['lost metadata.name', 'lost metadata.description'])

  const anthropic = JSON.parse(exportTranscript(weather, { to: 'anthropic' }).text)
  assert.equal(JSON.stringify(anthropic.system).includes('You are helpful'), true)
  assert.deepEqual(
    anthropic.messages.map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant'],
  )
  assert.deepEqual(
    anthropic.tools.map(({ name }) => name),
    ['weather'],
  )
})

test('hidden messages are reported, and written when all are wanted', () => {
  const hidden = "messages: ['user: a', 'assistant: b', {hide: msg_001}, 'user: c']"
  const some = exportTranscript(hidden, { to: 'openai' })
  assert.deepEqual(
    JSON.parse(some.text).messages.map(({ content }) => content),
    ['b', 'c'],
  )
  assert.equal(lossTexts(some).includes('whole initial_state.message_store[0]'), true)
  const all = exportTranscript(hidden, { to: 'openai', all: true })
  assert.deepEqual(
    JSON.parse(all.text).messages.map(({ content }) => content),
    ['a', 'b', 'c'],
  )
})

test('a loss stands where its value does', () => {
  const [loss] = exportTranscript({ text: weather, file: 'weather.yaml' }, { to: 'openai' }).losses
  assert.deepEqual([loss.path, loss.line], ['metadata.name', 1])
})

test('a trajectory has a step for each message that is no result', () => {
  const { ok, text } = exportTranscript(weather, { to: 'atif' })
  const { schema_version: version, steps, agent } = JSON.parse(text)
  assert.deepEqual([ok, version, agent.name], [true, 'ATIF-v1.8', 'weather_query'])
  assert.deepEqual(
    steps.map(({ source }) => source),
    ['system', 'user', 'agent', 'agent'],
  )
  assert.equal(steps[2].observation.results[0].source_call_id, steps[2].tool_calls[0].tool_call_id)
})

test('a log of events is read, ordered, and replayed the same each time', async () => {
  const { text } = exportTranscript(weather, { to: 'events' })
  const log = readEvents(text)
  assert.deepEqual(log.diagnostics, [])
  // Each event follows from those of the lines before it, so the order is that of the lines.
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event_id)
  assert.deepEqual(orderEvents(text).ids, ids)
  const { ok } = await verifyDeterminism(text)
  assert.equal(ok, true)
  assert.equal(exportTranscript(weather, { to: 'events' }).text, text)
})

test('what is no transcript has no text, and says why; misuse is thrown', () => {
  for (const to of ['yaml', 'openai', 'events']) {
    const { ok, text, losses, diagnostics } = exportTranscript('messages: [', { to })
    assert.deepEqual([ok, text, losses], [false, null, []], to)
    assert.equal(diagnostics[0].severity, 'error', to)
  }
  assert.throws(() => exportTranscript(weather, { to: 'opnai' }), /unknown format `opnai`; did you mean `openai`\?/)
  assert.throws(() => exportTranscript(weather), /`to` of exportTranscript\(\) is the name of a format, but got nothing/)
  assert.throws(() => exportTranscript(weather, { to: 'openai', al: true }), /al/)
  assert.throws(() => exportTranscript(weather, { to: 'openai', all: 'yes' }), /`all`/)
})

test('the command line writes every form, and reports the losses', () => {
  for (const to of ['yaml', 'json', 'compact', 'openai', 'anthropic', 'atif', 'events']) {
    const { status, stdout, stderr } = run(['convert', 'weather.yaml', '--to', to])
    const { text, losses } = exportTranscript({ text: weather, file: 'weather.yaml' }, { to })
    assert.deepEqual([status, stdout], [0, text], `${to}: ${stderr}`)
    assert.equal(stderr.split('\n').length - 1, losses.length, stderr)
  }
  const { stderr } = run(['convert', 'weather.yaml', '--to', 'openai'])
  assert.match(stderr, /^weather\.yaml:1:\d+: openai loses /)
})

test('a file is written, and standard input read', () => {
  const written = run(['convert', 'weather.yaml', '--to', 'anthropic', '-o', 'request.json'])
  assert.deepEqual([written.status, written.stdout], [0, ''])
  assert.equal(read('request.json'), exportTranscript(weather, { to: 'anthropic' }).text)
  const piped = run(['convert', '-', '--to', 'openai'], { input: weather })
  assert.deepEqual([piped.status, piped.stdout], [0, exportTranscript(weather, { to: 'openai' }).text])
  assert.match(piped.stderr, /^<stdin>:1:/)
  write('weather.yaml.gz', gzipSync(weather))
  assert.equal(run(['convert', 'weather.yaml.gz', '--to', 'openai']).stdout, piped.stdout)
})

test('a run without events is not exported to an empty log', () => {
  const { status, stdout, stderr } = run(['convert', '-', '--to', 'events'], { input: "messages: ['system: Be brief.']" })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /nothing to export to `events`/)
})

test('the log of another program goes into any form at once', () => {
  const log = 'qbit/sess-jsonl-head/transcript.json'
  const full = run(['convert', log, '--to', 'json'])
  assert.equal(full.status, 0, full.stderr)
  for (const to of ['openai', 'anthropic', 'atif', 'events', 'compact']) {
    const { status, stdout, stderr } = run(['convert', log, '--to', to])
    assert.deepEqual([status, stdout], [0, exportTranscript(full.stdout, { to }).text], `${to}: ${stderr}`)
  }
})

test('misuse and files that are none are reported', () => {
  assert.equal(run(['convert']).status, 2)
  const unknown = run(['convert', 'weather.yaml', '--to', 'opnai'])
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
  assert.match(unknown.stderr, /opnai/)
  assert.equal(run(['convert', 'gone.yaml', '--to', 'openai']).status, 2)
  write('broken.yaml', 'messages: [')
  const broken = run(['convert', 'broken.yaml', '--to', 'openai', '-o', 'broken.json'])
  assert.deepEqual([broken.status, broken.stdout], [1, ''])
  assert.match(broken.stderr, /broken\.yaml:1:/)
  assert.equal(existsSync(join(folder, 'broken.json')), false)
})

test('a test that is written runs as it is, next to the transcript and with it in itself', () => {
  const asserting = `${weather}assertions: [{type: contains, pattern: sunny}]\n`
  write('runs/weather.yaml', asserting)
  const others = run(['convert', 'runs/weather.yaml', '--to', 'test-js', '-o', 'beside.test.mjs'])
  assert.deepEqual([others.status, others.stderr], [0, ''])
  assert.match(read('beside.test.mjs'), /'runs\/weather\.yaml'/)
  const inlined = run(['convert', '-', '--to', 'test-js', '-o', 'inlined.test.mjs'], { input: asserting })
  assert.deepEqual([inlined.status, inlined.stderr], [0, ''])
  write(
    'nasty.test.mjs',
    exportTranscript(JSON.stringify({ name: "x') //`${y}\u2028", messages: ['user: `${1} \\ \r\n </script>', 'assistant: b'] }), {
      to: 'test-js',
    }).text,
  )
  const play = (file) =>
    spawnSync(process.execPath, ['--test', file], { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } })
  for (const file of ['beside.test.mjs', 'inlined.test.mjs', 'nasty.test.mjs']) {
    const { status, stdout } = play(file)
    assert.equal(status, 0, stdout)
  }
  // An agent that makes no call, and a recording that does not hold what it asserts, are reported.
  write('idle.test.mjs', read('inlined.test.mjs').replace('while (tape.replayNext() !== null);', ''))
  assert.equal(play('idle.test.mjs').status, 1)
  write('runs/weather.yaml', asserting.replace('pattern: sunny', 'pattern: rain'))
  assert.match(play('beside.test.mjs').stdout, /does not contain `rain`/)
})

test('pages are for people, and have no markup of the run', () => {
  const text = "messages: ['user: <img src=x onerror=alert(1)>', 'assistant: Hi']"
  assert.match(exportTranscript(text, { to: 'html' }).text, /&lt;img src=x onerror=alert\(1\)&gt;/)
  assert.match(exportTranscript(text, { to: 'markdown' }).text, /\\<img src=x/)
})
