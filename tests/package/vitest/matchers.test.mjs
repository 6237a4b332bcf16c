// The matchers in the real Vitest.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { messages, project, recording } from '../support/runners.mjs'
import { load } from '../support/tarball.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const { folder, write, read, run } = project(modules, ['vitest', 'vite', 'node', 'typescript', '@vitest'], { type: 'module' })
const { expand, exportTranscript } = await load(folder, 'transcript-workbench')

const vitest = (args, env) => run(join(modules, '.bin/node'), [join(modules, 'vitest/vitest.mjs'), 'run', ...args], env)

const source = (body, more = '') => `
import { expect, test } from 'vitest'
import 'transcript-workbench/vitest'
import { createRecorder, mock, parse, replay } from 'transcript-workbench'
const messages = ${JSON.stringify(messages)}
const saying = (at, content) => messages.map((message, n) => (n === at ? { ...message, content } : message))
const run = { format: 'openai-chat', messages }
${more}
${body}
`

/** What a recording says, or a run in the words of OpenAI. */
const recordingOf = (run) => {
  if (!Array.isArray(run)) return run
  return JSON.stringify({ messages: run.map((message) => shortOf(message, run)) })
}

const nameOf = (id, run) => run.flatMap(({ tool_calls: calls }) => calls ?? []).find((call) => call.id === id).function.name

const shortOf = ({ role, content, tool_calls: calls, tool_call_id: id }, run) => {
  if (role === 'tool') return { tool: nameOf(id, run), result: JSON.parse(content), id }
  if (!calls) return `${role}: ${content}`
  return {
    assistant: content,
    call: calls.map(({ id, function: { name, arguments: provided } }) => ({ id, name, arguments: JSON.parse(provided) })),
  }
}

const passes = (name, body) => {
  write(name, source(body))
  const { status, out } = vitest([name])
  assert.equal(status, 0, out)
}

/** What Vitest says of a test that fails. */
const fails = (name, body, args = [], env = {}) => {
  write(name, source(body))
  const { status, out } = vitest([name, ...args], env)
  assert.equal(status, 1, out)
  return out
}

test('a run follows its recording, whatever it is given as', () => {
  write('a/weather.yaml', recording)
  passes(
    'a/follow.test.js',
    `
test('messages of OpenAI', () => expect(run).toMatchTranscript('weather.yaml'))
test('a URL', () => expect(run).toMatchTranscript(new URL('weather.yaml', import.meta.url)))
test('a transcript', () => expect({ text: ${JSON.stringify(recording)} }).toMatchTranscript('weather.yaml'))
test('the bytes of a file', () => expect(new TextEncoder().encode(${JSON.stringify(recording)})).toMatchTranscript('weather.yaml'))
test('a document', () => expect(parse(${JSON.stringify(recording)})).toMatchTranscript('weather.yaml'))
test('a recorder', async () => {
  const recorder = createRecorder()
  const ids = []
  for (const { role, content } of messages.slice(0, 2)) {
    ids.push(role)
    recorder.messageAppended({ id: role, role, content })
  }
  recorder.modelCalled({ call: 'a', messages: [...ids] })
  recorder.modelResponded({ call: 'a', content: '', tool_calls: [{ id: 'c', name: 'weather', arguments: { city: 'Rome' } }], message: 'asks' })
  recorder.messageAppended({ id: 'asks', role: 'assistant' })
  recorder.toolCalled({ id: 'c', name: 'weather' })
  recorder.toolReturned({ id: 'c', result: { temp: 21 } })
  recorder.messageAppended({ id: 'result', role: 'tool', tool_call_id: 'c' })
  recorder.modelCalled({ call: 'b', messages: [...ids, 'asks', 'result'] })
  recorder.modelResponded({ call: 'b', content: "It's 21°C in Rome.", message: 'answer' })
  recorder.messageAppended({ id: 'answer', role: 'assistant' })
  await expect(recorder).toMatchTranscript('weather.yaml')
})
test('another run does not', () => expect({ ...run, messages: saying(1, 'Hi') }).not.toMatchTranscript('weather.yaml'))
test('what is ignored need not be alike', () =>
  expect({ ...run, messages: saying(1, 'Hi') }).toMatchTranscript('weather.yaml', { ignore: ['messages[1].content'] }))
`,
  )
  assert.equal(read('a/weather.yaml'), recording)
})

test('a run that goes another way is reported with the place, both texts and the remedy', () => {
  write('b/weather.yaml', recording)
  const drifted = fails(
    'b/asked.test.js',
    `test('it', () => expect({ ...run, messages: saying(1, 'Is it warm?') }).toMatchTranscript('weather.yaml'))`,
  )
  assert.match(drifted, /step 1: the request differs from the recording/)
  assert.match(drifted, /at messages\[1\]\.content/)
  assert.match(drifted, /expected: "What's the weather\?"/)
  assert.match(drifted, /actual: {3}"Is it warm\?"/)
  assert.match(drifted, /run the test with -u/)
  const answered = fails(
    'b/answered.test.js',
    `test('it', () => expect({ ...run, messages: saying(4, 'Hot!') }).toMatchTranscript('weather.yaml'))`,
  )
  assert.match(
    answered,
    /step 3: the text of the response differs from the recording\s+expected: "It's 21°C in Rome\."\s+actual: {3}"Hot!"/,
  )
  const short = fails(
    'b/short.test.js',
    `test('it', () => expect({ ...run, messages: messages.slice(0, 3) }).toMatchTranscript('weather.yaml'))`,
  )
  assert.match(short, /1 model call was not made/)
  assert.equal(read('b/weather.yaml'), recording)
})

test('with -u the recording says what the run says, and keeps its comments', () => {
  write('c/weather.yaml', recording)
  write(
    'c/it.test.js',
    source(`test('it', () => expect({ ...run, messages: saying(1, 'Is it warm?') }).toMatchTranscript('weather.yaml'))`),
  )
  assert.equal(vitest(['c/it.test.js', '-u']).status, 0)
  assert.equal(read('c/weather.yaml'), recording.replace("user: What's the weather?", 'user: Is it warm?'))
  assert.equal(vitest(['c/it.test.js']).status, 0)
})

test('with -u also calls, results and messages that come and go are written', () => {
  write('d/weather.yaml', recording)
  const more = [
    ...messages.slice(0, 2),
    { ...messages[2], tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
    { ...messages[3], content: '{"temp":2}' },
    { role: 'assistant', content: "It's 2°C in Oslo." },
    { role: 'user', content: 'And tomorrow?' },
    { role: 'assistant', content: 'I cannot say.' },
  ]
  write('d/it.test.js', source(`test('it', () => expect({ ...run, messages: ${JSON.stringify(more)} }).toMatchTranscript('weather.yaml'))`))
  assert.equal(vitest(['d/it.test.js', '-u']).status, 0)
  const text = read('d/weather.yaml')
  for (const kept of [
    '# How we answer about the weather.',
    '# What our agents are told.',
    '   # as users ask',
    '   # of our own',
    'name: weather',
  ]) {
    assert.ok(text.includes(kept), text)
  }
  assert.match(text, /And tomorrow\?/)
  assert.match(text, /Oslo/)
  assert.equal(vitest(['d/it.test.js']).status, 0)
})

test('with -u parallel calls are changed in any way, and the comments of what stays are kept', () => {
  const call = (id, city) => ({ id, type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } })
  const toolRound = (...cities) => [
    { role: 'assistant', content: '', tool_calls: cities.map((city) => call(`c_${city}`, city)) },
    ...cities.map((city) => ({ role: 'tool', tool_call_id: `c_${city}`, content: `{"city":"${city}"}` })),
  ]
  const head = [{ role: 'user', content: 'Weather?' }]
  const end = [{ role: 'assistant', content: 'Fine.' }]
  const both = toolRound('Rome', 'Oslo')
  const renamed = JSON.parse(JSON.stringify(both).replaceAll('c_', 'd_'))
  const runs = {
    'one call': [...head, ...toolRound('Rome'), ...end],
    'three calls': [...head, ...toolRound('Rome', 'Oslo', 'Bonn'), ...end],
    'another argument': [...head, ...toolRound('Rome', 'Bonn'), ...end],
    'twice the same': [...head, ...both, ...renamed, ...end],
    'an answer before': [...head, { role: 'assistant', content: 'Which?' }, { role: 'user', content: 'Both' }, ...both, ...end],
    'no answer after': [...head, ...both],
    none: [...head, ...end],
  }
  const texts = (messages) =>
    expand(recordingOf(messages), { format: 'object' }).transcript.execution.map(
      ({ message_created: { role, content, tool_calls: calls } }) => [role, content, calls?.map(({ arguments: provided }) => provided)],
    )
  const lines = (cities) =>
    [
      'messages:',
      '  - "user: Weather?"   # as asked',
      ...(cities.length === 0 ? [] : [`  - "assistant:call ${cities.map((city) => `weather(city='${city}')`).join(', ')}"`]),
      ...cities.map((city) => `  - 'tool:weather: {"city":"${city}"}'`),
      '  - "assistant: Fine."   # the end',
      '',
    ].join('\n')
  const body = []
  const reported = []
  for (const [from, cities] of [
    ['two', ['Rome', 'Oslo']],
    ['none', []],
    ['one', ['Oslo']],
  ]) {
    for (const [to, run] of Object.entries(runs)) {
      const name = `${from} to ${to}.yaml`
      write(`k/${name}`, lines(cities))
      reported.push([name, run])
      body.push(
        `test(${JSON.stringify(name)}, () => expect({ ...run, messages: ${JSON.stringify(run)} }).toMatchTranscript(${JSON.stringify(name)}))`,
      )
    }
  }
  write('k/it.test.js', source(body.join('\n')))
  const update = vitest(['k/it.test.js', '-u'])
  assert.equal(update.status, 0, update.out)
  const again = vitest(['k/it.test.js'])
  assert.equal(again.status, 0, again.out)
  for (const [name, run] of reported) {
    const text = read(`k/${name}`)
    assert.match(text, /"user: Weather\?" {3}# as asked\n/, name)
    if (run.at(-1) === end[0]) assert.match(text, /"assistant: Fine\." {3}# the end\n/, name)
    assert.deepEqual(texts(text), texts(run), name)
  }
})

test('with -u keys of our own stay, and what an alias stands for is refused with its line and the way out', () => {
  const own = `places: {home: Rome}   # for people\n${recording}`
  write('l/own.yaml', own)
  write('l/own.test.js', source(`test('it', () => expect({ ...run, messages: saying(4, 'Hot!') }).toMatchTranscript('own.yaml'))`))
  assert.equal(vitest(['l/own.test.js', '-u']).status, 0)
  assert.equal(read('l/own.yaml'), own.replace("It's 21°C in Rome.", 'Hot!'))
  const shared = recording.replace('messages:\n', 'mine: &all\n').replace('assertions:', 'messages: *all\nassertions:')
  write('l/shared.yaml', shared)
  const out = fails(
    'l/shared.test.js',
    `test('it', () => expect({ ...run, messages: saying(4, 'Hot!') }).toMatchTranscript('shared.yaml'))`,
    ['-u'],
  )
  assert.match(out, /shared\.yaml is not changed: small edits cannot make the change, and a new file would lose its comments/)
  assert.match(out, /line 9, `- "assistant: It's 21°C in Rome\."`: the value is shared through an alias/)
  assert.match(out, /help: replace the alias with its value, then edit it; or delete the file, and the next run writes a new one/)
  assert.equal(read('l/shared.yaml'), shared)
})

test('a recording that is missing is written, save in continuous integration', () => {
  write('e/it.test.js', source(`test('it', () => expect(run).toMatchTranscript('new/weather.yaml'))`))
  const inCi = vitest(['e/it.test.js'], { CI: 'true' })
  assert.equal(inCi.status, 1)
  assert.match(inCi.out, /there is no recording .*weather\.yaml; run the test with -u to write it/)
  assert.equal(vitest(['e/it.test.js']).status, 0)
  assert.match(read('e/new/weather.yaml'), /^messages:\n {2}- "system: You are helpful"\n/m)
  assert.equal(vitest(['e/it.test.js'], { CI: 'true' }).status, 0)
})

test('with -u what a run does not know of its recording stays', () => {
  const full = `version: "1.0"
initial_state:
  message_store: [{id: u, role: user, content: Hi}]
execution:
  # The first.
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: u}]
    llm_response: {content: Yes?, finish_reason: stop, model: m-1}   # as always
    message_created: {id: a, role: assistant, content: Yes?}
`
  write('h/run.yaml', full)
  const more = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'Bye' },
    { role: 'assistant', content: 'Bye' },
  ]
  write(
    'h/it.test.js',
    source(`test('it', () => expect({ format: 'openai-chat', messages: ${JSON.stringify(more)} }).toMatchTranscript('run.yaml'))`),
  )
  assert.equal(vitest(['h/it.test.js', '-u']).status, 0)
  const text = read('h/run.yaml')
  assert.ok(text.startsWith(full.trimEnd()), text)
  assert.equal(vitest(['h/it.test.js']).status, 0)
})

test('a run that asks no model is not written over a recording, and images are part of one', () => {
  write('i/weather.yaml', recording)
  const empty = fails('i/empty.test.js', `test('it', () => expect([]).toMatchTranscript('weather.yaml'))`, ['-u'])
  assert.match(empty, /it never calls a model\. If it is a recorder, .* `recordAiSdk\(run\)\.model\(model\)`/)
  const junk = fails('i/junk.test.js', `test('it', () => expect('hello').toMatchTranscript('new.yaml'))`, ['-u'])
  assert.match(junk, /toMatchTranscript\(\) cannot use this run/)
  assert.equal(read('i/weather.yaml'), recording)
  const seen = (data) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Größe?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      ],
    },
    { role: 'assistant', content: 'A cat' },
  ]
  const body = (data) => `test('it', () => expect({ ...run, messages: ${JSON.stringify(seen(data))} }).toMatchTranscript('image.yaml'))`
  passes('i/image.test.js', body('AAAA'))
  passes('i/image.test.js', body('AAAA'))
  assert.match(fails('i/image.test.js', body('BBBB')), /parts|data/)
})

test('a recording in gzip is read and written so', () => {
  write('j/it.test.js', source(`test('it', () => expect(run).toMatchTranscript('weather.yaml.gz'))`))
  assert.equal(vitest(['j/it.test.js']).status, 0)
  assert.equal(vitest(['j/it.test.js'], { CI: 'true' }).status, 0)
  assert.notEqual(read('j/weather.yaml.gz').slice(0, 9), 'messages:')
})

test('a recording that cannot be read is left as it is', () => {
  const broken = 'messages:\n  - "user: Hi\n'
  write('f/weather.yaml', broken)
  const out = fails('f/it.test.js', `test('it', () => expect(run).toMatchTranscript('weather.yaml'))`, ['-u'])
  assert.match(out, /weather\.yaml cannot be replayed, and is not changed/)
  assert.equal(read('f/weather.yaml'), broken)
})

test('what a run did is expected in words', () => {
  passes(
    'g/did.test.js',
    `
test('tools', () => {
  expect(run).toHaveCalledTool('weather', { city: 'Rome' })
  expect(run).not.toHaveCalledTool('weather', { city: 'Oslo' })
  expect(run).not.toHaveCalledTool('search')
  expect(run).toHaveCalledToolTimes('weather', 1)
  expect(run).toHaveCalledToolTimes('weather', { max: 2 })
  expect(run).toHaveCalledTools(['weather'])
  expect(run).toHaveCalledTools(['search', 'weather'], { mode: 'subset' })
  expect(run).not.toHaveCalledTools(['search', 'weather'])
})
test('words', () => {
  expect(run).toHaveFinalResponse('21°C')
  expect(run).not.toHaveFinalResponse('Oslo')
  expect(run).toHaveFinalResponse('ROME', { ignoreCase: true })
  expect(run).not.toHaveFinalResponse('ROME')
  expect(run).toSatisfyAssertion('matches', { pattern: '[0-9]+°C' })
})
test('the rest', () => {
  expect(run).toStayWithinTurns(3)
  expect(run).not.toStayWithinTurns(1)
  expect(run).toRunWithoutErrors()
  expect({ ...run, context: { city: 'Rome' } }).toHaveContext('city', 'Rome')
})
test('a tape', async () => {
  const tape = await replay({ text: ${JSON.stringify(recording)} })
  expect(tape).not.toBeComplete()
  while (tape.replayNext() !== null);
  expect(tape).toBeComplete()
})
`,
  )
  const out = fails('g/fails.test.js', `test('it', () => expect(run).toHaveCalledTool('weather', { city: 'Oslo' }))`)
  assert.match(out, /toHaveCalledTool: .*weather/)
  assert.match(out, /"Oslo"/)
  assert.match(out, /"Rome"/)
  assert.match(
    fails('g/wrong.test.js', `test('it', () => expect(5).toHaveCalledTool('weather'))`),
    /the matcher got a number: pass a recorder, the text of a transcript, or messages/,
  )
  for (const name of ['g/text.test.js', 'g/name.test.js']) {
    const subject = name === 'g/text.test.js' ? 'It is sunny.' : 'weather.yaml'
    assert.match(
      fails(name, `test('it', () => expect('${subject}').toHaveCalledTool('weather'))`),
      new RegExp(`the matcher got the string "${subject}", which is not the text of a transcript: pass a recorder`),
    )
  }
  assert.match(out, /arguments\.city|calls\[0\]/)
  assert.match(out, /expected \{"city":"Oslo"\}, found \{"city":"Rome"\}/)
})

test('an exported test runs as it is', () => {
  const exported = exportTranscript(recording, { to: 'test-vitest' }).text
  write('g/exported.test.js', exported)
  assert.deepEqual(vitest(['g/exported.test.js']).status, 0)
  write('g/idle.test.js', exported.replace('while (tape.replayNext() !== null);', ''))
  const { status, out } = vitest(['g/idle.test.js'])
  assert.equal(status, 1)
  assert.match(out, /the agent sends what was recorded/)
})

test('what is close to a run is refused with the way out', () => {
  const wrong = fails(
    'g/close.test.js',
    `test('a tape', async () => expect(await replay({ text: "messages: ['user: Hi', 'assistant: Hello!']" })).toHaveCalledTool('weather'))
test('a result', () => expect({ text: 'Hi', finishReason: 'stop', steps: [], response: { messages: [] } }).toHaveFinalResponse('Hi'))
test('an asymmetric matcher', () => expect(run).not.toHaveCalledTool('weather', { city: expect.any(String) }))
test('a pattern of an argument', () => expect(run).not.toHaveCalledTool('weather', { city: /Rome/ }))
test('a value of the context', () => expect(run).not.toHaveContext('a', expect.any(Number)))
test('a run with more fields', () => expect({ ...run, finishReason: 'stop', steps: [] }).toRunWithoutErrors())
test('an option', async () => expect(run).toMatchTranscript('g/any.yaml', { compare: ['model'] }))`,
  )
  assert.doesNotMatch(wrong, /FAIL .*a run with more fields/)
  assert.match(wrong, /a tape plays the recording and is no run: pass the recorder/)
  assert.match(wrong, /a result of the AI SDK is no run: pass its recorder, or \{ format: 'ai-sdk'/)
  assert.match(wrong, /messages: \[\.\.\.prompt, \.\.\.result\.responseMessages\] \}/)
  assert.match(wrong, /`city` is an asymmetric matcher, but matchers compare data: leave out an argument that may have any value/)
  assert.match(wrong, /`city` is a regular expression, but matchers compare data/)
  assert.match(wrong, /`value` is an asymmetric matcher/)
  assert.match(wrong, /`compare` of toMatchTranscript\(\) has no `model`; there is: result_order, error_text/)
})

test('a run satisfies the assertions of a transcript, or its own', () => {
  const asserting = recording.replace(/assertions:[^]*/, '')
  const [both, mixed] = [
    'assertions:\n  - {type: tool_called, tool: weather}\n  - {type: contains, pattern: Rome}\n',
    'assertions:\n  - {type: tool_called, tool: weather}\n  - {type: contains, pattern: Oslo}\n',
  ].map((assertions) => asserting + assertions)
  write('m/both.yaml', both)
  write('m/mixed.yaml', mixed)
  passes(
    'm/all.test.js',
    `
test('of a file', () => expect(run).toSatisfyAssertions('both.yaml'))
test('of a URL', () => expect(run).toSatisfyAssertions(new URL('both.yaml', import.meta.url)))
test('of a text', () => expect(run).toSatisfyAssertions({ text: ${JSON.stringify(both)} }))
test('of a document', () => expect(run).toSatisfyAssertions(parse(${JSON.stringify(both)})))
test('its own', () => expect({ text: ${JSON.stringify(both)} }).toSatisfyAssertions())
test('not all', () => expect(run).not.toSatisfyAssertions('mixed.yaml'))
`,
  )
  const failed = fails('m/failed.test.js', `test('it', () => expect(run).toSatisfyAssertions('mixed.yaml'))`)
  assert.match(failed, /toSatisfyAssertions: 1 of 2 do not hold/)
  assert.match(failed, /error\[T503\]: .*Oslo/)
  assert.match(failed, /mixed\.yaml:/)
  const negated = fails('m/negated.test.js', `test('it', () => expect(run).not.toSatisfyAssertions('both.yaml'))`)
  assert.match(negated, /not\.toSatisfyAssertions: all assertions hold\s+tool_called: .*weather.*\s+contains: .*Rome/)
  for (const [nth, [received, source, message]] of [
    ['run', '', /takes a transcript with assertions: this run is data/],
    ['run', `{ text: "messages: ['user: Hi', 'assistant: Hello']" }`, /found no assertions: add `assertions`/],
    ['run', `{ text: 'messages: [' }`, /the assertions cannot be checked\s+error\[T\d+\]/],
    ['run', `'missing.yaml'`, /there is no transcript .*missing\.yaml/],
  ].entries()) {
    for (const not of ['', '.not']) {
      assert.match(fails(`m/wrong-${nth}.test.js`, `test('it', () => expect(${received})${not}.toSatisfyAssertions(${source}))`), message)
    }
  }
})

test('a negated matcher shows what holds, and options are named', () => {
  const negated = fails('n/negated.test.js', `test('it', () => expect(run).not.toHaveCalledTool('weather'))`)
  assert.match(negated, /not\.toHaveCalledTool: .*`weather`.*/)
  const unknown = fails('n/unknown.test.js', `test('it', () => expect(run).toHaveFinalResponse('x', { ignore_case: true }))`)
  assert.match(unknown, /toHaveFinalResponse\(\) has no option `ignore_case`; there is: ignoreCase/)
  const positional = fails('n/positional.test.js', `test('it', () => expect(run).toHaveCalledTools(['weather'], 'subset'))`)
  assert.match(positional, /toHaveCalledTools\(\) takes an object of options/)
})

test('the types are those of the runner', () => {
  write(
    'types.ts',
    `
import { expect } from 'vitest'
import 'transcript-workbench/vitest'
const run = { format: 'openai-chat' as const, messages: [] }
expect(run).toHaveCalledTool('weather', { city: 'Rome' })
expect(run).not.toHaveFinalResponse('x', { ignoreCase: true })
expect(run).toHaveCalledTools(['weather'], { mode: 'subset' })
expect(run).toSatisfyAssertions('weather.yaml')
export const resolved: Promise<void> = expect(Promise.resolve(run)).resolves.toHaveCalledTool('weather')
export const done: Promise<void> = expect(run).toMatchTranscript('weather.yaml', { ignore: ['ids'] })
// @ts-expect-error
expect(run).toHaveCalledTool(5)
`,
  )
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', '']
  assert.deepEqual(run(join(modules, '.bin/tsc'), [...flags, 'types.ts']), { status: 0, out: '' })
})
