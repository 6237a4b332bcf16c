// What changes between steps, and changed runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { expand, parse, replay, travel, validate } = await load(folder, 'transcript-workbench')

test('what changed between two steps is told both ways', () => {
  const document = parse(weather)
  const on = document.changes(0, 2)
  assert.deepEqual(on.stored.map(({ role }) => role), ['assistant', 'tool'])
  assert.deepEqual([on.from, on.to, on.gone, on.context, on.visibility], ['0', '2', [], [], []])
  assert.deepEqual(document.changes('2', '0').gone.map(({ role }) => role), ['assistant', 'tool'])
  assert.throws(() => document.changes(0, 9), { name: 'RangeError', message: 'there is no step `9`' })
  const changed = parse(`${weather}  - {context: {city: Rome}}\n  - "user: Thanks"\n`)
  assert.deepEqual(changed.changes(3, 4).context, [{ key: 'city', kind: 'added', before: null, after: 'Rome' }])
  assert.throws(() => document.changes(0, -1), { code: 'ERR_TRANSCRIPT_MISUSE' })
})

test('a changed result marks what follows', () => {
  const { ok, holds, marks, text, problem } = travel(weather, { replace_result: { step: 2, result: { temp: 10 } } })
  assert.deepEqual([ok, holds, problem], [true, false, null])
  assert.deepEqual(marks.map(({ step, status }) => [step, status]), [['1', 'kept'], ['2', 'changed'], ['3', 'diverged']])
  assert.equal(validate(text).diagnostics.some(({ severity }) => severity === 'error'), false)
})

test('a fork ends where it is said, and replays', async () => {
  const { text } = travel({ text: weather, file: 'w.yaml' }, [{ fork: { at: '1' } }])
  const { transcript } = expand(text, { format: 'object' })
  assert.equal(transcript.execution.length, 1)
  assert.equal(transcript.metadata.name, 'weather_query_from_1')
  const tape = await replay({ text })
  assert.equal(tape.remainingSteps, 1)
})

test('what cannot be done is told', () => {
  const { ok, text, problem } = travel(weather, [{ skip: { step: 1 } }, { skip: { step: 9 } }])
  assert.deepEqual([ok, text, problem.change], [false, null, 1])
  assert.equal(problem.message, 'there is no step `9`; the run has 3 steps')
  const broken = travel('messages: [', { skip: { step: 1 } })
  assert.deepEqual([broken.ok, broken.problem.change, broken.diagnostics.length > 0], [false, null, true])
  assert.throws(() => travel(weather, { skipp: { step: 1 } }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /did you mean `skip`/ })
  assert.throws(() => travel(weather, { replace_result: { step: 2, result: 1n } }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /`replace_result\.result` of the changes is a BigInt/ })
})
