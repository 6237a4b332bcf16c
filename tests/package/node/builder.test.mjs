// Transcripts that a program writes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { TranscriptBuilder, expand, replay, transcript, validate } = await load(folder, 'transcript-workbench')

/** The seed's Example 2. */
const example = () =>
  transcript('weather_query', { created: '2025-01-13T10:30:00Z' })
    .withConfig({ model: 'gpt-4', temperature: 0.7 })
    .withTools('weather', 'search')
    .withContext({ user_name: 'Alice', location: 'NYC' })
    .withSystemMessage('You are a helpful weather assistant')
    .withUserMessage("What's the weather?")
    .thenLlmResponds("I'll check the weather for you", {
      toolCalls: [{ id: 'call_001', function: { name: 'weather', arguments: '{"location": "NYC"}' } }],
    })
    .thenToolExecutes({ tool: 'weather', parameters: { location: 'NYC' }, result: { temp: 72, condition: 'sunny' } })
    .thenLlmResponds("It's 72°F and sunny in NYC!")
    .withAssertion('contains', { message: 'msg_005', pattern: '72°F' })
    .withAssertion('tool_called', { tool: 'weather' })

test('Example 2 of the seed is what a recorder would write', () => {
  const expected = expand(readFileSync(join(repository, 'tests/authoring/example_2.yaml'), 'utf8'), { format: 'object' })
  assert.equal(expected.ok, true)
  assert.deepEqual(example().build(), expected.transcript)
  assert.deepEqual(validate(example().toYaml()), { ok: true, diagnostics: [] })
})

test('what is built can be replayed', async () => {
  const tape = await replay({ text: example().toYaml() })
  assert.deepEqual([tape.remainingSteps, tape.initialContext.user_name], [2, 'Alice'])
})

test('every way to begin is the same builder; a date is taken as its time', () => {
  const created = new Date('2025-01-13T10:30:00.000Z')
  for (const begun of [transcript('x', { created }), new TranscriptBuilder('x', { created })]) {
    assert.ok(begun instanceof TranscriptBuilder)
    assert.equal(begun.withUserMessage('Hi').build().metadata.created, created.toISOString())
  }
})

test('everything that a builder offers is clean', () => {
  const inner = transcript('inner').withUserMessage('Sky?').thenLlmResponds('Clear.').build()
  const built = transcript('all')
    .withMetadata({ description: 'everything', tags: ['a'] })
    .withTools(['a', { name: 'b' }], 'ask')
    .withDeveloperMessage('Be brief')
    .withMessage({ role: 'system', content: 'not for the model', hidden: true })
    .withUserMessage({ content: 'Hi' })
    .thenLlmResponds({
      toolCalls: [
        { name: 'a', arguments: { x: 1 } },
        { name: 'b', arguments: {} },
        { name: 'ask', arguments: { query: 'Sky?' } },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    })
    .thenContext({ calls: 3 })
    .thenToolFails({ tool: 'b', parameters: {}, error: 'no network' })
    .thenToolExecutes({ tool: 'a', parameters: { x: 1 }, result: [1, 'two'] })
    .thenNestedRun({ tool: 'ask', parameters: { query: 'Sky?' }, agentId: 'sky_001', response: 'Clear.', transcript: inner })
    .thenShows('msg_002')
    .thenUserSays('And?')
    .thenLlmFails({ type: 'overloaded', message: 'try again' })
    .thenMessage({ role: 'developer', content: 'Answer now' })
    .thenLlmResponds('Clear.')
    .thenHides(['msg_001'])
    .thenContextRemoved('calls')
    .withAssertion({ type: 'tool_called', tool: 'a' })
    .build()
  assert.deepEqual(validate(JSON.stringify(built)).diagnostics, [])
  assert.equal(built.execution[3].tool_call.result.nested_transcript.metadata.name, 'inner')
  assert.deepEqual(built.final_state.context, {})
})

test('every step at fault is reported, with its number and its remedy', () => {
  const wrong = transcript('x')
    .withUserMessage('Hi')
    .thenToolExecutes({ tool: 'search', result: 1 })
    .thenLlmResponds('a', { toolCall: [] })
    .withAssertion('contains', { message: 'msg_001', pattern: 'Hi' })
  for (const end of [() => wrong.build(), () => wrong.toYaml()]) {
    assert.throws(end, (error) => {
      assert.equal(error.name, 'TypeError')
      assert.deepEqual(
        error.problems.map(({ step, method }) => [step, method]),
        [
          [2, 'thenToolExecutes'],
          [3, 'thenLlmResponds'],
        ],
      )
      assert.deepEqual(Object.keys(error.problems[0]).sort(), ['help', 'message', 'method', 'step'])
      assert.match(
        error.message,
        /^the transcript `x` cannot be built:\n {2}step 2, thenToolExecutes\(\): there is no open call to `search`; .*\n {2}step 3, thenLlmResponds\(\): .*`toolCall`.*did you mean `toolCalls`\?$/,
      )
      return true
    })
  }
  assert.throws(() => transcript(5), { name: 'TypeError', message: /the name of a transcript is a string/ })
})

test('problems says what the rules find, by the step that it comes from', () => {
  assert.deepEqual(example().problems(), [])
  const open = transcript('x')
    .withUserMessage('Hi')
    .thenLlmResponds('', { toolCalls: [{ name: 'search', arguments: {} }] })
    .thenLlmResponds('Fine.')
    .withAssertion('contains', { message: 'msg_009', pattern: 'Fine' })
  const reported = open.problems().filter(({ severity }) => severity === 'error')
  assert.deepEqual(
    reported.map(({ step, method, code }) => [step, method, code]),
    [
      [2, 'thenLlmResponds', 'T204'],
      [4, 'withAssertion', 'T201'],
    ],
  )
  assert.equal(open.build().execution.length, 2)
  const [wrong] = transcript('x').thenToolExecutes({ tool: 'y' }).problems()
  assert.deepEqual([wrong.step, wrong.code, wrong.severity], [1, null, 'error'])
})

test('save writes YAML, or JSON by the name, into folders that it makes', async () => {
  const yaml = join(folder, 'new/deep/run.yaml')
  assert.equal(await example().save(yaml), yaml)
  assert.equal(readFileSync(yaml, 'utf8'), example().toYaml())
  const json = pathToFileURL(join(folder, 'other/run.json'))
  await example().save(json)
  assert.deepEqual(JSON.parse(readFileSync(json, 'utf8')), example().build())
  await assert.rejects(transcript('x').thenToolExecutes({ tool: 'y' }).save(join(folder, 'none.yaml')), TypeError)
  assert.throws(() => readFileSync(join(folder, 'none.yaml')), { code: 'ENOENT' })
})

test('a saved file has a time of creation, and a name', async () => {
  const path = join(folder, 'hello.yaml')
  const metadata = async (builder) => {
    await builder.withUserMessage('Hi').save(path)
    return expand(readFileSync(path, 'utf8'), { format: 'object' }).transcript.metadata
  }
  const clock = () => Date.UTC(2025, 0, 13, 10, 30)
  const [created, own] = ['2025-01-13T10:30:00.000Z', '2024-01-01T00:00:00Z']
  assert.deepEqual(await metadata(transcript('greeting', { clock })), { name: 'greeting', author: 'builder', created })
  assert.deepEqual(await metadata(transcript('', { clock })), { name: 'hello', author: 'builder', created })
  assert.equal((await metadata(transcript('x', { created: own, clock }))).created, own)
  assert.equal((await metadata(transcript('x', { clock }).withMetadata({ created: own }))).created, own)
  const begin = Date.now()
  const now = Date.parse((await metadata(transcript('x'))).created)
  assert.ok(now >= begin && now <= Date.now())
  assert.equal('created' in transcript('x', { clock }).build().metadata, false)
  assert.throws(() => transcript('x', { clock: 5 }), {
    name: 'TypeError',
    message: /`clock` of a transcript is a function, but got a number/,
  })
})

test('a tool is given by position, and what would be lost is refused', () => {
  const run = (second) => second(transcript('x').thenLlmResponds('', { toolCalls: [{ name: 'w' }] })).build()
  const byPosition = run((begun) => begun.thenToolExecutes('w', {}, { temp: 1 }))
  assert.deepEqual(
    byPosition,
    run((begun) => begun.thenToolExecutes({ tool: 'w', parameters: {}, result: { temp: 1 } })),
  )
  assert.throws(() => transcript('x', { creatd: 'z' }), /no option `creatd`/)
  assert.throws(() => transcript('x').thenUserSays('a', 'b'), /thenUserSays\(\) takes one argument, not 2/)
  assert.throws(
    () =>
      transcript('x')
        .withUserMessage('a')
        .withConfig({ a: [1n] }),
    /step 2, withConfig\(\): a bigint/,
  )
  assert.throws(() => transcript('x').withConfig({ a: NaN }), /step 1, withConfig\(\): NaN/)
  assert.throws(() => transcript('x', { created: new Date('z') }), /created: a date that is none/)
})
