// `transcript test` and `transcript replay --agent`, as a project's continuous integration runs them.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { unknownRef, weather } from '../support/samples.mjs'
import { install } from '../support/tarball.mjs'

const folder = install()
const { run, write, read } = programIn(folder)

const asserted = (assertions) => `${weather}assertions:\n${assertions.map((one) => `  - ${one}\n`).join('')}`
const holds = '{type: tool_called, tool: weather}'
const fails = '{type: contains, pattern: "<rain> & \\"hail\\"", description: "it & rains"}'

test('the tests of a file are that it reads, that it replays, and each of its assertions', () => {
  write('a/run.yaml', asserted([holds, fails]))
  write('a/wrong.yaml', unknownRef)
  write('a/other.json', '{"name": "no transcript", "scripts": {}}')
  const { status, stdout, stderr } = run(['test', 'a'])
  assert.equal(status, 1)
  assert.match(stdout, /^FAILED {2}a\/run\.yaml {2}3 of 4\n/)
  assert.match(stdout, /error\[T503\]: .*does not contain.*\n {2}--> a\/run\.yaml:11:5\n/)
  assert.match(stdout, /FAILED {2}a\/wrong\.yaml {2}0 of 1\nerror\[T201\]: /)
  assert.ok(stdout.endsWith('3 of 5 tests passed, in 2 files\n'), stdout)
  assert.match(stderr, /1 file skipped/)
})

test('handlers have no run: a folder skips them, and each command reports them by name', () => {
  const handlers = 'handlers: {bot: {type: repeat, respond: Hi}}\n'
  write('h/handlers.yaml', handlers)
  write('h/run.yaml', asserted([holds]))
  const skipped = '1 file skipped: has handlers, but no run\n'
  assert.deepEqual(run(['test', 'h']), {
    status: 0,
    stdout: 'ok      h/run.yaml  3 of 3\n3 of 3 tests passed, in 1 file\n',
    stderr: skipped,
  })
  assert.deepEqual(run(['check', 'h']), { status: 0, stdout: '1 of 1 assertion passed, in 1 file\n', stderr: skipped })
  write('only/handlers.yaml', handlers)
  assert.deepEqual(run(['test', 'only']), { status: 2, stdout: '', stderr: `${skipped}error: nothing was tested: no file has a run\n` })
  assert.deepEqual(run(['check', 'only']), { status: 2, stdout: '', stderr: `${skipped}error: nothing was checked: no file has a run\n` })
  const alone = run(['test', 'h/handlers.yaml'])
  assert.equal(alone.status, 1)
  assert.match(
    alone.stdout,
    /^FAILED {2}h\/handlers\.yaml {2}0 of 1\nerror: this document has mock handlers, but no run\n {2}= help: add `messages:`/,
  )
  const refusal =
    'error: this document has mock handlers, but no run\n' +
    '  = help: add `messages:` or `execution:`, or try the handlers with `transcript simulate h/handlers.yaml --user "Hi"`\n'
  for (const [exit, ...command] of [
    [1, 'show', 'h/handlers.yaml'],
    [1, 'check', 'h/handlers.yaml'],
    [1, 'check', 'h/handlers.yaml', '--run', 'h/run.yaml'],
    [2, 'check', 'h/run.yaml', '--run', 'h/handlers.yaml'],
    [1, 'test', 'h/handlers.yaml'],
    [1, 'compact', 'h/handlers.yaml'],
    [1, 'expand', 'h/handlers.yaml'],
    [1, 'convert', 'h/handlers.yaml', '--to', 'test-js'],
    [1, 'convert', 'h/handlers.yaml', '--to', 'compact'],
    [1, 'convert', 'h/handlers.yaml', '--to', 'yaml'],
    [1, 'fork', 'h/handlers.yaml', '2'],
    [2, 'diff', 'h/run.yaml', 'h/handlers.yaml'],
    [2, 'replay', 'h/handlers.yaml'],
    [2, 'verify-determinism', 'h/handlers.yaml'],
  ]) {
    const { status, stdout, stderr } = run(command)
    assert.equal(status, exit, command.join(' '))
    assert.ok((stdout + stderr).includes(refusal), `${command.join(' ')}: ${stdout}${stderr}`)
  }
  const simulated = run(['simulate', 'h/handlers.yaml', '--user', 'Hi'])
  assert.equal(simulated.status, 0, simulated.stderr)
})

test('all is fine when every test passes, and a failing assertion is reported once', () => {
  write('good.yaml', asserted([holds]))
  assert.deepEqual(run(['test', 'good.yaml']), {
    status: 0,
    stdout: 'ok      good.yaml  3 of 3\n3 of 3 tests passed, in 1 file\n',
    stderr: '',
  })
  write('bad.yaml', asserted([fails]))
  assert.equal(run(['test', 'bad.yaml']).stdout.split('does not contain').length, 2)
  write('both.yaml', `${unknownRef}final_state: {assertions: [{type: contains, pattern: rain}]}\n`)
  const { status, stdout } = run(['test', 'both.yaml'])
  assert.equal(status, 1)
  assert.match(stdout, /error\[T201\]: /)
  assert.equal(stdout.split('does not contain').length, 2, stdout)
})

test('programs get every test with its state and line', () => {
  write('j.yaml', asserted([holds, fails]))
  const report = JSON.parse(run(['test', '--json', 'j.yaml']).stdout)
  assert.equal(report.ok, false)
  const [{ file, tests }] = report.files
  assert.equal(file, 'j.yaml')
  assert.deepEqual(
    tests.map(({ name, status, line }) => [name, status, line]),
    [
      ['reads without errors', 'passed', null],
      ['replays against itself', 'passed', null],
      ['assertion 1, tool_called', 'passed', 10],
      ['assertion 2, contains: it & rains', 'failed', 11],
    ],
  )
})

/** What a reader of XML makes of a file. */
const readXml = (path) => {
  const script = `
import json, sys, xml.etree.ElementTree as tree
def plain(one): return [one.tag, one.attrib, one.text or '', [plain(inner) for inner in one]]
print(json.dumps(plain(tree.parse(sys.argv[1]).getroot())))`
  const { stdout, stderr } = spawnSync('python3', ['-c', script, path], { encoding: 'utf8' })
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

test('the results are written as the XML of JUnit', () => {
  write('x/run.yaml', asserted([holds, fails]).replace('<rain>', '<rain>\\u0001'))
  assert.equal(run(['test', 'x', '--junit', 'report.xml']).status, 1)
  const [tag, counts, , [suite]] = readXml(join(folder, 'report.xml'))
  assert.equal(tag, 'testsuites')
  assert.deepEqual([counts.tests, counts.failures, counts.errors], ['4', '1', '0'])
  const cases = suite[3]
  assert.deepEqual(
    cases.map(([, { name, line }, , inner]) => [name, line, inner.length]),
    [
      ['reads without errors', undefined, 0],
      ['replays against itself', undefined, 0],
      ['assertion 1, tool_called', '10', 0],
      ['assertion 2, contains: it & rains', '11', 1],
    ],
  )
  const [[kind, { message }]] = cases[3][3]
  assert.equal(kind, 'failure')
  assert.match(message, /<rain>. & "hail"/)
  assert.equal(run(['test', 'x', '--junit', 'no/such/folder.xml']).status, 2)
})

test('the report says what was found of a failure in words, each thing on a line', () => {
  write('y/run.yaml', asserted(['{type: tool_called, tool: weather, parameters: {location: Rome}}']))
  run(['test', 'y', '--junit', 'words.xml'])
  const cases = readXml(join(folder, 'words.xml'))[3][0][3]
  const [[, , output]] = cases[2][3]
  assert.doesNotMatch(output, /"actual"|"step"/)
  assert.match(
    output,
    /\n {2}line 6, step 1, msg_003, `calls\[0\]\.arguments\.location`: expected \{"location":"Rome"\}, found \{"location":"NYC"\}/,
  )
})

test('a file that cannot be read is an error among the others', () => {
  const { status, stdout, stderr } = run(['test', 'good.yaml', 'gone.yaml', '--junit', 'gone.xml'])
  assert.equal(status, 2)
  assert.match(stderr, /cannot read `gone\.yaml`: there is no such file/)
  assert.match(stdout, /3 of 4 tests passed/)
  assert.match(read('gone.xml'), /<error message="cannot read `gone\.yaml`/)
})

test('with --watch the tests are run again when a file changes', async () => {
  write('w/run.yaml', asserted([holds]))
  const child = spawn(join(folder, 'node_modules/.bin/transcript'), ['test', '--watch', 'w'], { cwd: folder })
  let out = ''
  const until = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (pattern.test(out)) resolve()
      }
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error(`it ended before ${pattern}: ${out}`)))
      look()
    })
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  await until(/3 of 3 tests passed/)
  write('w/run.yaml', asserted([fails]))
  await until(/2 of 3 tests passed/)
  write('w/second.yaml', weather)
  await until(/4 of 5 tests passed, in 2 files/)
  const ended = new Promise((resolve) => child.removeAllListeners('exit').once('exit', resolve))
  child.kill('SIGINT')
  assert.equal(await ended, 1)
})

const agent = (more) => `
import { writeFileSync } from 'node:fs'
export default async (tape) => {
  console.log('from the agent')
  setInterval(() => {}, 1000)
  for (let expected = tape.expectedMessages; expected !== null; expected = tape.expectedMessages) {
    ${more}
    tape.request({ format: 'canonical', messages: expected })
  }
}
`

test('an agent is held against a recording', () => {
  write('run.yaml', weather)
  write('agent.mjs', agent(''))
  const good = run(['replay', 'run.yaml', '--agent', 'agent.mjs'])
  assert.deepEqual([good.status, good.stdout], [0, 'the agent matches the recording: 2 model calls, 0 left over\n'])
  assert.equal(good.stderr, 'from the agent\n')
})

test('an agent that diverges is reported with the place, even when it swallows the error', () => {
  const changed = `try { tape.request({ format: 'canonical', messages: [...expected, { role: 'user', content: 'more' }] }) } catch {} ; return`
  write('other.mjs', agent(changed))
  const { status, stdout, stderr } = run(['replay', 'run.yaml', '--agent', 'other.mjs'])
  assert.equal(status, 1)
  assert.match(stderr, /error: run\.yaml: step 1: the request differs from the recording/)
  assert.match(stderr, /\n {2}at messages\[2\]/)
  assert.match(stdout, /does not match the recording: 1 model call, 2 left over/)
  const report = JSON.parse(run(['replay', 'run.yaml', '--agent', 'other.mjs', '--format', 'json']).stdout)
  assert.deepEqual([report.ok, report.divergence.step, report.divergence.path], [false, '1', 'messages[2]'])
  assert.equal(run(['replay', 'run.yaml', '--agent', 'other.mjs', '--ignore', 'messages[2]']).status, 1)
})

test('an agent that fails or stops early is reported so', () => {
  write('throws.mjs', 'export default () => { throw new Error("no key") }')
  const threw = run(['replay', 'run.yaml', '--agent', 'throws.mjs'])
  assert.equal(threw.status, 1)
  assert.match(threw.stderr, /^error: the agent failed: Error: no key\n {4}at .*throws\.mjs/)
  assert.doesNotMatch(threw.stderr, /not made/)
  write('stops.mjs', 'export default () => {}')
  assert.match(run(['replay', 'run.yaml', '--agent', 'stops.mjs']).stderr, /2 model calls were not made/)
  write('exits.mjs', 'export default () => process.exit(0)')
  assert.equal(run(['replay', 'run.yaml', '--agent', 'exits.mjs']).status, 2)
})

test('an agent that takes too long fails at the line that says how long it may take', () => {
  write('hangs.mjs', 'export default () => new Promise(() => setInterval(() => {}, 1000))')
  const { status, stderr, stdout } = run(['replay', 'run.yaml', '--agent', 'hangs.mjs', '--timeout', '50'])
  assert.equal(status, 1)
  assert.match(stderr, /^error: the agent failed: the agent did not finish within 50 ms\n/)
  assert.doesNotMatch(stderr, /not made/)
  assert.match(stdout, /2 left over/)
  assert.equal(run(['replay', 'run.yaml', '--agent', 'agent.mjs', '--timeout', '60000']).status, 0)
  assert.match(run(['replay', 'run.yaml', '--timeout', '50']).stderr, /--mode, --ignore, --compare, --order and --timeout need --agent/)
})

test('an agent that is no function, or cannot be loaded, is a misuse', () => {
  write('none.mjs', 'export const agent = 1')
  const none = run(['replay', 'run.yaml', '--agent', 'none.mjs'])
  assert.deepEqual([none.status, none.stderr.split('\n')[0]], [2, 'error: the default export of `none.mjs` is not a function'])
  const gone = run(['replay', 'run.yaml', '--agent', 'gone.mjs'])
  assert.equal(gone.status, 2)
  assert.match(gone.stderr, /the agent in `gone\.mjs` cannot be loaded: Cannot find module/)
  assert.equal(run(['replay', 'run.yaml', '--mode', 'property']).status, 2)
})

test('the assertions of a recording are held against what an agent says', () => {
  write('asked.yaml', asserted([holds]))
  write('said.mjs', `export default () => ({ messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' }] })`)
  const { status, stderr } = run(['replay', 'asked.yaml', '--agent', 'said.mjs', '--mode', 'property'])
  assert.equal(status, 1)
  assert.match(stderr, /error\[T503\]: `weather` is never called/)
})
