// The clients for Python against `transcript serve`: at once and streamed.
//
// They are installed into a virtual environment among the tools of the repository when the test first needs them; a
// Python that has them is named by `TRANSCRIPT_CLIENTS`.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { weather } from '../support/recordings.mjs'
import { install, repository } from '../support/tarball.mjs'

const RELEASES = ['openai==3.54.0', 'anthropic==2.12.0']

const pythonWithClients = () => {
  if (process.env.TRANSCRIPT_CLIENTS) return process.env.TRANSCRIPT_CLIENTS
  const home = join(repository, '.tools/python-clients')
  const found = join(home, 'bin/python3')
  const has = spawnSync(found, ['-c', 'import anthropic, openai'])
  if (has.status !== 0) {
    execFileSync(process.env.TRANSCRIPT_PYTHON || 'python3', ['-m', 'venv', '--clear', home])
    execFileSync(found, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...RELEASES])
  }
  return found
}

const folder = install()
writeFileSync(join(folder, 'weather.yaml'), weather)
const client = join(dirname(fileURLToPath(import.meta.url)), 'clients.py')

test('the clients for Python run as recorded, and are told of a drift', async () => {
  const python = pythonWithClients()
  const server = spawn(join(folder, 'node_modules/.bin/transcript'), ['serve', 'weather.yaml', '--listen', '0'], { cwd: folder })
  const ended = once(server, 'exit')
  const said = { out: '', err: '' }
  server.stdout.on('data', (text) => (said.out += text))
  server.stderr.on('data', (text) => (said.err += text))
  try {
    while (!said.out.includes('\n')) await once(server.stdout, 'data')
    const [url] = /http:\S+\d/.exec(said.out)
    const { stdout } = await promisify(execFile)(python, [client, url], { env: { PATH: process.env.PATH } })
    const { drift, ...words } = JSON.parse(stdout)
    assert.deepEqual(Object.keys(words), ['chat', 'chat-stream', 'responses', 'responses-stream', 'messages', 'messages-stream'])
    for (const text of Object.values(words)) assert.equal(text, "It's 72°F and sunny!")
    assert.deepEqual([drift.status, drift.code, drift.param], [400, 'transcript_divergence', 'messages[3].result.temp'])
    assert.match(drift.message, /weather\.yaml: step 3/)
  } finally {
    server.kill('SIGINT')
  }
  const [code] = await ended
  assert.equal(code, 1)
  assert.match(said.err, /error: POST \/@drift\/v1\/chat\/completions was answered with 400: weather\.yaml: step 3/)
  assert.match(said.out, /weather@chat-False: 2 calls\n/)
  assert.match(said.out, /weather@drift: 2 calls, left over: 3, diverged\n/)
})
