// Long histories cost what is new in them: what crosses to the core and back is counted, no time is taken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { createRecorder, mock, replay, simulate, timeTravel } = await load(folder, 'transcript-workbench')

/** How much JSON text is written and read while `work` goes on. */
const counted = async (work) => {
  const { parse: read, stringify: write } = JSON
  let count = 0
  JSON.parse = (text, ...rest) => {
    count += text.length
    return read(text, ...rest)
  }
  JSON.stringify = (...all) => {
    const text = write(...all)
    count += text?.length ?? 0
    return text
  }
  try {
    await work()
  } finally {
    Object.assign(JSON, { parse: read, stringify: write })
  }
  return count
}

/** Four times as many rounds cost about four times as much; the square of them would be sixteen times. */
const growsWithWhatIsNew = async (work) => {
  const [few, many] = [await counted(() => work(100)), await counted(() => work(400))]
  assert.ok(few > 100 && many / few < 6, `${few} for 100 rounds, ${many} for 400`)
}

/** The rounds of an agent with a growing history; `answer` is its model. */
const converse = async (count, answer) => {
  const messages = []
  for (let at = 0; at < count; at += 1) {
    messages.push({ role: 'user', content: `Question ${at}` })
    messages.push({ role: 'assistant', content: await answer(messages, at) })
  }
  return messages
}

const HANDLERS = {
  template: () => mock(mock.repeat('{{ length(messages) }}')),
  function: () => mock(({ messages }) => String(messages.length)),
  condition: () =>
    mock(
      mock.conditional().when(
        ({ messages }) => messages.length > 0,
        ({ messages }) => String(messages.length),
      ),
    ),
}

for (const [name, make] of Object.entries(HANDLERS)) {
  test(`a ${name} that reads the history of a mock`, async () => {
    await growsWithWhatIsNew(async (count) => {
      const model = make()
      const messages = await converse(count, async (messages) => (await model.call({ messages })).content)
      assert.equal(messages.at(-1).content, String(2 * count - 1))
      model.free()
    })
  })
}

test('a function that answers for an agent of a simulation', async () => {
  const steps = (count) => Array.from({ length: count }, (_, at) => ({ op: 'call', content: `Question ${at}` }))
  const requested = async (count, lengths) => {
    const bot = ({ messages }) => String(lengths.push(messages.length))
    const options = { handlers: { bot } }
    return simulate({ agents: [{ name: 'bot' }], steps: steps(count) }, options)
  }
  const lengths = []
  const { ok, transcript } = await requested(150, lengths)
  assert.ok(ok)
  assert.deepEqual(
    lengths,
    Array.from({ length: 150 }, (_, at) => 2 * at + 1),
  )
  assert.equal(transcript.execution.find(({ type }) => type === 'llm_call').messages_sent_to_llm, 'visible')
  // Of the report the transcript is reported once, at its end.
  const [few, many] = [await counted(() => requested(150, [])), await counted(() => requested(600, []))]
  assert.ok(many / few < 6, `${few} for 150 rounds, ${many} for 600`)
})

const recorded =
  (report) =>
  async (count, lines = []) => {
    const recorder = createRecorder({ recording: 'r', onJournal: (line) => lines.push(line) })
    await converse(count, (messages, at) => {
      recorder.messageAppended({ id: `u${at}`, role: 'user', content: `Question ${at}` })
      recorder.modelCalled({ call: `c${at}`, ...report(messages) })
      recorder.modelResponded({ call: `c${at}`, content: `Answer ${at}` })
      recorder.messageAppended({ id: `a${at}`, call: `c${at}`, role: 'assistant', content: `Answer ${at}` })
      return `Answer ${at}`
    })
    const { text, problems } = count > 60 ? { text: '', problems: [] } : recorder.finish()
    assert.deepEqual([problems, recorder.problems], [[], []])
    recorder.free()
    return text
  }

const REPORTS = {
  'a list of messages': (messages) => ({ messages }),
  'a request of a framework': (messages) => ({ request: { format: 'openai-chat', messages } }),
  'a request with its instructions apart': (messages) => ({ request: { format: 'anthropic', system: 'Help', messages } }),
}

for (const [name, report] of Object.entries(REPORTS)) {
  test(`a recorder that gets ${name}`, async () => {
    await growsWithWhatIsNew(recorded(report))
    const [lines, whole] = [[], []]
    const text = await recorded(report)(60, lines)
    // Frozen copies have nothing in common with the lists before them.
    const copied = recorded((messages) => structuredClone(report(messages)))
    assert.equal(await copied(60, whole), text)
    assert.deepEqual(lines, whole)
    assert.ok(lines.some((line) => JSON.parse(line).after?.messages >= 32))
  })
}

test('a recorder whose host changes its list hears of it', async () => {
  for (const report of Object.values(REPORTS)) {
    const recorder = createRecorder({})
    const messages = Array.from({ length: 40 }, (_, at) => ({ role: 'user', content: `Message ${at}` }))
    const lists = []
    const call = (id) => {
      recorder.modelCalled({ call: id, ...report(messages) })
      recorder.modelResponded({ call: id, content: 'Yes' })
      recorder.messageAppended({ id: `m-${id}`, call: id, role: 'assistant', content: 'Yes' })
      lists.push(messages.map(({ content }) => content))
    }
    call('c1')
    messages[35] = { role: 'user', content: 'another' }
    call('c2')
    messages[33].content = 'changed in its place'
    call('c3')
    messages.length = 34
    call('c4')
    messages.push({ role: 'user', content: 1n })
    recorder.modelCalled({ call: 'c5', ...report(messages) })
    messages.pop()
    messages.push({ role: 'user', content: 'at last' })
    call('c6')
    const { execution } = recorder.finish().transcript
    const sent = execution.filter(({ llm_response: answer }) => answer).map((turn) => turn.messages_sent_to_llm)
    const reply = sent.map((list) => list.filter(({ role }) => role === 'user').map(({ content }) => content))
    assert.deepEqual(reply, lists)
    recorder.free()
  }
})

test('a recording whose history grows is made and replayed', async () => {
  const text = await recorded(REPORTS['a list of messages'])(60)
  const tape = await replay(text)
  await converse(60, async (messages) => (await tape.request({ format: 'canonical', messages })).response.content)
  assert.equal(tape.remainingSteps, 0)
})

test('a run that is worked out anew', async () => {
  const rounds = (count) => Array.from({ length: count }, (_, at) => `  - "user: Question ${at}"\n  - "assistant: Answer ${at}"\n`)
  const anew = async (count) => {
    const trip = timeTravel(`messages:\n${rounds(count).join('')}`).edit(0, 'Another question')
    const { ok, text } = await trip.recompute({ maxSteps: count, model: ({ messages }) => `Anew ${messages.length}` })
    assert.ok(ok)
    assert.match(text, new RegExp(`Anew ${2 * count - 1}\\n`))
  }
  const [few, many] = [await counted(() => anew(150)), await counted(() => anew(600))]
  assert.ok(many / few < 6, `${few} for 150 rounds, ${many} for 600`)
})

test('what a function got stays as it was then', async () => {
  const contexts = []
  const model = mock((context) => {
    contexts.push(context)
    return 'ok'
  })
  const messages = [{ role: 'user', content: 'a' }]
  await model.call({ messages })
  messages.push({ role: 'assistant', content: 'ok' }, { role: 'user', content: 'b' })
  await model.call({ messages })
  await model.call({ messages: [{ role: 'user', content: 'c' }] })
  await model.call({
    messages: [
      { role: 'user', content: 'c' },
      { role: 'tool', tool_call_id: 'x', result: { n: 1 } },
    ],
  })
  const report = contexts.map(({ messages, lastUser, lastResult, lastRole }) => [
    messages.map(({ content }) => content),
    lastUser,
    lastResult,
    lastRole,
  ])
  assert.deepEqual(report, [
    [['a'], 'a', null, 'user'],
    [['a', 'ok', 'b'], 'b', null, 'user'],
    [['c'], 'c', null, 'user'],
    [['c', '{"n": 1}'], 'c', { n: 1 }, 'tool'],
  ])
  assert.equal(contexts[0].messages, contexts[0].messages)
  assert.deepEqual(Object.keys({ ...contexts[0] }).filter((name) => name.startsWith('last')).length, 5)
  contexts[1].messages.push('mine')
  await model.call({ messages })
  assert.equal(contexts.at(-1).messages.length, 3)
})
