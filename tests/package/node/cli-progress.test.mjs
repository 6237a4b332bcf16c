// What the command line shows of long work to whoever waits at a terminal.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { good, scripted } from '../support/models.mjs'
import { programIn } from '../support/program.mjs'
import { install, repository } from '../support/tarball.mjs'

const folder = install()
const { run } = programIn(folder)
const harness = join(dirname(fileURLToPath(import.meta.url)), '../support/terminal.py')

mkdirSync(join(folder, 'runs'))
/** A file that takes a moment, the other being done at once. */
writeFileSync(join(folder, 'runs/big.yaml'), `# ${'x'.repeat(2_300_000)}\nmessages: ['user: Hi', 'assistant: Hello!']\n`)
writeFileSync(join(folder, 'runs/small.yaml'), 'messages: [{usr: Hi}]\n')

const provided = (args, environment) => {
  const { CI: _, NO_COLOR: __, ...env } = process.env
  const program = join(folder, 'node_modules/.bin/transcript')
  return [[harness, program, ...args], { cwd: folder, env: { ...env, TERM: 'xterm', ...environment } }]
}

/** Runs a command with its errors on a terminal, its output in a pipe. */
const atTerminal = (args, environment = {}) => {
  const [words, options] = provided(args, environment)
  const { status, stdout, stderr } = spawnSync('python3', words, { ...options, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

/** The same while this process serves. */
const servedAtTerminal = async (args, environment = {}) => {
  const { stdout } = await promisify(execFile)('python3', ...provided(args, environment))
  return JSON.parse(stdout)
}

const WIPED = '\r\u001b[K'
/** Windows and terminals end lines in their own way. */
const lines = (text) => text.replaceAll('\r\n', '\n')

test('a terminal shows how far long work is, in a line that is gone at the end', () => {
  const { status, out, err } = atTerminal(['validate', 'runs'])
  const piped = run(['validate', 'runs'])
  assert.deepEqual([status, out], [1, piped.stdout])
  const shown = `${WIPED}0 of 2 files, 0.0 of 2.3 MB: runs/big.yaml`
  assert.ok(err.startsWith(shown + WIPED), JSON.stringify(err))
  assert.ok(lines(err).endsWith(piped.stderr), JSON.stringify(err))
  // With nothing but the words that stay after the last of these lines was taken away.
  assert.equal(lines(err).split(WIPED).at(-1), piped.stderr)
})

test('every command that reads many files shows it, and a proof its runs', () => {
  for (const args of [
    ['test', 'runs'],
    ['check', 'runs'],
    ['fmt', '--check', 'runs'],
  ]) {
    assert.ok(atTerminal(args).err.includes('0 of 2 files, 0.0 of 2.3 MB: runs/big.yaml'), args.join(' '))
  }
  const log = readFileSync(join(repository, 'tests/events/samples/multi_agent.jsonl'), 'utf8')
  writeFileSync(join(folder, 'events.jsonl'), `${' '.repeat(1000)}\n`.repeat(2300) + log)
  const { status, err, out } = atTerminal(['verify-determinism', 'events.jsonl'])
  assert.equal(status, 0, err)
  for (const number of [1, 2]) assert.ok(err.includes(`${WIPED}run ${number} of 2`), JSON.stringify(err))
  assert.ok(err.endsWith(WIPED))
  assert.match(out, /the same trace each time/)
})

test('a model that writes shows its rounds, in a line that is gone before the words that stay', async () => {
  const server = await scripted('Sure!', good)
  try {
    const args = ['generate', 'x', '--endpoint', server.baseURL, '--model', 'm', '-o', 'made.yaml']
    const { status, err } = await servedAtTerminal(args)
    assert.equal(status, 0, err)
    for (const words of ['round 1: asking', 'round 1: 5 characters', 'round 1: checked', 'round 2: asking', 'round 2: checked']) {
      assert.ok(err.includes(`${WIPED}${words}`), `${words} in ${JSON.stringify(err)}`)
    }
    assert.equal(lines(err).split(WIPED).at(-1), '8 steps, 3 assertions; 2 calls, 240 tokens\n')
    assert.ok(!(await servedAtTerminal(args, { CI: 'true' })).err.includes('round'))
  } finally {
    server.close()
  }
})

test('nothing of it comes to a pipe, a machine that builds, a terminal that cannot, or for what is done at once', () => {
  assert.ok(!run(['validate', 'runs']).stderr.includes('\u001b'))
  for (const environment of [{ CI: 'true' }, { TERM: 'dumb' }]) {
    assert.ok(!atTerminal(['validate', 'runs'], environment).err.includes('big.yaml'), JSON.stringify(environment))
  }
  assert.ok(!atTerminal(['validate', 'runs/small.yaml']).err.includes('MB'))
  // It has no color to leave out.
  const bare = atTerminal(['validate', 'runs'], { NO_COLOR: '1' }).err
  assert.ok(bare.includes('big.yaml'))
  assert.ok(!/\u001b\[\d/.test(bare))
})
