// `transcript generate`: with a model behind a loopback server, and by hand.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cities, good, scripted, slipped } from '../support/models.mjs'
import { programIn } from '../support/program.mjs'
import { install } from '../support/tarball.mjs'

const folder = install()
const { read, run, write } = programIn(folder)
const KEY = 'sk-of-the-test-12345'

const servers = []
const serving = async (...replies) => {
  const server = await scripted(...replies)
  servers.push(server)
  return server
}
after(() => servers.forEach((server) => server.close()))

/** Runs it while this process serves. */
const start = async (args, { env = {}, input = '' } = {}) => {
  const child = spawn(join(folder, 'node_modules/.bin/transcript'), ['generate', ...args], {
    cwd: folder,
    env: { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', NO_COLOR: '1', ...env },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.stdin.end(input)
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

test('a model writes a file, mended once', async () => {
  const server = await serving(slipped, good)
  write('tools.json', JSON.stringify([{ name: 'weather', parameters: { type: 'object', required: ['city'] } }]))
  const args = [
    'Compare two cities',
    '--tools',
    'tools.json',
    '--turns',
    '9',
    '--tone',
    'terse',
    '--edge-cases',
    '--model',
    'm',
    '-o',
    'run.yaml',
  ]
  const { status, stdout, stderr } = await start(args, { env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseURL } })
  assert.deepEqual([status, stdout, stderr], [0, '', '8 steps, 3 assertions; 2 calls, 240 tokens\n'])
  assert.match(read('run.yaml'), /required: \[city\]/)
  assert.deepEqual(run(['test', 'run.yaml']).status, 0)
  const [{ headers, body }] = server.requests
  assert.deepEqual([headers.authorization, body.model], [`Bearer ${KEY}`, 'm'])
  assert.match(body.messages[1].content, /about 9 turns[^]*"terse"[^]*edge cases/)
})

test('the description may come from the standard input, and Anthropic may write', async () => {
  const server = await serving(good)
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url }
  const { status, stdout } = await start(['-', '--anthropic', '--model', 'm'], { env, input: 'Compare\r\ntwo cities' })
  assert.deepEqual([status, stdout], [0, cities])
  assert.ok(server.requests[0].body.messages[0].content.includes('Compare\r\ntwo cities'))
})

test('what is never in order is reported, and the file is left as it was', async () => {
  const server = await serving(slipped)
  write('old.yaml', 'messages: []\n')
  const { status, stdout, stderr } = await start(['x', '--endpoint', server.baseURL, '--model', 'm', '--rounds', '1', '-o', 'old.yaml'])
  assert.equal(status, 1)
  assert.match(stdout, /tol:weather/)
  assert.match(stderr, /after 1 repair: [^]*240 tokens[^]*unknown role `tol`/)
  assert.equal(read('old.yaml'), 'messages: []\n')
})

test('a key goes to the endpoint that it is for, and is not reported', async () => {
  const echo = { status: 401, body: ({ headers }) => ({ error: { message: `bad ${headers.authorization ?? 'no key'}` } }) }
  const server = await serving(echo)
  const usual = await start(['x', '--endpoint', server.baseURL, '--model', 'm'], { env: { OPENAI_API_KEY: KEY } })
  assert.deepEqual([usual.status, server.requests[0].headers.authorization], [2, undefined])
  const named = await start(['x', '--endpoint', server.baseURL, '--model', 'm', '--api-key-env', 'MINE'], { env: { MINE: KEY } })
  assert.equal(server.requests[1].headers.authorization, `Bearer ${KEY}`)
  assert.match(named.stderr, /answered 401: bad \[redacted\]/)
  assert.ok(!(named.stderr + named.stdout).includes(KEY))
  for (const reply of [good.replace('You help', `You ${KEY} help`), slipped.replace('You help', `You ${KEY} help`), `Sure: ${KEY}`]) {
    const repeats = await serving(reply)
    const { stdout, stderr } = await start(['x', '--endpoint', repeats.baseURL, '--model', 'm', '--rounds', '0', '--api-key-env', 'MINE'], {
      env: { MINE: KEY },
    })
    assert.ok(!(stdout + stderr).includes(KEY))
    assert.equal(stdout.includes('You [redacted] help'), reply !== `Sure: ${KEY}`)
  }
})

test('it is stopped by an interrupt', async () => {
  const server = await serving('hang')
  const child = spawn(
    join(folder, 'node_modules/.bin/transcript'),
    ['generate', 'x', '--endpoint', server.baseURL, '--model', 'm', '-o', 'never.yaml'],
    { cwd: folder },
  )
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  while (server.requests.length === 0) await new Promise((done) => setTimeout(done, 10))
  child.kill('SIGINT')
  const [status] = await once(child, 'close')
  assert.deepEqual([status, stderr.split('\n')[0]], [2, 'error: stopped'])
  assert.ok(!existsSync(join(folder, 'never.yaml')))
})

test('by hand: a prompt goes out, a reply comes in', () => {
  const request = run(['generate', 'Compare two cities', '--prompt'])
  assert.deepEqual([request.status, request.stderr], [0, ''])
  assert.match(request.stdout, /^You write transcripts\.[^]*<scenario>\nCompare two cities\n<\/scenario>/)
  const fine = run(['generate', 'Compare two cities', '--response', '-'], { input: good })
  assert.deepEqual([fine.status, fine.stdout, fine.stderr], [0, cities, ''])
  write('reply.txt', slipped)
  const bad = run(['generate', '--response', 'reply.txt'])
  assert.equal(bad.status, 1)
  assert.match(bad.stdout, /^The transcript has problems\.[^]*<problems>\n[^]*unknown role `tol`[^]*ends with the line ```\.\n$/)
  assert.match(bad.stderr, /paste the output/)
  const declined = run(['generate', '--response', '-'], { input: "I can't help with that." })
  assert.deepEqual([declined.status, declined.stdout], [1, ''])
  const cut = run(['generate', '--response', '-'], { input: good.slice(0, good.indexOf('  - "user: Wait')) })
  assert.match(cut.stdout, /^Your reply was cut off/)
})

test('misuse is reported with 2', async () => {
  write('bad.json', '{')
  for (const [args, words] of [
    [[], /needs a description/],
    [['a', 'b'], /takes one description/],
    [['x', '--prompt', '--response', '-'], /cannot be used together/],
    [['x'], /needs `--model`/],
    [['x', '--model', 'm'], /`OPENAI_API_KEY` is not set/],
    [['', '--prompt'], /the description is empty/],
    [['x', '--model', 'm', '--api-key-env', 'NOT_SET'], /variable `NOT_SET` is not set/],
    [['x', '--tools', 'none.json', '--prompt'], /there is no such file/],
    [['x', '--tools', 'bad.json', '--prompt'], /are not JSON/],
    [['-', '--response', '-'], /the description or the response, not both/],
    [['x', '--api-key', 'sk'], /unknown option `--api-key`/],
  ]) {
    const { status, stdout, stderr } = await start(args)
    assert.deepEqual([status, stdout], [2, ''], args.join(' '))
    assert.match(stderr, words)
  }
})
