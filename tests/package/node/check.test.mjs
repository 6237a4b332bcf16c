// Assertions, on recordings and on actual runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { check, checkRun, createRecorder, parse, replay, TranscriptAssertionError } = await load(folder, 'transcript-workbench')

const TEXT = `messages:
  - "user: What's the weather in Rome?"
  - "assistant:call weather(city='Rome')"
  - "tool:weather: {temp: 21}"
  - "assistant: It is 21 degrees."
assertions:
  - {contains: "21"}
  - {type: tool_called, tool: weather, parameters: {city: Rome}}
  - {type: message_count, value: 4}
`

const RUN = {
  messages: [
    { role: 'user', content: "What's the weather in Rome?" },
    { role: 'assistant', tool_calls: [{ id: 'a', name: 'weather', arguments: { city: 'Paris' } }] },
    { role: 'tool', tool_call_id: 'a', name: 'weather', content: { temp: 18 } },
    { role: 'assistant', content: 'It is 18 degrees.' },
  ],
}

test('the assertions of a recording hold of it', () => {
  const reportText = check(TEXT)
  assert.deepEqual([reportText.ok, reportText.passed, reportText.failed, reportText.errors, reportText.rendered], [true, 3, 0, 0, ''])
  assert.deepEqual(
    reportText.outcomes.map(({ type, status }) => [type, status]),
    [
      ['contains', 'passed'],
      ['tool_called', 'passed'],
      ['message_count', 'passed'],
    ],
  )
})

test('what does not hold is reported with evidence that has its place in the file', () => {
  const reportText = check({ text: TEXT.replace('value: 4', 'value: 5').replace('contains: "21"', 'contains: "22"'), file: 'run.yaml' })
  assert.deepEqual([reportText.ok, reportText.failed], [false, 2])
  const [first, , third] = reportText.outcomes
  assert.equal(first.message, '`msg_004` does not contain `22`')
  assert.equal(first.place.line, 7)
  assert.deepEqual([first.evidence[0].message, first.evidence[0].place.line], ['msg_004', 5])
  assert.equal(third.message, 'there are 4 messages, expected 5')
  assert.match(reportText.rendered, /^error\[T503\]: `msg_004` does not contain `22`\n --> run\.yaml:7:5\n/)
  assert.match(reportText.rendered, /= step 3, msg_004 \(run\.yaml:5:5\)/)
})

test('an actual run is held against the file, and its evidence has no place there', () => {
  const reportText = checkRun(TEXT, RUN)
  assert.deepEqual(
    reportText.outcomes.map(({ status }) => status),
    ['failed', 'failed', 'passed'],
  )
  assert.equal(reportText.outcomes[1].evidence[0].place, undefined)
  assert.match(reportText.rendered, /Paris/)
})

test('a run may be in the words of a framework, a document, or another source', () => {
  const prompt = [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Rome' } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'weather', output: { type: 'json', value: { temp: 21 } } }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It is 21 degrees.' }] },
  ]
  assert.equal(checkRun(TEXT, { format: 'ai-sdk', messages: prompt }).ok, true)
  assert.equal(checkRun(TEXT, parse(TEXT)).ok, true)
  assert.equal(checkRun(parse(TEXT), { text: TEXT.replaceAll('21', '22') }).ok, false)
  assert.equal(parse(TEXT).checkRun(RUN).ok, false)
  assert.equal(parse(TEXT).check().ok, true)
})

test('a document that cannot be read whole does not pass', () => {
  const reportText = check('messages: [{usr: Hi}]\nassertions: [{message_count: 1}]')
  // One outcome says so, for a program that only looks for assertions that do not hold.
  assert.deepEqual([reportText.ok, reportText.errors, reportText.outcomes.map(({ status }) => status)], [false, 1, ['error']])
  assert.ok(reportText.diagnostics.length > 0)
})

test('misuse names the call and the path', () => {
  assert.throws(() => check(TEXT, { colour: true }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /check\(\) has no option `colour`; did you mean `color`\?/,
  })
  assert.throws(() => checkRun(TEXT, null), { code: 'ERR_TRANSCRIPT_MISUSE', message: /checkRun\(\) takes a run/ })
  assert.throws(() => checkRun(TEXT, { mesages: [] }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /did you mean `messages`/ })
  const cyclic = { messages: [{ role: 'user', content: {} }] }
  cyclic.messages[0].content.self = cyclic
  assert.throws(() => checkRun(TEXT, cyclic), {
    message: '`messages[0].content.self` of the run is an object that holds itself, which cannot be written as data',
  })
})

test('a property run is held against what the recording asserts', async () => {
  const tape = await replay(TEXT, { mode: 'property' })
  assert.deepEqual(
    tape.expectedToolCalls.map(({ name }) => name),
    ['weather'],
  )
  tape.report(RUN)
  assert.throws(
    () => tape.assertComplete(),
    (error) => {
      assert.ok(error instanceof TranscriptAssertionError)
      assert.equal(error.failed.length, 2)
      assert.match(error.message, /^<text>: 2 of 3 assertions do not hold\n\nerror\[T503\]/)
      return true
    },
  )
  tape.assertToolCalled('weather', { city: 'Paris' })
  tape.assertToolParamsInclude('weather', { city: 'Paris' })
  tape.assertToolParamsInclude({ city: 'Paris' })
  tape.assertToolParamsInclude({})
  assert.throws(
    () => tape.assertToolParamsInclude({ city: 'Rome' }),
    (error) => error instanceof TranscriptAssertionError && /Paris/.test(error.message),
  )
  assert.throws(() => tape.assertToolParamsInclude({ city: { name: 'Paris' } }), TranscriptAssertionError)
  assert.throws(() => tape.assertToolParamsInclude({ city: 'Paris' }, 'weather'), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /takes a tool and parameters, or parameters alone/,
  })
  tape.assertToolNotCalled('search')
  tape.assertToolCallCount(1, 'weather')
  tape.assertToolCallCount({ min: 1, max: 2 })
  tape.assertToolSequence(['weather'])
  tape.assertToolSequence(['search', 'weather'], { mode: 'subset' })
  assert.throws(() => tape.assertToolSequence(['weather'], 'superset'), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /assertToolSequence\(\) takes an object of options/,
  })
  tape.assertFinalResponseContains('18')
  tape.assertContains('18 degrees', { message: 'msg_004' })
  tape.assertContains('18 DEGREES', { message: 'msg_004', ignoreCase: true })
  assert.throws(() => tape.assertContains('18 DEGREES'), TranscriptAssertionError)
  tape.assertNotContains('21')
  tape.assertMatches('\\d+ degrees')
  tape.assertEquals('It is 18 degrees.')
  tape.assertMessageCount(1, 'user')
  tape.assertNoErrors()
  tape.assertJsonPath('temp', 18, { message: 'msg_003' })
  tape.assertExpr('length(messages) == `4`')
  tape.assertVisible('msg_001')
  assert.throws(() => tape.assertToolCalled('weather', { city: 'Rome' }), /tool_called: .*\n.*Paris/)
  assert.throws(() => tape.assertMaxTurns(1), TranscriptAssertionError)
  assert.throws(() => tape.assert('contans', { pattern: 'x' }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /contans/ })
})

test('a property run is reported piece by piece, or by a recorder', async () => {
  const tape = await replay(TEXT, { mode: 'property' })
  assert.throws(() => tape.assertComplete(), { code: 'ERR_TRANSCRIPT_MISUSE', message: /no run to check/ })
  for (const message of RUN.messages) tape.addMessage(message)
  tape.setContext({ city: 'Rome' }).addError(new Error('late'))
  tape.assertContextValue('city', 'Rome')
  assert.throws(() => tape.assertNoErrors(), /late/)
  assert.throws(() => tape.addMessage({ role: 'user', content: 1n }), {
    message: '`content` of the message is a BigInt, which cannot be written as data',
  })

  const recorder = createRecorder()
  recorder.messageAppended({ id: 'm1', role: 'user', content: 'Hi' })
  recorder.modelCalled({ call: 'c1' })
  recorder.modelResponded({ call: 'c1', content: 'It is 21 degrees.' })
  const recorded = await replay(TEXT, { mode: 'property' })
  recorded.report(recorder)
  recorded.assertFinalResponseContains('21')
  assert.throws(() => recorded.addMessage({ role: 'user', content: 'x' }), /reported whole/)
})

test('a recording that asserts nothing holds nothing against a run', async () => {
  const tape = await replay("messages: ['user: Hi', 'assistant: Hello']\n", { mode: 'property' })
  tape.report({ messages: [] })
  assert.throws(() => tape.assertComplete(), { code: 'ERR_TRANSCRIPT_MISUSE', message: /has no assertions to check/ })
  tape.assertMessageCount(0)
  tape.assertComplete()
})

test('what cannot be read is refused when it is added, and the run stays usable', async () => {
  const tape = await replay("messages: ['user: Hi', 'assistant: Hello!']\nassertions: [{type: contains, pattern: Hello}]", {
    mode: 'property',
  })
  for (const invalid of [undefined, null, 5, 'hi', { content: 'x' }]) {
    assert.throws(() => tape.addMessage(invalid), { code: 'ERR_TRANSCRIPT_MISUSE', message: /^(transcript-workbench: )?addMessage\(\)/ })
  }
  assert.throws(() => tape.addToolCall({}), { code: 'ERR_TRANSCRIPT_MISUSE', message: /addToolCall\(\)/ })
  tape.addMessage({ role: 'assistant', content: 'Hello!' })
  tape.assertComplete()
})
