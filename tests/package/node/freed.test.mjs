// What holds memory of the module can be freed, by hand and by `using`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { transform } from 'esbuild'
import { weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { createRecorder, mock, parse, replay, timeTravel } = await load(folder, 'transcript-workbench')
const request = { format: 'canonical', messages: [] }

/** Each kind of object, its calls, and the words in which it refuses that when it was freed. */
const KINDS = [
  ['a document', () => parse(weather), (it) => it.ok, /^this document has been freed$/],
  ['the steps of a document', () => parse(weather), (it) => it.steps, /^this document has been freed$/],
  ['a tape', () => replay({ text: weather }), (it) => it.remainingSteps, /^this tape has been freed$/],
  ['a request', () => replay({ text: weather }), (it) => it.request(request), /^this tape has been freed$/],
  ['an agent of a tape', () => replay({ text: weather }), (it) => it.session().request(request), /^this tape has been freed$/],
  ['the state of a tape', () => replay({ text: weather }), (it) => it.state(1), /^this tape has been freed$/],
  ['a rehearsal', () => replay({ text: weather }), (it) => it.replayNext(), /^this tape has been freed$/],
  ['tools', () => replay({ text: weather }, { mode: 'mocked-tools' }), (it) => it.leftover, /^this tape has been freed$/],
  ['properties', () => replay({ text: weather }, { mode: 'property' }), (it) => it.report({ messages: [] }), /^this tape has been freed$/],
  ['a mock', () => mock('Hi'), (it) => it.callCount, /^this mock model has been freed$/],
  ['a function', () => mock(() => 'Hi'), (it) => it.snapshot(), /^this mock model has been freed$/],
  ['a rerun', () => timeTravel(weather).rerun(), (it) => it.needs(), /^this rerun has been freed$/],
  ['a recorder', () => createRecorder({ name: 'x' }), (it) => it.finish(), /^this recorder has been freed$/],
]

for (const [name, make, use, words] of KINDS) {
  test(`${name}: what was freed says so, and may be freed again`, async () => {
    const freed = await make()
    freed.free()
    freed.free()
    assert.throws(() => use(freed), { message: words, code: 'ERR_TRANSCRIPT_MISUSE' })
    const disposed = await make()
    disposed[Symbol.dispose]()
    assert.throws(() => use(disposed), { message: words, code: 'ERR_TRANSCRIPT_MISUSE' })
  })
}

test('a recorder that was freed does not fail the run', () => {
  const reported = []
  const recorder = createRecorder({ name: 'x', onProblem: (problem) => reported.push(problem.message) })
  recorder[Symbol.dispose]()
  recorder.messageAppended({ id: 'm1', role: 'user', content: 'Hi' })
  assert.deepEqual(reported, ['the recorder was freed before this fact, which is not recorded'])
})

test('a recorder that was freed saves nothing, and a finished rerun is at its end', async () => {
  const recorder = createRecorder({ name: 'x' })
  recorder.free()
  await assert.rejects(recorder.save(join(folder, 'freed.yaml')), {
    message: 'this recorder has been freed',
    code: 'ERR_TRANSCRIPT_MISUSE',
  })
  const rerun = timeTravel("messages: ['user: a', 'assistant: b']").replace(1, { response: 'c' }).rerun()
  while (rerun.needs().kind === 'response') rerun.respond('d')
  rerun.finish()
  assert.throws(() => rerun.needs(), { message: 'this rerun has finished', code: 'ERR_TRANSCRIPT_MISUSE' })
})

test('a call of a mock that was freed is refused', async () => {
  const model = mock('Hi')
  model.free()
  await assert.rejects(model.call([{ role: 'user', content: 'Hi' }]), /this mock model has been freed/)
})

/** What a program with `using` prints, in a runtime that may not know the word. */
const printed = async (name, code) => {
  const compiled = await transform(code, { target: 'es2022', format: 'esm' })
  writeFileSync(join(folder, name), compiled.code)
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' }).trim()
}

test('`using` frees at the end of a block', async () => {
  const answer = await printed(
    'using.mjs',
    `
    import { mock, parse } from 'transcript-workbench'
    let outside
    {
      using model = mock('Hi')
      using document = parse("messages: ['user: Hi']")
      console.log((await model.call([{ role: 'user', content: 'Hi' }])).content, document.ok)
      outside = document
    }
    try { outside.ok } catch (error) { console.log(error.message) }`,
  )
  assert.equal(answer, 'Hi true\nthis document has been freed')
})

test('a runtime without `Symbol.dispose` has `free()`', async () => {
  const answer = await printed(
    'older.mjs',
    `
    const ours = Symbol
    const older = (text) => ours(text)
    const gone = ['dispose', 'asyncDispose', 'length', 'name', 'prototype']
    for (const name of Object.getOwnPropertyNames(ours)) if (!gone.includes(name)) older[name] = ours[name]
    globalThis.Symbol = older
    const { parse } = await import('transcript-workbench')
    const document = parse("messages: ['user: Hi']")
    document.free()
    const names = [...Object.getOwnPropertyNames(document), ...Object.getOwnPropertyNames(Object.getPrototypeOf(document))]
    console.log(typeof Symbol.dispose, names.includes('free'), names.includes('undefined'))`,
  )
  assert.equal(answer, 'undefined true false')
})
