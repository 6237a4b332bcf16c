// What changes between steps, and changed runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { expand, mock, parse, replay, timeTravel, travel, validate } = await load(folder, 'transcript-workbench')

test('what changed between two steps is reported both ways', () => {
  const document = parse(weather)
  const on = document.changes(0, 2)
  assert.deepEqual(
    on.stored.map(({ role }) => role),
    ['assistant', 'tool'],
  )
  assert.deepEqual([on.from, on.to, on.removed, on.context, on.visibility], ['0', '2', [], [], []])
  assert.deepEqual(
    document.changes('2', '0').removed.map(({ role }) => role),
    ['assistant', 'tool'],
  )
  assert.throws(() => document.changes(0, 9), { name: 'RangeError', code: 'ERR_TRANSCRIPT_MISUSE', message: 'there is no step `9`' })
  const changed = parse(`${weather}  - {context: {city: Rome}}\n  - "user: Thanks"\n`)
  assert.deepEqual(changed.changes(2, 3).context, [{ key: 'city', kind: 'added', before: null, after: 'Rome' }])
  assert.throws(() => document.changes(0, -1), { code: 'ERR_TRANSCRIPT_MISUSE' })
})

test('a changed result marks what follows', () => {
  const { ok, holds, marks, text, problem } = travel(weather, { replace_result: { step: 2, result: { temp: 10 } } })
  assert.deepEqual([ok, holds, problem], [true, false, null])
  assert.deepEqual(
    marks.map(({ step, status }) => [step, status]),
    [
      ['1', 'kept'],
      ['2', 'changed'],
      ['3', 'diverged'],
    ],
  )
  assert.equal(
    validate(text).diagnostics.some(({ severity }) => severity === 'error'),
    false,
  )
})

test('a fork ends where an option says, and replays', async () => {
  const { text } = travel({ text: weather, file: 'w.yaml' }, [{ fork: { at: '1' } }])
  const { transcript } = expand(text, { format: 'object' })
  assert.equal(transcript.execution.length, 1)
  assert.equal(transcript.metadata.name, 'weather_query_from_1')
  const tape = await replay({ text })
  assert.equal(tape.remainingSteps, 1)
})

test('what cannot be done is reported', () => {
  const { ok, text, problem } = travel(weather, [{ skip: { step: 1 } }, { skip: { step: 9 } }])
  assert.deepEqual([ok, text, problem.change], [false, null, 1])
  assert.equal(problem.message, 'there is no step `9`; the run has 3 steps')
  const broken = travel('messages: [', { skip: { step: 1 } })
  assert.deepEqual([broken.ok, broken.problem.change, broken.diagnostics.length > 0], [false, null, true])
  assert.throws(() => travel(weather, { skipp: { step: 1 } }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /did you mean `skip`/ })
  assert.throws(() => travel(weather, { replace_result: { step: 2, result: 1n } }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /`replace_result\.result` of the changes is a BigInt/,
  })
})

/** A signal that aborts soon; unlike those of AbortSignal.timeout() it keeps the test alive. */
const late = () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), 5)
  return controller.signal
}

const model = (context) => (context.lastRole === 'tool' ? `It is ${context.lastResult.temp}°` : 'Hello!')

test('changes are collected, and each makes a run of its own', () => {
  const trip = timeTravel({ text: weather, file: 'w.yaml' })
  const cold = trip.replace(2, { result: { temp: 10 } })
  const gone = cold
    .skip(1)
    .edit('0', 'And now?', { message: 'msg_002' })
    .setContext(1, 'city', 'Rome')
    .setContext(1, 'city')
    .move(2, 1)
    .insert(0, { type: 'message' })
    .fork(3)
    .replace(3, { response: 'x' })
    .replace(2, { error: 'x' })
  assert.deepEqual(trip.changes, [])
  assert.deepEqual(gone.changes, [
    { replace_result: { step: 2, result: { temp: 10 } } },
    { skip: { step: 1 } },
    { edit_message: { step: '0', content: 'And now?', message: 'msg_002' } },
    { set_context: { step: 1, key: 'city', value: 'Rome' } },
    { set_context: { step: 1, key: 'city', unset: true } },
    { move: { step: 2, to: 1 } },
    { insert: { after: 0, turn: { type: 'message' } } },
    { fork: { at: 3 } },
    { replace_response: { step: 3, response: 'x' } },
    { replace_result: { step: 2, error: 'x' } },
  ])
  assert.deepEqual(cold.result(), travel({ text: weather, file: 'w.yaml' }, cold.changes))
  assert.deepEqual(
    cold.diverged.map(({ step, status }) => [step, status]),
    [['3', 'diverged']],
  )
  assert.deepEqual([trip.result().holds, trip.diverged], [true, []])
})

test('what no longer holds is requested anew, and the run replays', async () => {
  const trip = timeTravel(weather).replace(2, { result: { temp: 10 } })
  const { ok, holds, ended, text, marks } = await trip.recompute({ model })
  assert.deepEqual([ok, holds, ended], [true, true, 'done'])
  assert.deepEqual(
    marks.map(({ status }) => status),
    ['kept', 'changed', 'recomputed'],
  )
  assert.equal(expand(text, { format: 'object' }).transcript.execution[2].llm_response.content, 'It is 10°')
  const tape = await replay({ text })
  while (tape.replayNext() !== null);
  tape.assertComplete()
  const mocked = await trip.recompute({ model: mock(mock.conditional().when({ last_role: 'tool' }, 'It is {{ last_result.temp }}')) })
  assert.equal(expand(mocked.text, { format: 'object' }).transcript.execution[2].llm_response.content, 'It is 10')
})

test('tools run that nothing was recorded for', async () => {
  const trip = timeTravel(weather).edit(0, 'Rome?', { message: 'msg_002' })
  const respond = ({ lastRole, lastResult, step }) =>
    lastRole === 'tool'
      ? `${step}: ${JSON.stringify(lastResult)}`
      : { content: null, tool_calls: [{ name: 'weather', arguments: { location: 'Rome' } }] }
  const ran = []
  const tools = {
    weather: async (args, { step, call }) => {
      ran.push([args, step, call.name])
      return { temp: 30 }
    },
  }
  const { holds, text } = await trip.recompute({ model: respond, tools })
  assert.deepEqual([holds, ran], [true, [[{ location: 'Rome' }, '2', 'weather']]])
  assert.equal(expand(text, { format: 'object' }).transcript.execution.at(-1).llm_response.content, '3: {"temp":30}')
  const failing = await trip.recompute({
    model: ({ lastRole }) => (lastRole === 'tool' ? 'Sorry' : respond({ lastRole })),
    tools: { weather: () => 1n },
  })
  assert.equal(expand(failing.text, { format: 'object' }).transcript.execution[1].tool_call.success, false)
  await assert.rejects(trip.recompute({ model: respond, tools: { wether: () => 1 } }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /step 2.*did you mean `wether`/,
  })
  await assert.rejects(trip.recompute(), { code: 'ERR_TRANSCRIPT_MISUSE', message: /at step 1: pass a `model` to recompute\(\)/ })
})

test('a rerun is played step by step, and stops at its limit', async () => {
  const trip = timeTravel(weather).edit(0, 'Rome?', { message: 'msg_002' })
  const rerun = trip.rerun()
  const first = rerun.needs()
  assert.deepEqual([first.kind, first.step, first.origin, first.messages.at(-1).content], ['response', '1', '1', 'Rome?'])
  assert.throws(() => rerun.toolResult(1), { code: 'ERR_TRANSCRIPT_MISUSE', message: /no tool result is needed/ })
  rerun.respond({ tool_calls: [['weather', { location: 'Rome' }]] })
  assert.deepEqual(rerun.needs().call.arguments, { location: 'Rome' })
  rerun.toolError('no such city')
  assert.equal(rerun.needs().messages.at(-1).role, 'tool')
  rerun.respond('Sorry')
  assert.deepEqual(rerun.needs(), { kind: 'nothing', ended: 'done' })
  assert.equal(rerun.finish().holds, true)
  assert.throws(() => rerun.needs(), /has finished/)
  const { ended } = await trip.recompute({ model, maxSteps: 0 })
  assert.equal(ended, 'limit')
  const refused = await timeTravel(weather).skip(9).recompute({ model })
  assert.deepEqual([refused.ok, refused.ended, refused.problem.message], [false, null, 'there is no step `9`; the run has 3 steps'])
  assert.throws(() => trip.rerun({ maxStep: 1 }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /did you mean `maxSteps`/ })
})

test('a model that hangs is freed, and one that fails on purpose fails its step', async () => {
  const trip = timeTravel(weather).replace(2, { result: { temp: 10 } })
  const signal = late()
  await assert.rejects(trip.recompute({ model: () => new Promise(() => {}), signal }), { name: 'TimeoutError' })
  const { text } = await trip.recompute({ model: mock(mock.fail({ type: 'busy', message: 'later' })) })
  assert.equal(expand(text, { format: 'object' }).transcript.execution[2].llm_error.type, 'busy')
  await assert.rejects(
    trip.recompute({
      model: () => {
        throw new RangeError('no')
      },
    }),
    { name: 'RangeError' },
  )
})
