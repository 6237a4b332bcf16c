// The commands that run something: check, simulate, recover, fork, and state between two steps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { createRecorder, validate } = await load(folder, 'transcript-workbench')
const { read, run, write } = programIn(folder)

const asserting = (pattern) => `${weather}assertions:\n  - {contains: "${pattern}"}\n  - {tool_called: weather}\n`
write('good.yaml', asserting('72'))
write('bad.yaml', asserting('73'))
write('weather.yaml', weather)

test('check holds assertions against the recording', () => {
  const good = run(['check', 'good.yaml'])
  assert.deepEqual(good, { status: 0, stdout: '2 of 2 assertions passed, in 1 file\n', stderr: '' })
  const bad = run(['check', 'good.yaml', 'bad.yaml'])
  assert.equal(bad.status, 1)
  assert.match(
    bad.stdout,
    /^error\[T503\]: `msg_005` does not contain `73`\n +--> bad\.yaml:10:5\n[^]*= step 3, msg_005 \(bad\.yaml:8:5\)[^]*3 of 4 assertions passed, in 2 files\n$/,
  )
})

test('check gives programs the same', () => {
  const { status, stdout } = run(['check', 'bad.yaml', '--format', 'json'])
  const { ok, files } = JSON.parse(stdout)
  assert.deepEqual([status, ok, files[0].file, files[0].failed], [1, false, 'bad.yaml', 1])
  assert.equal(files[0].outcomes[0].evidence[0].place.line, 8)
})

test('check takes an actual run, as data or as a transcript', () => {
  write('actual.json', JSON.stringify({ messages: [{ role: 'assistant', content: 'It is 72', tool_calls: [{ name: 'weather' }] }] }))
  assert.equal(run(['check', 'good.yaml', '--run', 'actual.json']).status, 0)
  write('other.yaml', weather.replace("It's 72", "It's 75"))
  const other = run(['check', 'good.yaml', '--run', 'other.yaml'])
  assert.equal(other.status, 1)
  assert.match(other.stdout, /`msg_005` does not contain `72`/)
  assert.equal(run(['check', 'good.yaml', '--run', 'good.yaml']).status, 0)
  write('none.json', '{"mesages": []}')
  assert.equal(run(['check', 'good.yaml', '--run', 'none.json']).status, 2)
  assert.equal(run(['check', 'good.yaml', 'bad.yaml', '--run', 'actual.json']).status, 2)
})

test('check reports files that cannot be read', () => {
  assert.equal(run(['check', 'nowhere.yaml']).status, 2)
  assert.equal(run(['check']).status, 2)
  write('broken.yaml', 'messages: [')
  assert.equal(run(['check', 'broken.yaml']).status, 1)
  const one = run(['check', 'good.yaml', 'broken.yaml'])
  assert.equal(one.status, 1)
  assert.match(one.stdout, /\n2 of 2 assertions passed, in 1 file; 1 file could not be checked: broken\.yaml\n$/)
  write('bytes.yaml', Buffer.from([0xff, 0x00, 0x80]))
  const two = run(['check', 'nowhere.yaml', 'good.yaml', 'bytes.yaml'])
  assert.equal(two.status, 2)
  assert.match(two.stdout, /\n2 of 2 assertions passed, in 1 file; 2 files could not be checked: nowhere\.yaml, bytes\.yaml\n$/)
  const report = run(['check', 'good.yaml', 'nowhere.yaml', '--format', 'json'])
  const { ok, files, unreadable } = JSON.parse(report.stdout)
  assert.deepEqual([report.status, ok, files.length, unreadable[0].file], [2, false, 1, 'nowhere.yaml'])
  assert.match(unreadable[0].message, /there is no such file/)
})

const bots = `handlers:
  bot:
    type: conditional
    rules:
      - {when: "contains(last_user, 'weather')", respond: Sunny}
    default: What?
`

test('simulate talks to the handlers of a document', () => {
  write('bots.yaml', bots)
  const { status, stdout } = run(['simulate', 'bots.yaml', '--user', 'Hi, you', '--user', 'the weather', '--trace'])
  assert.equal(status, 0)
  assert.match(stdout, /user: Hi, you\n {2}.*assistant: What\?\n/)
  assert.match(stdout, /user: the weather\n {2}.*assistant: Sunny\n/)
  assert.match(stdout, /yes {2}.*rules\[0\]/)
  const missing = run(['simulate', 'bots.yaml'])
  assert.deepEqual([missing.status, /--user/.test(missing.stderr)], [2, true])
})

test('simulate runs a simulation, and writes its transcript', () => {
  write('sim.yaml', 'agents: [{name: bot, mock: [Hello!]}]\nsteps:\n  - {op: call, content: Hi}\n')
  assert.equal(run(['simulate', 'sim.yaml', '--format', 'transcript', '-o', 'sim.run.yaml']).status, 0)
  assert.equal(validate(read('sim.run.yaml')).ok, true)
  assert.equal(run(['replay', 'sim.run.yaml']).status, 0)
  const { steps } = JSON.parse(run(['simulate', 'sim.yaml', '--format', 'json']).stdout)
  assert.equal(steps[0].returned.content, 'Hello!')
})

test('simulate says where it fails', () => {
  write('over.yaml', 'agents: [{name: bot, mock: [Hello!]}]\nsteps: [{op: call, content: Hi}, {op: call, content: Ho}]\n')
  const over = run(['simulate', 'over.yaml'])
  assert.equal(over.status, 1)
  assert.match(over.stdout, /MockExhaustedError/)
  write('wrong.yaml', 'agents: [{name: bot}]\nsteps: [{op: cal}]\n')
  const wrong = run(['simulate', 'wrong.yaml'])
  assert.equal(wrong.status, 1)
  assert.match(wrong.stderr, /^error: unknown op `cal`; [^\n]*\n +--> wrong\.yaml:2:14\n[^]*\^\^\^[^]*did you mean `call`\?/)
  write('live.yaml', 'agents: [{name: bot, external: true}]\nsteps: [{op: call, content: Hi}]\n')
  assert.equal(run(['simulate', 'live.yaml']).status, 2)
})

test('simulate warns of an agent that never comes to an end', () => {
  const respond = '{content: "", tool_calls: [{name: t, arguments: {}, result: 1}]}'
  write('endless.yaml', `handlers:\n  bot: {type: repeat, respond: ${respond}}\n`)
  const { stderr } = run(['simulate', 'endless.yaml', '--user', 'Hi'])
  assert.match(stderr, /^warning: `bot` was called 10 times, [^\n]*\n {2}= help: .*`max_iterations`/)
})

test('simulate reports handlers where they were written, from a file and from the standard input', () => {
  const yaml = 'handlers:\n  bot:\n    type: queu\n    responses: [A]\n'
  const json = JSON.stringify({ handlers: { bot: { type: 'queu', responses: ['A'] } } })
  write('odd-bots.yaml', yaml)
  const [file, input, other] = [
    run(['simulate', 'odd-bots.yaml', '--user', 'Hi']),
    run(['simulate', '-', '--user', 'Hi'], { input: yaml }),
    run(['simulate', '-', '--user', 'Hi'], { input: json }),
  ]
  assert.deepEqual([file.status, input.status, other.status], [1, 1, 1])
  assert.match(file.stderr, /^error\[T601\]: unknown type `queu` of `bot`\n +--> odd-bots\.yaml:3:11\n[^]*did you mean `queue`\?/)
  assert.match(input.stderr, /--> <stdin>:3:11\n/)
  assert.match(other.stderr, /--> <stdin>:1:28\n/)
  const nobody = run(['simulate', 'bots.yaml', '--user', 'Hi', '--agent', 'bott'])
  assert.deepEqual([nobody.status, /did you mean `bot`\?/.test(nobody.stderr)], [2, true])
  const trace = run(['simulate', '-', '--user', 'Hi', '--trace'], { input: yaml.replace('queu\n', 'queue\n') })
  assert.match(trace.stdout, /yes {2}handlers\.bot\.responses\[0\]/)
})

test('recover makes a transcript of a journal that was cut', () => {
  const lines = []
  const recorder = createRecorder({ onJournal: (line) => lines.push(line) })
  recorder.messageAppended({ id: 'm1', role: 'user', content: 'Hi' })
  recorder.modelCalled({ call: 'c1', messages: ['m1'] })
  recorder.modelResponded({ call: 'c1', content: 'Hello é!' })
  const text = Buffer.from(lines.join(''))
  // In the middle of the `é`.
  write('run.journal', text.subarray(0, text.indexOf(0xc3) + 1))
  const { status, stderr } = run(['recover', 'run.journal', '-o', 'out.yaml'])
  assert.equal(status, 0, stderr)
  assert.match(stderr, /run\.journal:4: the journal was cut in this line/)
  assert.match(stderr, /2 facts recovered/)
  assert.equal(validate(read('out.yaml')).ok, true)
  write('odd.journal', `${lines[1]}nonsense\n${lines[2]}`)
  const recovered = run(['recover', 'odd.journal'])
  assert.deepEqual([recovered.status, /odd\.journal:2: the line is not JSON/.test(recovered.stderr)], [1, true])
  write('empty.journal', '')
  assert.equal(run(['recover', 'empty.journal']).status, 1)
  write('twice.journal', lines.join('').repeat(2))
  assert.match(run(['recover', 'twice.journal']).stderr, /using recording 2; choose another with `--recording`: 1 \(3 facts\)/)
  assert.match(run(['recover', 'twice.journal', '--recording', '1']).stderr, /using recording 1; choose another with `--recording`: 2/)
  assert.match(run(['recover', 'twice.journal', '--recording', '9']).stderr, /the journal has no recording `9`/)
})

test('recover reports once that a file is no journal', () => {
  for (const [name, text, reason] of [
    ['weather.yaml', weather, /it has a list of `messages`/],
    ['words.txt', 'one\ntwo\nthree\n', /it is plain text with 3 lines/i],
    ['word.txt', 'one', /it is plain text with 1 line/i],
  ]) {
    write(name, text)
    const { status, stderr } = run(['recover', name])
    assert.equal(status, 2)
    assert.match(stderr, reason)
    assert.equal(stderr.match(/error: /g).length, 1, stderr)
  }
})

test('state says what changed between two steps', () => {
  const { status, stdout } = run(['state', 'weather.yaml', '--step', '2', '--against', '0'])
  assert.equal(status, 0)
  assert.match(stdout, /^from step 0 to step 2: 2 changes\n {2}\+ msg_003 {2}assistant/)
  const back = JSON.parse(run(['state', 'weather.yaml', '--step', '0', '--against', '2', '--format', 'json']).stdout)
  assert.deepEqual(
    back.removed.map(({ id }) => id),
    ['msg_003', 'msg_004'],
  )
  assert.equal(run(['state', 'weather.yaml', '--against', '9']).status, 2)
})

test('fork writes the run up to a step', () => {
  const { status, stderr } = run(['fork', 'weather.yaml', '1', '-o', 'fork.yaml'])
  assert.equal(status, 0, stderr)
  assert.match(stderr, /1 tool call without a result/)
  assert.match(read('fork.yaml'), /weather_query_from_1/)
  assert.equal(run(['fork', 'weather.yaml', '9']).status, 2)
  assert.equal(run(['fork', 'weather.yaml', 'x']).status, 2)
  assert.equal(run(['fork', 'weather.yaml']).status, 2)
})

test('fork of a log says only how to convert it', () => {
  write('session.jsonl', '{"type":"user","sessionId":"s","uuid":"u","parentUuid":null,"message":{"role":"user","content":"Hi"}}\n')
  const { status, stderr } = run(['fork', 'session.jsonl', '1'])
  assert.equal(status, 1)
  assert.match(stderr, /this is a Claude Code session/)
  assert.doesNotMatch(stderr, /fix its errors first/)
})

test('simulate says how to write a tool that needs no code', () => {
  write('tool.yaml', 'tools: [look]\nhandlers: {bot: {type: queue, responses: [{tool_calls: [{name: look, arguments: {}}]}]}}\n')
  const { status, stderr } = run(['simulate', 'tool.yaml', '--user', 'Hi'])
  assert.equal(status, 2)
  assert.match(
    stderr,
    /runs the tool `look`, which needs code\s+= help: write the tool as `\{name: look, results: \[\{return: …\}\]\}`, or/,
  )
})

test('show marks a failed step, however long its line', () => {
  const call = `assistant:call read(path='${'a/'.repeat(200)}')`
  write('long.yaml', `messages: ["user: Hi", ${JSON.stringify(call)}, {tool: read, error: no such file}]\n`)
  assert.match(run(['show', 'long.yaml']).stdout, /… \(failed\)$/m)
})
