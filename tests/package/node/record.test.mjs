// Recorders and journals.
import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { createRecorder, expand, recover, replay, validate } = await load(folder, 'transcript-workbench')

const record = (recorder) => {
  recorder.messageAppended({ id: 'm1', role: 'user', content: 'The weather in Rome?' })
  recorder.modelCalled({ call: 'c1', messages: ['m1'] })
  recorder.modelResponded({ call: 'c1', tool_calls: [{ id: 't1', name: 'weather', arguments: { city: 'Rome' } }] })
  recorder.messageAppended({
    id: 'm2',
    role: 'assistant',
    call: 'c1',
    tool_calls: [{ id: 't1', name: 'weather', arguments: { city: 'Rome' } }],
  })
  recorder.toolCalled({ id: 't1', name: 'weather', arguments: { city: 'Rome' } })
  recorder.toolReturned({ id: 't1', result: { temp: 21 } })
  recorder.messageAppended({ id: 'm3', role: 'tool', tool_call_id: 't1' })
  recorder.modelCalled({ call: 'c2', messages: ['m1', 'm2', 'm3'] })
  recorder.observe({ fact: 'model_responded', call: 'c2', content: 'It is 21 degrees.' })
  recorder.messageAppended({ id: 'm4', role: 'assistant', call: 'c2', content: 'It is 21 degrees.' })
  return recorder
}

test('what is observed becomes a transcript that replays', async () => {
  const recorder = record(createRecorder({ name: 'weather' }))
  const { text, transcript, problems, files } = recorder.finish()
  assert.deepEqual([problems, files, recorder.problems], [[], [], []])
  assert.deepEqual(
    transcript.execution.map(({ type }) => type),
    ['llm_call', 'tool_call', 'llm_call'],
  )
  assert.equal(validate(text).ok, true)
  const tape = await replay({ text })
  while (tape.replayNext() !== null);
  tape.assertComplete()
})

test('it is saved, with a journal next to it', async () => {
  const journal = join(folder, 'run.journal')
  const recorder = record(createRecorder({ name: 'weather', created: '2025-01-13T10:30:00Z', journal }))
  const path = await recorder.save(join(folder, 'runs/weather.yaml'))
  assert.equal(readFileSync(path, 'utf8'), recorder.finish().text)
  const recovered = recover(readFileSync(journal), { name: 'weather' })
  assert.deepEqual([recovered.facts, recovered.truncatedLine, recovered.lines, recovered.text], [10, null, [], recorder.finish().text])
})

test('a saved file has a name and a time of creation, which are those of its own where none are set', async () => {
  let second = 0
  const clock = () => new Date(Date.UTC(2025, 0, 13, 10, 30, second++))
  const heading = async (recorder, path) => {
    const { name, created } = expand(readFileSync(await recorder.save(path)), { format: 'object' }).transcript.metadata
    return [name, created]
  }
  const recorder = record(createRecorder({ clock }))
  const first = `2025-01-13T10:30:${second}.000Z`
  assert.deepEqual(await heading(recorder, join(folder, 'named/by.file.yaml')), ['by.file', first])
  // It is the same recording when it is saved again, and has what the file says nowhere else.
  assert.deepEqual(await heading(recorder, pathToFileURL(join(folder, 'named/a b.json.gz'))), ['a b', first])
  assert.deepEqual(Object.keys(recorder.finish().transcript.metadata), ['author'])
  const own = record(createRecorder({ name: 'weather', created: '2024-01-01T00:00:00Z', clock }))
  assert.deepEqual(await heading(own, join(folder, 'own.yaml')), ['weather', '2024-01-01T00:00:00Z'])
  const metadata = { name: 'meta', created: '2023-01-01T00:00:00Z' }
  assert.deepEqual(await heading(record(createRecorder({ metadata, clock })), join(folder, 'meta.yaml')), ['meta', metadata.created])
  const compact = record(createRecorder({ compact: true, clock: () => '2025-01-13T10:30:00Z' }))
  assert.deepEqual(await heading(compact, join(folder, 'compact.yaml')), ['compact', '2025-01-13T10:30:00Z'])
  // Without a clock it is the time of saving.
  const begin = Date.now()
  const [, created] = await heading(record(createRecorder()), join(folder, 'now.yaml'))
  assert.ok(Date.parse(created) >= begin && Date.parse(created) <= Date.now(), created)
  // A clock that fails does not keep the run from being saved.
  const broken = record(
    createRecorder({
      clock: () => {
        throw new Error('stopped')
      },
    }),
  )
  assert.deepEqual(await heading(broken, join(folder, 'broken.yaml')), ['broken', undefined])
  assert.match(broken.problems.at(-1).message, /the clock failed: stopped/)
})

test('a journal that was cut anywhere gives its whole facts', () => {
  const lines = []
  record(createRecorder({ onJournal: (line) => lines.push(line) }))
  const bytes = new TextEncoder().encode(lines.join(''))
  // The line before the facts is none.
  const head = lines[0].length
  const ends = lines.slice(1).map((_, at) => head + lines.slice(1, at + 2).join('').length)
  for (let at = 0; at <= bytes.length; at += 1) {
    const { facts, lines: problemLines } = recover(bytes.subarray(0, at))
    // A line is whole without its line break, too.
    assert.equal(facts, ends.filter((end) => end - 1 <= at).length, `cut at ${at}`)
    assert.deepEqual(problemLines, [])
  }
})

test('a journal that two runs write to holds both, with what each was recorded as', () => {
  const journal = join(folder, 'twice.journal')
  const options = { config: { model: 'gpt-4' }, context: { city: 'Rome' }, serializer: 'python', journal }
  const first = record(createRecorder({ ...options, name: 'first', recording: 'a' })).finish().text
  // The first was cut off within a line.
  appendFileSync(journal, '{"v":1,"seq":11,"fact":"mess')
  const second = record(createRecorder({ ...options, name: 'second' })).finish().text
  const bytes = readFileSync(journal)
  const last = recover(bytes)
  assert.deepEqual([last.text, last.recording, last.truncatedLine, last.lines, last.facts], [second, 2, null, [], 10])
  assert.deepEqual(
    last.recordings.map(({ name, facts, line }) => [name, facts, line]),
    [
      ['first', 10, 1],
      ['second', 10, 13],
    ],
  )
  assert.equal(typeof last.recordings[1].id, 'string')
  for (const recording of [1, 'a'])
    assert.deepEqual([recover(bytes, { recording }).text, recover(bytes, { recording }).truncatedLine], [first, 12])
  assert.equal(recover(bytes, { name: 'third' }).transcript.metadata.name, 'third')
  assert.throws(() => recover(bytes, { recording: 3 }), { code: 'ERR_TRANSCRIPT_MISUSE', message: /no recording `3`/ })
})

test('functions word results whichever fact of a call comes first, whatever other options there are', () => {
  const facts = [
    { fact: 'tool_called', id: 't1', name: 'weather', arguments: { city: 'Rome' } },
    { fact: 'tool_returned', id: 't1', result: { temp: 21 } },
    { fact: 'message_appended', id: 'm3', role: 'tool', toolCallId: 't1' },
    { fact: 'model_responded', call: 'c1', toolCalls: [{ id: 't1', function: { name: 'weather', arguments: '{"city":"Rome"}' } }] },
  ]
  const orders = (left) =>
    left.length === 0 ? [[]] : left.flatMap((fact) => orders(left.filter((other) => other !== fact)).map((rest) => [fact, ...rest]))
  const weather = ({ temp }) => `${temp} degrees`
  const texts = new Set()
  for (const order of [...orders(facts), ...orders(facts.filter(({ fact }) => fact !== 'tool_called'))]) {
    for (const options of [
      { serializers: { weather, other: 'text' }, serializer: 'python' },
      { serializer: 'python', serializers: { other: 'text', weather } },
    ]) {
      const lines = []
      const recorder = createRecorder({ ...options, onJournal: (line) => lines.push(line) })
      recorder.messageAppended({ id: 'm1', role: 'user', content: '?' })
      recorder.modelCalled({ call: 'c1', messages: ['m1'] })
      recorder.messageAppended({ id: 'm2', role: 'assistant', call: 'c1' })
      for (const fact of order) recorder.observe(fact)
      const { text, problems } = recorder.finish()
      assert.deepEqual(problems, [])
      texts.add(text)
      // The words are in the journal: whoever recovers needs no function.
      assert.equal(recover(lines.join('')).text, text)
    }
  }
  assert.equal(texts.size, 1)
  assert.match([...texts][0], /content: "21 degrees"/)
})

test('proxies, cycles and clocks that go back are recorded as far as they can be', () => {
  const recorder = createRecorder({
    clock: (() => {
      let now = 9e11
      return () => (now -= 1000)
    })(),
  })
  const honest = new Proxy({ id: 'm1', role: 'user', content: '?' }, {})
  const deaf = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('no keys')
      },
    },
  )
  const { proxy: revoked, revoke } = Proxy.revocable({}, {})
  revoke()
  assert.deepEqual([recorder.messageAppended(honest), recorder.messageAppended(deaf), recorder.observe(revoked)], [1, 0, 0])
  assert.equal(recorder.problems.length, 2)
  assert.match(recorder.problems[0].message, /^reading a fact failed: no keys$/)
  const cycle = { list: [] }
  cycle.list.push(cycle)
  recorder.modelCalled({ call: 'c1', messages: ['m1'] })
  recorder.modelResponded({ call: 'c1', tool_calls: [{ id: 't1', name: 'weather', arguments: cycle }] })
  recorder.toolCalled({ id: 't1', name: 'weather', arguments: cycle })
  recorder.toolReturned({
    id: 't1',
    result: new Proxy(
      {
        temp: 21,
        get self() {
          return cycle
        },
      },
      {},
    ),
  })
  recorder.messageAppended({ id: 'm3', role: 'tool', tool_call_id: 't1' })
  assert.ok(recorder.problems.slice(2).every(({ message }) => /holds itself, which cannot be recorded$/.test(message)))
  const { text, transcript } = recorder.finish()
  assert.equal(validate(text).ok, true)
  assert.equal(transcript.execution[1].tool_call.result.temp, 21)
  assert.deepEqual(
    transcript.execution.map(({ type }) => type),
    ['llm_call', 'tool_call'],
  )
})

test('what comes wrongly is reported and never thrown', () => {
  const reported = []
  const recorder = createRecorder({ onProblem: (problem) => reported.push(problem.message) })
  recorder.modelResponded({ call: 'none', content: 'x' })
  recorder.observe({ fact: 'model_caled' })
  const cyclic = {}
  cyclic.self = cyclic
  recorder.messageAppended({ id: 'm1', role: 'user', content: cyclic })
  assert.match(reported[0], /model_caled/)
  assert.equal(reported[1], '`content.self` is an object that holds itself, which cannot be recorded')
  assert.equal(recorder.problems.length, 2)
  // Its call might still have been reported.
  const { problems, transcript } = recorder.finish()
  assert.ok(problems.some(({ message }) => message === 'unknown model call `none`'))
  assert.equal(transcript.initial_state.message_store.length, 1)
})

test('code of the host that fails does not reach the run', () => {
  const recorder = createRecorder({
    onJournal: () => {
      throw new Error('disk full')
    },
    serializers: {
      weather: () => {
        throw new Error('no words')
      },
    },
  })
  record(recorder)
  const reported = recorder.problems.map(({ message }) => message)
  assert.ok(reported.includes('writing the journal failed: disk full') && reported.includes('the serializer of `weather` failed: no words'))
  assert.equal(recorder.finish().transcript.execution.length, 3)
})

test('nothing that goes wrong reaches the run or loses a fact that can be read', () => {
  for (const clock of [
    () => NaN,
    () => {
      throw new Error('no time')
    },
    () => ({
      valueOf() {
        throw new Error('x')
      },
    }),
  ]) {
    const recorder = record(
      createRecorder({
        clock,
        onProblem: () => {
          throw new Error('deaf')
        },
      }),
    )
    assert.equal(recorder.finish().transcript.execution.length, 3)
    assert.match(recorder.problems[0].message, /^the clock failed: /)
    assert.match(recorder.problems[1].message, /^the function `onProblem` failed: deaf$/)
  }
  const recorder = createRecorder()
  const hostile = {
    get id() {
      throw new Error('hands off')
    },
  }
  assert.deepEqual([recorder.messageAppended(hostile), recorder.observe(hostile), recorder.observe(null)], [0, 0, 0])
  recorder.messageAppended({ id: 'm1', role: 'user', content: 12n })
  recorder.free()
  recorder.free()
  assert.equal(recorder.messageAppended({ id: 'm2', role: 'user', content: 'late' }), 0)
  assert.match(recorder.problems.at(-1).message, /the recorder was freed/)
})

test('a message of a long list that was changed unseen is a problem, reported once', () => {
  const play = (change, after = () => {}, requests = false) => {
    const reported = []
    const recorder = createRecorder({ onProblem: (problem) => reported.push(problem) })
    const messages = []
    for (let at = 0; at < 300; at += 1) {
      messages.push({ role: 'user', content: `q${at}` })
      recorder.messageAppended({ id: `u${at}`, role: 'user', content: `q${at}` })
      if (at === 299) change(messages)
      recorder.modelCalled({ call: `c${at}`, ...(requests ? { request: { format: 'canonical', messages } } : { messages }) })
      recorder.modelResponded({ call: `c${at}`, content: `a${at}` })
      recorder.messageAppended({ id: `a${at}`, role: 'assistant', content: `a${at}` })
      messages.push({ role: 'assistant', content: `a${at}` })
    }
    after(messages)
    const { problems } = recorder.finish()
    assert.deepEqual(recorder.finish().problems, problems)
    assert.deepEqual([recorder.problems, reported], [problems, problems])
    return problems.map(({ message }) => message)
  }
  const inPlace = (messages) => {
    messages[10].content = 'Another'
  }
  const words = 'call `c299`: `messages[10]` was changed after it was reported, and is recorded as it was'
  assert.deepEqual(play(inPlace), [words])
  assert.deepEqual(
    play(inPlace, () => {}, true),
    [words],
  )
  assert.deepEqual(
    play(() => {}),
    [],
  )
  assert.deepEqual(
    play(
      () => {},
      (messages) => messages.splice(0),
    ),
    [],
  )
})

test('the options of the seed are there', () => {
  const words = record(createRecorder({ serializers: { weather: ({ temp }) => `${temp} degrees` } })).finish()
  assert.ok(words.text.includes('21 degrees'))
  const python = record(createRecorder({ serializer: 'python' })).finish()
  assert.ok(python.text.includes("{'temp': 21}"))
  const times = record(createRecorder({ clock: () => new Date(0) })).finish()
  assert.ok(times.text.includes('1970-01-01T00:00:00'))
  const dropped = record(createRecorder({ includeUlids: false })).finish()
  assert.ok(dropped.text.includes('msg_001'))
  assert.equal(record(createRecorder({ compact: true, includeUlids: false })).finish().isCompact, true)
})

test('misuse is reported when a recorder is made', () => {
  const misuse = (message) => ({ code: 'ERR_TRANSCRIPT_MISUSE', message })
  assert.throws(() => createRecorder({ compct: true }), misuse(/did you mean `compact`/))
  assert.throws(() => createRecorder({ includeUlids: 'no' }), misuse(/`includeUlids`/))
  assert.throws(() => createRecorder({ onJournal: 'x' }), misuse(/`onJournal` of createRecorder\(\) is a function/))
  assert.throws(() => recover(12), misuse(/recover\(\) takes the text of a journal/))
})
