// Whether documents are deterministic: `runTwice` and `transcript verify-determinism` of what is no log of events.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { parse, runTwice } = await load(folder, 'transcript-workbench')
const { run, write } = programIn(folder)

const example = (name) => readFileSync(join(repository, 'public/examples', name), 'utf8')
const NAMES = ['weather_query.yaml', 'nondeterministic.yaml', 'handler_fsm.yaml', 'event_log_dag.jsonl', 'nested_agent_call.yaml']
for (const name of NAMES) write(name, example(name))
const FIRST = 'The report has temp, condition and wind.'
const SECOND = 'The report has wind, condition and temp.'
const verify = (...args) => run(['verify-determinism', ...args])

test('a recording comes to the same twice, in every form that it may be given in', () => {
  const text = example('weather_query.yaml')
  const report = runTwice(text)
  assert.deepEqual(
    [report.kind, report.ok, report.identical, report.steps, report.firstDifference, report.runs],
    ['replay', true, true, 3, null, []],
  )
  assert.equal(report.hashes.length, 2)
  assert.match(report.hashes[0], /^[0-9a-f]{64}$/)
  assert.equal(report.hashes[1], report.hashes[0])
  for (const source of [{ text, file: 'x.yaml' }, Buffer.from(text), { bytes: gzipSync(text) }, text.replaceAll('\n', '\r\n')]) {
    assert.deepEqual(runTwice(source).hashes, report.hashes)
  }
  assert.notEqual(runTwice(text.replace('72', '73')).hashes[0], report.hashes[0])
})

test('where the answer hangs on the order of keys, the step, the path and both values are reported', () => {
  const { kind, ok, identical, hashes, steps, firstDifference, failures, runs } = runTwice(example('nondeterministic.yaml'), { seed: 0 })
  assert.deepEqual([kind, ok, identical, steps, failures], ['simulation', false, false, 3, []])
  assert.notEqual(hashes[0], hashes[1])
  const { around, ...place } = firstDifference
  assert.deepEqual(place, { step: '3', path: 'execution[2].llm_response.content', first: FIRST, second: SECOND, cause: 'order' })
  assert.deepEqual(
    around.map(({ step }) => step),
    ['0', '1', '2', '3'],
  )
  assert.deepEqual(
    runs.map((text) => parse(text).steps.length),
    [4, 4],
  )
  const mended = example('nondeterministic.yaml').replaceAll('keys(last_result)', 'sort(keys(last_result))')
  assert.equal(runTwice(mended).ok, true)
})

test('logs of events are run twice as well, and what cannot be run says why', () => {
  const { kind, ok, steps } = runTwice(example('event_log_dag.jsonl'), { seed: 5 })
  assert.deepEqual([kind, ok, steps], ['events', true, 16])
  for (const source of ['', "messages: ['usr: Hi']", example('handler_fsm.yaml'), Uint8Array.of(0xff, 0)]) {
    const { kind, ok, reason, hashes, firstDifference } = runTwice(source)
    assert.deepEqual([kind, ok, hashes, firstDifference, typeof reason], ['none', false, [], null, 'string'])
  }
  assert.equal(runTwice(example('weather_query.yaml'), { maxBytes: 10 }).kind, 'none')
})

test('wrong arguments name the call', () => {
  for (const [call, message] of [
    [() => runTwice(), /runTwice\(\) takes a string/],
    [() => runTwice('x', { sed: 1 }), /runTwice\(\) has no option `sed`; did you mean `seed`\?/],
    [() => runTwice('x', { seed: -1 }), /the option `seed` of runTwice\(\) is an integer/],
    [() => runTwice('x', { seed: '1' }), /the option `seed` of runTwice\(\) is an integer, but got a string/],
  ])
    assert.throws(call, { name: 'TypeError', code: 'ERR_TRANSCRIPT_MISUSE', message })
})

test('the command says that a recording comes to the same', () => {
  const print = runTwice(example('weather_query.yaml')).hashes[0]
  const stdout = `3 steps, the same in both runs (fingerprint ${print.slice(0, 8)}…)\n`
  const same = { status: 0, stdout, stderr: '' }
  assert.deepEqual(verify('weather_query.yaml', '--seed', '3'), same)
  assert.deepEqual(run(['verify-determinism', '-'], { input: example('weather_query.yaml') }), same)
  assert.match(verify('nested_agent_call.yaml').stdout, /^2 steps, the same in both runs /)
})

test('the command reports the first difference, its likely cause and the steps around', () => {
  const { status, stdout, stderr } = verify('nondeterministic.yaml')
  assert.deepEqual([status, stdout], [1, ''])
  const [head, first, second, cause, none, ...diff] = stderr.trimEnd().split('\n')
  assert.equal(head, 'error: the second run differs from the first at step 3, in `execution[2].llm_response.content`')
  assert.deepEqual([first, second, none], [`  first run: "${FIRST}"`, `  second run: "${SECOND}"`, ''])
  assert.match(cause, /^ {2}likely cause: the same values in another order, such as the keys of a map/)
  assert.deepEqual(
    diff.map((line) => line.slice(0, 2)),
    ['--', '++', ' 0', ' 1', ' 2', '-3', '+3'],
  )
  assert.deepEqual(diff.slice(-2), [`-3 llm_call: ${FIRST}`, `+3 llm_call: ${SECOND}`])
})

test('control characters of a document do not reach the terminal', () => {
  const handlers = String.raw`handlers: {bot: {type: queue, responses: ["\e[31m{{ keys(context)[0] }}"]}}`
  write('red.yaml', `${handlers}\nsteps: [{op: set_context, context: {a: 1, b: 2}}, {op: call, content: Hi}]\n`)
  const { status, stderr } = verify('red.yaml')
  assert.equal(status, 1)
  assert.equal(stderr.includes('\u001b'), false)
})

test('programs get all of it as JSON', () => {
  const same = verify('weather_query.yaml', '--json')
  const { diagnostics, ...answer } = JSON.parse(same.stdout)
  assert.deepEqual([same.status, answer], [0, runTwice(example('weather_query.yaml'))])
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  const other = verify('nondeterministic.yaml', '--json')
  const { ok, kind, firstDifference } = JSON.parse(other.stdout)
  assert.deepEqual([other.status, ok, kind, firstDifference.step, firstDifference.second], [1, false, 'simulation', '3', SECOND])
  write('wrong.yaml', "messages: ['usr: Hi']\n")
  const wrong = verify('wrong.yaml', '--json')
  const report = JSON.parse(wrong.stdout)
  assert.deepEqual([wrong.status, report.kind, report.diagnostics.map(({ code }) => code)], [2, 'none', ['T105']])
})

test('a document that cannot be run is reported with its errors, and why', () => {
  write('wrong.yaml', "messages: ['usr: Hi']\n")
  const wrong = verify('wrong.yaml')
  assert.deepEqual([wrong.status, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /^error\[T105\][^]*wrong\.yaml:1:[^]*\nerror: `wrong\.yaml` cannot be run twice: the document has errors/)
  const handlers = verify('handler_fsm.yaml')
  assert.equal(handlers.status, 2)
  assert.match(
    handlers.stderr,
    /^error: this document has mock handlers, but no run\n {2}= help: [^\n]*transcript simulate handler_fsm\.yaml --user "Hi"`\n$/,
  )
})

test('a run that ends where code would go on is the same as far as it goes, with a warning', () => {
  write(
    'live.yaml',
    'tools: [look]\nhandlers: {bot: {type: queue, responses: [{tool_calls: [{name: look}]}]}}\nsteps: [{op: execute, content: Hi}]\n',
  )
  const { status, stdout, stderr } = verify('live.yaml')
  assert.equal(status, 0)
  assert.match(stdout, /^1 step, the same in both runs /)
  assert.match(stderr, /^warning: both runs end where code is needed: the tool `look` has no `results`\n/)
})

test('options that only logs have a use for are misuse', () => {
  for (const [option, value] of [
    ['tools', 'x.mjs'],
    ['handlers', 'x.mjs'],
    ['order', 'kahn'],
    ['timeout', '5'],
  ]) {
    const message = `error: \`--${option}\` is for event logs, but \`weather_query.yaml\` is a transcript (compact)\n`
    const { status, stdout, stderr } = verify('weather_query.yaml', `--${option}`, value)
    assert.deepEqual([status, stdout, stderr.slice(0, message.length)], [2, '', message])
  }
  assert.match(verify('nondeterministic.yaml', '--order', 'layers').stderr, /`nondeterministic\.yaml` is a document with handlers\n/)
  assert.equal(verify('event_log_dag.jsonl', '--order', 'layers').stdout, '16 events, the same trace each time\n')
})

test('what is neither is reported in one line, with what it looks like', () => {
  const verifyText = (text) => run(['verify-determinism', '-'], { input: text })
  const start = 'error: `<stdin>` is neither a transcript nor an event log'
  const lines = Array.from({ length: 50 }, (_, at) => `line ${at}: some words\n`).join('')
  for (const text of ['', 'a: 1\n', 'hello\n', lines, '{"a":1}\n{"b":2}\n', '[{"a": 1}]', 'messages: [']) {
    const { status, stdout, stderr } = verifyText(text)
    assert.deepEqual([status, stdout, stderr.startsWith(`${start}: `), stderr.split('\n').length], [2, '', true, 2], stderr)
  }
  const chat = '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}], "model": "gpt-4o"}'
  write('chat.json', chat)
  const { kind } = JSON.parse(run(['detect', 'chat.json', '--format', 'json']).stdout)
  const { status, stderr } = verify('chat.json')
  assert.equal(status, 2)
  assert.ok(stderr.startsWith(`error: \`chat.json\` is neither a transcript nor an event log, but looks like ${kind}: `), stderr)
  assert.match(stderr, /\n {2}= help: convert it with `transcript convert`\n$/)
  const data = JSON.parse(verify('chat.json', '--json').stdout)
  assert.deepEqual([data.ok, data.problem.message.split(':')[0]], [false, stderr.slice(7).split(':')[0]])
  assert.equal(verifyText(Buffer.from([0xff, 0])).status, 2)
})

test('several files are each run, with a line for each and the highest exit code', () => {
  write('many/weather.yaml', example('weather_query.yaml'))
  write('many/log.jsonl', example('event_log_dag.jsonl'))
  write('many/package.json', '{"name": "none"}')
  write('many/handlers.yaml', example('handler_fsm.yaml'))
  const good = verify('many')
  assert.equal(good.status, 0, good.stderr)
  assert.match(
    good.stdout,
    /^many\/log\.jsonl: 16 events, the same trace each time\nmany\/weather\.yaml: 3 steps, the same in both runs [^\n]*\n2 of 2 files ran the same each time\n$/,
  )
  assert.equal(good.stderr, '1 file skipped: not a transcript\n1 file skipped: has handlers, but no run\n')
  assert.deepEqual(verify('many/*.{yaml,jsonl}').stdout, good.stdout)

  write('wrong.yaml', "messages: ['usr: Hi']\n")
  const mixed = verify('nondeterministic.yaml', 'wrong.yaml', 'nowhere.yaml', 'weather_query.yaml')
  assert.equal(mixed.status, 2)
  assert.match(
    mixed.stdout,
    /^nondeterministic\.yaml: failed\nwrong\.yaml: cannot be run\nnowhere\.yaml: cannot be run\nweather_query\.yaml: 3 steps, [^\n]*\n1 of 4 files ran the same each time\n$/,
  )
  for (const message of [
    /^nondeterministic\.yaml:\nerror: the second run differs from the first at step 3/m,
    /^wrong\.yaml:\nerror\[T105\][^]*`wrong\.yaml` cannot be run twice/m,
    /^nowhere\.yaml:\nerror: cannot read `nowhere\.yaml`: there is no such file/m,
  ])
    assert.match(mixed.stderr, message)
  assert.equal(verify('weather_query.yaml', 'nondeterministic.yaml').status, 1)
})

test('programs get the result of each file, as it is for one alone', () => {
  const one = (name) => ({ file: name, ...JSON.parse(verify(name, '--json').stdout) })
  const names = ['weather_query.yaml', 'nondeterministic.yaml', 'event_log_dag.jsonl']
  const { status, stdout } = verify(...names, '--json')
  assert.deepEqual([status, JSON.parse(stdout)], [1, { ok: false, files: names.map(one) }])
  const lost = verify('weather_query.yaml', 'nowhere.yaml', '--json')
  const message = 'cannot read `nowhere.yaml`: there is no such file'
  assert.deepEqual([lost.status, JSON.parse(lost.stdout).files[1]], [2, { file: 'nowhere.yaml', ok: false, problem: { message } }])
  // A pattern gives a list, however many files there are.
  write('alone/run.yaml', example('weather_query.yaml'))
  assert.deepEqual(JSON.parse(verify('alone/*.yaml', '--json').stdout), {
    ok: true,
    files: [{ ...one('weather_query.yaml'), file: 'alone/run.yaml' }],
  })
  const tools = verify('event_log_dag.jsonl', 'weather_query.yaml', '--tools', 'none.mjs', '--json')
  assert.deepEqual([tools.status, JSON.parse(tools.stdout).files.map(({ ok }) => ok)], [2, [false, false]])
})
