// The commands that listen: serve and record, as programs reach them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startIn } from '../support/listening.mjs'
import { programIn } from '../support/program.mjs'
import { unknownRef } from '../support/samples.mjs'
import { install } from '../support/tarball.mjs'

const folder = install()
const { run, write, read } = programIn(folder)
write('hi.yaml', "messages: ['user: Hi', 'assistant: Hello!']")
write('more/hi.yaml', "messages: ['user: Bye', 'assistant: Goodbye!']")
write('handlers.yaml', 'handlers: {bot: {type: repeat, response: Again!}}\n')
write('bad.yaml', unknownRef)

const start = startIn(folder)

const sendRequest = async (url, content) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-secret-123456' },
    body,
  })
  const report = await response.json()
  return report.error?.message ?? report.choices[0].message.content
}

test('serve answers until it is stopped, and says what became of the callers', async () => {
  const server = await start('serve', 'hi.yaml', 'more', 'handlers.yaml', '--listen', '0')
  assert.equal(await sendRequest(`${server.url}/hi`, 'Hi'), 'Hello!')
  assert.equal(await sendRequest(`${server.url}/more-hi`, 'Bye'), 'Goodbye!')
  assert.equal(await sendRequest(`${server.url}/handlers`, 'Hi'), 'Again!')
  const { code, out, err } = await server.stop()
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^3 transcripts at http:\/\/127\.0\.0\.1:\d+: hi, more-hi, handlers\n/)
  assert.match(out, /\nhi: 1 call\n/)
})

test('serve reports a drift as it happens, and ends with 1', async () => {
  const server = await start('serve', 'hi.yaml', '--listen', '127.0.0.1:0')
  assert.match(await sendRequest(server.url, 'Ho'), /hi\.yaml: step 1/)
  const { code, out, err } = await server.stop('SIGTERM')
  assert.equal(code, 1)
  assert.match(err, /^error: POST \/v1\/chat\/completions was answered with 400: hi\.yaml: step 1.*\n  = help: /)
  assert.match(out, /\nhi: 1 call, left over: 1, diverged\n$/)
})

test('record writes what passed, and it plays', async () => {
  const server = await start('serve', 'hi.yaml', '--listen', '0')
  const recording = await start(
    'record',
    '--upstream',
    server.url,
    '-o',
    'recorded.yaml',
    '--listen',
    '0',
    '--name',
    'greeting',
    '--journal',
    'run.journal',
  )
  assert.equal(await sendRequest(recording.url, 'Hi'), 'Hello!')
  const { code, out } = await recording.stop()
  assert.equal(code, 0)
  assert.match(out, /^recording at http:\S+, forwarding to http:\S+\n1 transcript written: recorded\.yaml\n$/)
  assert.ok(!/sk-secret/.test(read('recorded.yaml') + read('run.journal')))
  assert.match(read('recorded.yaml'), /name: greeting/)
  assert.equal(run(['replay', 'recorded.yaml']).status, 0)
  assert.equal(run(['recover', 'run.journal', '-o', 'recovered.yaml']).status, 0)
  // Only what is saved knows when that was.
  const created = /\n {2}created: "\d{4}-\d\d-\d\dT[^"]+Z"(?=\n)/
  assert.match(read('recorded.yaml'), created)
  assert.equal(readFileSync(join(folder, 'recovered.yaml'), 'utf8'), read('recorded.yaml').replace(created, ''))
  await server.stop()
  const idle = await start('record', '--upstream', 'http://127.0.0.1:9', '-o', 'none.yaml', '--listen', '0')
  const nothing = await idle.stop()
  assert.deepEqual([nothing.code, nothing.err.split('\n')[0]], [1, 'error: no model calls were received, so nothing was written'])
})

test('record says that a file is replaced', async () => {
  write('old.yaml', 'messages: []')
  const recording = await start('record', '--upstream', 'http://127.0.0.1:9', '-o', 'old.yaml', '--listen', '0')
  const { err } = await recording.stop()
  assert.match(err, /^note: `old\.yaml` exists and will be replaced when the recording ends\n/)
  assert.equal(read('old.yaml'), 'messages: []')
})

test('misuse of the commands that listen is 2, and a bad transcript 1', () => {
  for (const [args, words] of [
    [['serve'], /`serve` needs a file or a folder/],
    [['serve', 'none.yaml'], /cannot read `none\.yaml`: there is no such file/],
    [['serve', 'hi.yaml', '--listen', 'a:b:c'], /`--listen` takes HOST:PORT/],
    [['serve', 'hi.yaml', '--listen', '70000'], /`--listen` takes/],
    [['serve', 'hi.yaml', '--port', '70000'], /`--port` takes a number up to 65535/],
    [['serve', 'hi.yaml', '--port', '1', '--listen', '2'], /cannot be used together/],
    [['serve', 'hi.yaml', '--timing', 'fast'], /`--timing` takes/],
    [['record', '-o', 'x.yaml'], /needs the URL of an API/],
    [['record', '--upstream', 'https://api.openai.com'], /needs a file to write to/],
    [['record', '--upstream', 'api.openai.com', '-o', 'x.yaml'], /`--upstream` takes a URL/],
    [['record', '--upstream', 'https://x.invalid', '-o', 'more'], /cannot write `more`: it is a folder/],
    [['record', '--upstream', 'https://x.invalid', '-o', 'hi.yaml/x.yaml'], /cannot write `hi\.yaml\/x\.yaml`: its folder is a file/],
    [['record', 'x.yaml', '--upstream', 'https://x.invalid', '-o', 'x.yaml'], /takes no file/],
  ]) {
    const { status, stderr } = run(args)
    assert.equal(status, 2, `${args.join(' ')}\n${stderr}`)
    assert.match(stderr, words)
  }
  const { status, stderr } = run(['serve', 'bad.yaml'])
  assert.equal(status, 1)
  assert.match(stderr, /error\[T201\]/)
})

test('a port that is taken is reported', async () => {
  const server = await start('serve', 'hi.yaml', '--port', '0')
  const { status, stderr } = run(['serve', 'hi.yaml', '--port', new URL(server.url).port])
  assert.equal(status, 2)
  assert.match(stderr, /is in use\n {2}= help: choose another one with --port/)
  await server.stop()
})
