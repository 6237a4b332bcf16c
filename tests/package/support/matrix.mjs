// The cases that every adapter is held to with its real framework: the table of public/docs/adapters.md names these tests.
import assert from 'node:assert/strict'
import { broken, parallel, structured, weather } from './agent-runs.mjs'
import { FAILING, HANDLERS } from './handlers.mjs'

/** The columns of the table. */
export const CASES = [
  'replay',
  'stream',
  'record',
  'parallel tools',
  'failing tool',
  'structured output',
  'drift',
  'cut short',
  'broken stream',
  'odd results',
  'handlers',
]

/** The schema of the structured output. */
export const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, population: { type: 'number' } },
  required: ['city', 'population'],
  additionalProperties: false,
}

const ROME = { city: 'Rome', population: 2_800_000 }
const ANSWER_TEXT = "It's 72°F and sunny!"
const QUESTION = "What's the weather?"

const sunny = () => ({ temp: 72, condition: 'sunny' })
const cloudy = () => ({ temp: 72, condition: 'cloudy' })
const boom = () => {
  throw new Error('no answer from the station')
}

/** The tool of a run, which counts its calls. */
const counting = (read) => {
  const ran = []
  return { ran, read: (location) => (ran.push(location), read(location)) }
}

/** What tools may return that is no plain object of a literal. */
const UNUSUAL_RESULTS = {
  nothing: undefined,
  null: null,
  frozen: Object.freeze({ temp: 72, days: Object.freeze([Object.freeze({ condition: 'rain' })]) }),
  'a text that is JSON': '{"temp": 71}',
  'an empty text': '',
  'a list': [],
}

/** A call that breaks off in the middle of its answer. */
const cut = broken
  .replace('status: 529', 'status: 529, chunks: [{text: Hel}, {text: lo th}]')
  .replace('messages_sent_to_llm: [{ref: msg_001}]', 'messages_sent_to_llm: [{ref: msg_000}, {ref: msg_001}]')
  .replace('message_store: [', 'message_store: [{id: msg_000, role: system, content: You are helpful}, ')

/**
 * Tests one adapter in every case.
 *
 * - `play(source)` gives what answers as a tape or a mock does.
 * - `record(recorder, source)` gives the same recorded: the prompt, and what else the run needs.
 * - `ways.generate` and `ways.stream` run an agent with it: `{question, read, schema, plain, received}` to `{text, object, ended}`; `received` is a
 *   list that pieces of text are added to, `plain` a run without tools.
 * - `ended` is how the framework reports that an answer was cut short.
 * - `without` are results that the framework does not send on.
 * - `failure` is what an error in a stream is recorded as, and how the client reports it.
 * - `drift(error)` gives the divergence of what a run was rejected with.
 */
export const matrix = (test, options) => {
  const { adapter, all, play, record, ways, ended, drift = (error) => error, schemaless = false, without = [] } = options
  const { type: failureType = 'overloaded', message: failureMessage = /too much/ } = options.failure ?? {}
  const { createRecorder, mock, parse, replay } = all
  const live = {
    weather: () => mock(mock.toolCall('weather', { location: 'NYC' }, { id: 't1' }), ANSWER_TEXT),
    parallel: () =>
      mock(
        mock.create({
          tool_calls: ['Oslo', 'Rome'].map((location, at) => ({ id: `t${at + 1}`, name: 'weather', arguments: { location } })),
        }),
        'In Rome.',
      ),
    structured: () => mock(JSON.stringify(ROME)),
    cut: () => mock(mock.create({ content: 'It is', finish_reason: 'length' })),
  }
  const eachWay = async (work) => {
    for (const [name, way] of Object.entries(ways)) await work(way, name)
  }

  /** Records a run; gives the file, which has no faults. */
  const recorded = async (source, way, scenario, options = {}) => {
    const recorder = createRecorder({ name: 'run', recording: 'run', ...options })
    const { model, more } = record(recorder, source)
    let error
    const answer = await way(model, scenario, more).catch((thrown) => (error = thrown))
    assert.deepEqual(recorder.problems, [])
    const { text, transcript } = recorder.finish()
    const document = parse({ text, file: 'run.yaml' })
    assert.deepEqual(
      document.diagnostics.filter(({ severity }) => severity !== 'info'),
      [],
      document.render(),
    )
    return { file: { text, file: 'run.yaml' }, transcript, answer, error }
  }
  const replayed = async (file, way, scenario) => {
    const tape = await replay(file)
    const answer = await way(play(tape), scenario)
    tape.assertComplete()
    return answer
  }
  const drifts = async (file, way, scenario, expected) => {
    const tape = await replay(file)
    const error = await way(play(tape), scenario).then(
      () => assert.fail('it did not drift'),
      (thrown) => thrown,
    )
    const { step, path } = drift(error)
    assert.deepEqual([step, path.startsWith(expected)], ['3', true], `${step} ${path}`)
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError' })
  }

  const cases = {
    replay: async () => {
      const { ran, read } = counting(sunny)
      const { text } = await replayed({ text: weather }, ways.generate, { question: QUESTION, read })
      assert.deepEqual([text, ran], [ANSWER_TEXT, ['NYC']])
    },
    stream: async () => {
      const { ran, read } = counting(sunny)
      const received = []
      const { text } = await replayed({ text: weather }, ways.stream, { question: QUESTION, read, received })
      assert.deepEqual([text, ran, received.slice(-4)], [ANSWER_TEXT, ['NYC'], ["It's ", '72°F ', 'and ', 'sunny!']])
    },
    record: () =>
      eachWay(async (way) => {
        const { file, transcript, answer } = await recorded(live.weather(), way, { question: QUESTION, read: sunny })
        assert.equal(answer.text, ANSWER_TEXT)
        assert.deepEqual(
          transcript.execution.map(({ type }) => type),
          ['llm_call', 'tool_call', 'llm_call'],
        )
        assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
        await eachWay(async (again) => {
          assert.equal((await replayed(file, again, { question: QUESTION, read: sunny })).text, ANSWER_TEXT)
          await drifts(file, again, { question: QUESTION, read: cloudy }, 'messages[3].result')
        })
      }),
    'parallel tools': () =>
      eachWay(async (way) => {
        const read = (location) => ({ temp: location === 'Oslo' ? 5 : 25 })
        const scenario = { question: 'Where is it warmer?', read }
        assert.equal((await replayed({ text: parallel }, way, scenario)).text, 'In Rome.')
        const { file, transcript } = await recorded(live.parallel(), way, scenario)
        assert.deepEqual(
          transcript.execution.map(({ tool_call: call }) => call?.parameters.location),
          [undefined, 'Oslo', 'Rome', undefined],
        )
        await eachWay(async (again) => assert.equal((await replayed(file, again, scenario)).text, 'In Rome.'))
      }),
    'failing tool': () =>
      eachWay(async (way) => {
        const { file } = await recorded(live.weather(), way, { question: QUESTION, read: boom })
        await eachWay(async (again) => {
          assert.equal((await replayed(file, again, { question: QUESTION, read: boom })).text, ANSWER_TEXT)
          await drifts(file, again, { question: QUESTION, read: sunny }, 'messages[3].')
        })
      }),
    'structured output': () =>
      eachWay(async (way) => {
        const scenario = { question: 'Name a city', schema: CITY, plain: true }
        assert.deepEqual((await replayed({ text: structured }, way, scenario)).object, ROME)
        const { file, transcript, answer } = await recorded(live.structured(), way, scenario)
        assert.deepEqual(answer.object, ROME)
        if (!schemaless) assert.equal(transcript.execution[0].llm_config.response_schema.type, 'object')
        await eachWay(async (again) => assert.deepEqual((await replayed(file, again, scenario)).object, ROME))
      }),
    drift: () => eachWay((way) => drifts({ text: weather }, way, { question: QUESTION, read: cloudy }, 'messages[3].result')),
    'cut short': () =>
      eachWay(async (way) => {
        const scenario = { question: 'Hi', plain: true }
        const { file, answer } = await recorded(live.cut(), way, scenario)
        assert.deepEqual([answer.text, answer.ended], ['It is', ended])
        await eachWay(async (again) => {
          const { text, ended: reason } = await replayed(file, again, scenario)
          assert.deepEqual([text, reason], ['It is', ended])
        })
      }),
    'broken stream': async () => {
      const broken = async (model, more) => {
        const received = []
        const error = await ways.stream(model, { question: 'Hi', plain: true, received }, more).then(
          () => assert.fail('it did not fail'),
          (thrown) => thrown,
        )
        return { received, error }
      }
      const source = await replay({ text: cut })
      const first = await broken(play(source))
      assert.deepEqual(first.received, ['Hel', 'lo th'])
      assert.match(String(first.error?.message), failureMessage)
      source.assertComplete()
      for (const chunks of [true, false]) {
        const { file, transcript } = await recorded(await replay({ text: cut }), (...args) => broken(args[0], args[2]), {}, { chunks })
        const { type, message, chunks: kept } = transcript.execution[0].llm_error
        assert.deepEqual([type, message], [failureType, 'too much'])
        assert.deepEqual(kept, chunks ? [{ text: 'Hel' }, { text: 'lo th' }] : [{ text: 'Hello th' }])
        const again = await broken(play(await replay(file)))
        assert.equal(again.received.join(''), 'Hello th')
        assert.match(String(again.error?.message), failureMessage)
      }
      // A request for the whole answer gets none.
      await assert.rejects(ways.generate(play(await replay({ text: cut })), { question: 'Hi', plain: true }), /too much/)
    },
    'odd results': () =>
      eachWay(async (way) => {
        for (const [name, result] of Object.entries(UNUSUAL_RESULTS).filter(([name]) => !without.includes(name))) {
          const scenario = { question: QUESTION, read: () => result }
          const { file } = await recorded(live.weather(), way, scenario)
          await eachWay(async (again) => assert.equal((await replayed(file, again, scenario)).text, ANSWER_TEXT, name))
          await eachWay((again) => drifts(file, again, { question: QUESTION, read: sunny }, 'messages[3].'))
        }
      }),
    handlers: () =>
      eachWay(async (way) => {
        for (const [kind, { make, answer }] of Object.entries(HANDLERS)) {
          const { text } = await way(play(make(mock)), { question: QUESTION, read: sunny })
          assert.equal(text, answer, kind)
        }
        const failing = play(FAILING.make(mock))
        await assert.rejects(way(failing, { question: QUESTION, read: sunny }), FAILING.failed)
        assert.equal((await way(failing, { question: QUESTION, read: sunny })).text, FAILING.answer)
      }),
  }
  assert.deepEqual(Object.keys(cases), CASES)
  for (const [name, run] of Object.entries(cases)) test(`${adapter}: ${name}`, run)
}
