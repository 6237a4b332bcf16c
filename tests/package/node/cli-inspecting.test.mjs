// The commands that inspect: explain, schema, diff, coverage, detect, state.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { coverage, detect, diff, expand, parse } = await load(folder, 'transcript-workbench')
const { read, run, write } = programIn(folder)
const inPackage = (name) => join(folder, 'node_modules/transcript-workbench', name)

const after = weather.replace('temp: 72', 'temp: 75')
write('before.yaml', weather)
write('after.yaml', after)
write('bad.yaml', unknownRef)

test('explain prints the page of a code, by code or name, and lists all', () => {
  const page = readFileSync(inPackage('docs/diagnostics/T201.md'), 'utf8')
  for (const request of ['T201', 't201', 'unknown-ref']) {
    assert.deepEqual(run(['explain', request]), { status: 0, stdout: page, stderr: '' })
  }
  assert.match(run(['explain', 'T201', 'T204']).stdout, /^# T201[^]*\n# T204/)
  const listed = run(['explain']).stdout.trimEnd().split('\n')
  assert.equal(listed.length, readdirSync(inPackage('docs/diagnostics')).length)
  for (const line of listed) assert.match(line, /^T\d{3} {2}[\w-]+ +.+\.$/)
  const unknown = run(['explain', 'T291'])
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
  assert.match(unknown.stderr, /^error: unknown code `T291`\n {2}= help: did you mean `T2\d1`\?\n$/)
  assert.match(run(['explain', 'frobnicate']).stderr, /`transcript explain` lists all codes/)
})

test('schema lists the kinds, and prints or writes one', () => {
  assert.equal(run(['schema']).stdout, 'compact\nevent\nhandlers\njournal\nproject\nscenario\ntrace\ntranscript\n')
  const { status, stdout } = run(['schema', 'compact'])
  assert.deepEqual([status, stdout], [0, readFileSync(join(repository, 'public/schema/compact.schema.json'), 'utf8')])
  assert.match(JSON.parse(stdout).$schema, /2020-12/)
  assert.equal(run(['schema', 'project', '-o', 'project.schema.json']).status, 0)
  assert.equal(typeof JSON.parse(read('project.schema.json')), 'object')
  assert.match(run(['schema', 'compat']).stderr, /unknown schema `compat`\n {2}= help: did you mean `compact`\?/)
  assert.match(run(['schema', 'x', 'y']).stderr, /takes one name, but got 2/)
})

test('diff: 0 for equal, 1 for differences and for errors, 2 for what cannot be compared', () => {
  assert.deepEqual(run(['diff', 'before.yaml', 'before.yaml']), { status: 0, stdout: '', stderr: '' })
  const { rendered, ...data } = diff({ text: weather, file: 'before.yaml' }, { text: after, file: 'after.yaml' })
  const text = run(['diff', 'before.yaml', 'after.yaml'])
  assert.deepEqual(text, { status: 1, stdout: rendered, stderr: '' })
  const json = run(['diff', 'before.yaml', '-', '--format', 'json'], { input: after })
  assert.equal(json.status, 1)
  assert.deepEqual(Object.keys(JSON.parse(json.stdout)).sort(), [
    'changes',
    'diagnostics',
    'equal',
    'ignored',
    'ok',
    'summary',
    'unreadable',
  ])
  assert.deepEqual(JSON.parse(json.stdout).changes, data.changes)
  const ignored = run(['diff', 'before.yaml', 'after.yaml', '--ignore', 'ids,execution.**'])
  assert.deepEqual([ignored.status, ignored.stdout], [0, 'ignored execution.**: 3\n'])
  const broken = run(['diff', 'before.yaml', '-'], { input: 'messages: [' })
  assert.deepEqual([broken.status, broken.stdout], [1, ''])
  assert.match(broken.stderr, /error\[T001\][^]*<stdin>/)
  const handlers = run(['diff', 'before.yaml', '-'], { input: 'handlers: {a: {type: queue, responses: [Hi]}}\n' })
  assert.equal(handlers.status, 2)
  assert.notEqual(handlers.stderr, '')
  assert.match(run(['diff', 'before.yaml']).stderr, /`diff` takes two files, but got 1/)
})

test('coverage says what is never used, over all files', () => {
  write('covered/a.yaml', `tools: [weather, search]\n${weather}`)
  write('covered/b.yaml.gz', gzipSync(weather))
  const { status, stdout, stderr } = run(['coverage', 'covered'])
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /tools called: 1 of 2\n {2}never: `search` of covered\/a\.yaml\n/)
  const json = JSON.parse(run(['coverage', 'covered', '--format', 'json']).stdout)
  assert.deepEqual(Object.keys(json).sort(), ['messages', 'recordings', 'rules', 'tools', 'unused'])
  const { text, ok, ...data } = coverage({ text: `tools: [weather, search]\n${weather}`, file: 'covered/a.yaml' })
  assert.deepEqual(json.tools, data.tools)
  write('covered/package.json', '{"name": "x", "version": "1.0.0"}\n')
  assert.deepEqual(run(['coverage', 'covered']), { status: 0, stdout, stderr: '1 file skipped: not a transcript\n' })
  const broken = run(['coverage', '-', 'before.yaml'], { input: 'messages: [' })
  assert.equal(broken.status, 1)
  assert.match(broken.stderr, /error\[T001\][^]*<stdin>/)
})

test('detect: kind, confidence and reason; the name does not count', () => {
  write('odd.json', weather)
  assert.deepEqual(run(['detect', 'odd.json']), {
    status: 0,
    stdout: 'compact: it has a list of `messages`, but no `execution`\n',
    stderr: '',
  })
  const full = expand(weather).text
  assert.deepEqual(JSON.parse(run(['detect', '-', '--format', 'json'], { input: full }).stdout), detect(full))
  assert.match(run(['detect', '-'], { input: "messages:\n  - 'user: Hi'\n  - [" }).stdout, /^compact, likely: /)
  assert.equal(run(['detect', '-'], { input: gzipSync(weather) }).stdout, run(['detect', 'odd.json']).stdout)
  const question = "We don't recognize this format. Which tool wrote it?"
  const unknown = run(['detect', '-'], { input: 'x: 1' })
  assert.deepEqual([unknown.status, unknown.stdout], [1, `unknown: ${question} It is YAML with 1 record; its first key is \`x\`\n`])
  // Whatever the request, the answer is the same question, what was looked at, and the text.
  write('session.json', '{"pages": [{"role": "user", "parts": [{"text": "Hi"}]}]}')
  for (const command of ['validate', 'show', 'convert']) {
    const { status, stdout, stderr } = run([command, 'session.json'])
    const printed = stdout + stderr
    assert.equal(status, 1, command)
    assert.ok(printed.startsWith(`error[T111]: ${question}\n --> session.json\n  |\n1 | {"pages": [`), `${command}: ${printed}`)
    assert.ok(printed.includes('JSON with 1 record; its first key is `pages`'), printed)
  }
})

test('state: context, store, what is visible and what was sent, after any step', () => {
  const json = (...args) => JSON.parse(run(['state', 'before.yaml', '--format', 'json', ...args]).stdout)
  const document = parse(weather)
  for (const step of [0, 1, 2, 3]) assert.deepEqual(json('--step', String(step)), document.state(step))
  assert.deepEqual(Object.keys(json('--step=1')).sort(), ['context', 'sent', 'store', 'visible'])
  assert.deepEqual(json(), document.state(3))
  const { status, stdout } = run(['state', '-', '--step', '1'], { input: `context: {city: NYC}\n${weather}` })
  assert.equal(status, 0)
  assert.match(stdout, /^context: 1 key\n {2}city: "NYC"\nstore: 3 messages, 3 visible\n {2}msg_001 {2}system {2}/)
  assert.match(stdout, /\n {2}msg_003 {2}assistant {2}calls weather\nsent to the model: 2 messages\n/)
  const past = run(['state', 'before.yaml', '--step', '9'])
  assert.deepEqual([past.status, past.stderr], [2, 'error: there is no step 9\n  = help: the last one is 3; 0 is the initial state\n'])
  const broken = run(['state', '-'], { input: 'messages: [' })
  assert.deepEqual([broken.status, broken.stdout], [1, ''])
  assert.match(broken.stderr, /error\[T001\][^]*error: no state to show/)
  const handlers = run(['state', '-'], { input: 'handlers: []\n' })
  assert.deepEqual([handlers.status, handlers.stdout], [1, ''])
})

test('validate leads on to explain', () => {
  const { stderr } = run(['validate', 'bad.yaml'])
  assert.equal(stderr, 'more about it: transcript explain T201\n')
  assert.equal(run(stderr.trim().replace('more about it: transcript ', '').split(' ')).status, 0)
  assert.equal(run(['validate', 'before.yaml']).stderr, '')
})
