// Tests for Python that transcripts are exported as, run by pytest with the client of OpenAI.
//
// Both are installed into a virtual environment among the tools of the repository when the test first needs them; a Python
// that has them is named by `TRANSCRIPT_PYTEST`.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pythonWith } from '../support/python.mjs'
import { install, load } from '../support/tarball.mjs'

const RELEASES = ['openai==3.54.0', 'pytest==9.2.0']

const folder = install()
const { exportTranscript } = await load(folder, 'transcript-workbench')
const python = process.env.TRANSCRIPT_PYTEST || pythonWith('python-pytest', 'import openai, pytest', RELEASES)

const recording = `messages:
  - "system: You are helpful"
  - "user: What's the weather in Zürich? \\"Now\\""
  - "assistant:call weather(city='Zürich')"
  - "tool:weather: {temp: 21}"
  - "assistant: It's 21°C in Zürich."
`

/** Runs a test with pytest, and ends whatever it leaves running: exit code and what it printed. */
const pytest = async (file) => {
  const child = spawn(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  const [status] = await once(child, 'exit')
  try {
    process.kill(-child.pid)
  } catch (error) {
    assert.equal(error.code, 'ESRCH')
  }
  return { status, out }
}

const passes = async (file) => {
  const { status, out } = await pytest(file)
  assert.equal(status, 0, out)
  assert.match(out, /1 passed/)
}

const fails = async (file, reason) => {
  const { status, out } = await pytest(file)
  assert.equal(status, 1, out)
  assert.match(out, /1 failed/)
  assert.match(out, reason)
}

test('a test that has the recording in itself is green, and red when the agent sends something else', async () => {
  const { ok, text, losses } = exportTranscript(recording, { to: 'test-python' })
  assert.deepEqual([ok, losses], [true, []])
  const file = join(folder, 'test_inside.py')
  writeFileSync(file, text)
  await passes('test_inside.py')
  const result = '"content": "{\\"temp\\": 21}"'
  assert.ok(text.includes(result), text)
  writeFileSync(file, text.replace(result, '"content": "{\\"temp\\": 22}"'))
  await fails('test_inside.py', /messages\[3\]/)
})

test('a test that names its recording reads it anew: a changed reply is red, one that is put right is green', async () => {
  mkdirSync(join(folder, 'runs'))
  writeFileSync(join(folder, 'runs/weather.yaml'), recording)
  writeFileSync(join(folder, 'test_beside.py'), exportTranscript(recording, { to: 'test-python', path: 'runs/weather.yaml' }).text)
  await passes('test_beside.py')
  // The agent goes on with what it was answered when the test was written.
  writeFileSync(join(folder, 'runs/weather.yaml'), recording.replace("weather(city='Zürich')", "weather(city='Basel')"))
  await fails('test_beside.py', /Basel|Zürich/)
  writeFileSync(join(folder, 'runs/weather.yaml'), recording)
  await passes('test_beside.py')
})

test('the command line writes such a test, and an agent that stops early fails it', async () => {
  writeFileSync(join(folder, 'weather.yaml'), recording)
  execFileSync(join(folder, 'node_modules/.bin/transcript'), ['convert', 'weather.yaml', '--to', 'test-python', '-o', 'test_cli.py'], {
    cwd: folder,
  })
  await passes('test_cli.py')
  const text = readFileSync(join(folder, 'test_cli.py'), 'utf8')
  writeFileSync(join(folder, 'test_cli.py'), text.replace('for call in CALLS:', 'for call in CALLS[:1]:'))
  await fails('test_cli.py', /assert/)
})
