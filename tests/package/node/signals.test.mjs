// Calls that wait and are cancelled: before they begin, in their midst, with the reason kept.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { weather } from '../support/samples.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { mock, replay, simulate, timeTravel, verifyDeterminism } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/experimental',
)
const events = readFileSync(join(repository, 'tests/events/samples/nested_recording.json'), 'utf8')
const never = () => new Promise(() => {})
const reason = new Error('enough')

/** Each call with a signal, and with code of the caller's that never answers. */
const CALLS = {
  mock: (signal) => mock(never).call([{ role: 'user', content: 'Hi' }], { signal }),
  simulate: (signal) => simulate({ agents: [{ name: 'bot', mock: never }], steps: [{ op: 'call', content: 'Hi' }] }, { signal }),
  recompute: (signal) =>
    timeTravel("messages: ['user: Hi', 'assistant: Hello!']").edit(0, 'Another question').recompute({ model: never, signal }),
  verifyDeterminism: (signal) => verifyDeterminism(events, { tools: { lookup: never }, timeout: 0, signal }),
}

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} is given up with the reason of the signal`, async () => {
    await assert.rejects(call(AbortSignal.abort(reason)), reason)
    const stop = new AbortController()
    const pending = call(stop.signal)
    setTimeout(() => stop.abort(reason), 20)
    await assert.rejects(pending, reason)
    await assert.rejects(async () => call(5), { code: 'ERR_TRANSCRIPT_MISUSE' })
  })
}

test('replay is given up before it reads a file, and plays on when its signal comes later', async () => {
  writeFileSync(join(folder, 'weather.yaml'), weather)
  const path = join(folder, 'weather.yaml')
  await assert.rejects(replay(path, { signal: AbortSignal.abort(reason) }), reason)
  const stop = new AbortController()
  const pending = replay(path, { signal: stop.signal })
  stop.abort(reason)
  await assert.rejects(pending, reason)
  const late = new AbortController()
  const tape = await replay(path, { signal: late.signal })
  late.abort(reason)
  assert.equal(tape.remainingSteps, 2)
  await assert.rejects(replay(weather, { signal: 'now' }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /`signal` of replay\(\) is an AbortSignal/,
  })
})

test('a proof reports its runs, and ends between them and in a thread of its own', async () => {
  const reported = []
  const { ok } = await verifyDeterminism(events, { runs: 3, onProgress: (progress) => reported.push(progress) })
  assert.equal(ok, true)
  assert.deepEqual(
    reported,
    [0, 1, 2, 3].map((done) => ({ phase: 'run', done, total: 3 })),
  )
  for (const at of [0, 1, 2]) {
    const stop = new AbortController()
    const onProgress = ({ done }) => done === at && stop.abort(reason)
    await assert.rejects(verifyDeterminism(events, { runs: 3, signal: stop.signal, onProgress }), reason)
  }
  await assert.rejects(verifyDeterminism(events, { onProgress: 1 }), { code: 'ERR_TRANSCRIPT_MISUSE' })
  writeFileSync(
    join(folder, 'slow.mjs'),
    `import { isMainThread } from 'node:worker_threads'
    export const lookup = () => (isMainThread ? 1 : new Promise(() => setInterval(() => {}, 1000)))`,
  )
  const stop = new AbortController()
  const onProgress = ({ done }) => done === 1 && setTimeout(() => stop.abort(reason), 300)
  await assert.rejects(verifyDeterminism(events, { tools: join(folder, 'slow.mjs'), timeout: 0, signal: stop.signal, onProgress }), reason)
})
