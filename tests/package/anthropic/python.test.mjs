// The clients for Python against `transcript serve`: at once and streamed.
//
// They are installed into a virtual environment among the tools of the repository when the test first needs them; a
// Python that has them is named by `TRANSCRIPT_CLIENTS`.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../support/page.mjs'
import { pythonWith } from '../support/python.mjs'
import { weather as readmeWeather } from '../support/readme.mjs'
import { weather } from '../support/recordings.mjs'
import { install } from '../support/tarball.mjs'

const RELEASES = ['openai==3.54.0', 'anthropic==2.12.0']

const pythonWithClients = () => process.env.TRANSCRIPT_CLIENTS || pythonWith('python-clients', 'import anthropic, openai', RELEASES)

const folder = install()
writeFileSync(join(folder, 'weather.yaml'), weather)
const client = join(dirname(fileURLToPath(import.meta.url)), 'clients.py')

/** `transcript serve` of a file: its address, what it says, and its end. */
const serving = async (file) => {
  const server = spawn(join(folder, 'node_modules/.bin/transcript'), ['serve', file, '--listen', '0'], { cwd: folder })
  const ended = once(server, 'exit')
  const output = { out: '', err: '' }
  server.stdout.on('data', (text) => (output.out += text))
  server.stderr.on('data', (text) => (output.err += text))
  while (!output.out.includes('\n')) await once(server.stdout, 'data')
  const [url] = /http:\S+\d/.exec(output.out)
  const stop = async () => {
    server.kill('SIGINT')
    return (await ended)[0]
  }
  return { url, output, stop }
}

test('the clients for Python run as recorded, and get a drift', async () => {
  const python = pythonWithClients()
  const { url, output, stop } = await serving('weather.yaml')
  let code
  try {
    const { stdout } = await promisify(execFile)(python, [client, url], { env: { PATH: process.env.PATH } })
    const { drift, ...texts } = JSON.parse(stdout)
    assert.deepEqual(Object.keys(texts), ['chat', 'chat-stream', 'responses', 'responses-stream', 'messages', 'messages-stream'])
    for (const text of Object.values(texts)) assert.equal(text, "It's 72°F and sunny!")
    assert.deepEqual([drift.status, drift.code, drift.param], [400, 'transcript_divergence', 'messages[3].result.temp'])
    assert.match(drift.message, /weather\.yaml: step 3/)
  } finally {
    code = await stop()
  }
  assert.equal(code, 1)
  assert.match(output.err, /error: POST \/@drift\/v1\/chat\/completions was answered with 400: weather\.yaml: step 3/)
  assert.match(output.out, /weather@chat-False: 2 calls\n/)
  assert.match(output.out, /weather@drift: 2 calls, left over: 3, diverged\n/)
})

test("the README's example in Python runs, and is refused when its question drifts", async () => {
  const python = pythonWithClients()
  writeFileSync(join(folder, 'readme.yaml'), readmeWeather())
  const [program, ...more] = blocksOf('README', 'Python and other languages', 'python')
  assert.deepEqual(more, [])
  const play = async (code) => {
    const { url, output, stop } = await serving('readme.yaml')
    const file = join(folder, 'readme.py')
    writeFileSync(file, code.replace('http://127.0.0.1:4747', url))
    const env = { PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8' }
    const { stdout, stderr } = await promisify(execFile)(python, [file], { env }).catch((error) => error)
    return { code: await stop(), output, stdout, stderr }
  }
  const fine = await play(program)
  assert.deepEqual([fine.code, fine.stdout.trim(), fine.output.err], [0, "It's 72°F and sunny!", ''], fine.stderr)
  const drift = await play(program.replace('NYC', 'Rome'))
  assert.equal(drift.code, 1)
  assert.match(drift.stderr, /BadRequestError: [^]*readme\.yaml: step 1: [^]*messages\[1\]\.content/)
  assert.match(drift.output.err, /was answered with 400: readme\.yaml: step 1/)
})
