// A handler of every kind, as a document and in code, each with the last answer of an agent to a question about the weather
// and has a sunny tool for it.

const call = { content: null, tool_calls: [{ name: 'weather', arguments: { location: 'NYC' } }] }

const queue = { type: 'queue', responses: [call, "It's {{ last_result.temp }}°F."] }

/** Each with `make(mock)`, the mock model, and `answer`. */
export const HANDLERS = {
  queue: { make: (mock) => mock(queue), answer: "It's 72°F." },
  conditional: {
    make: (mock) =>
      mock({ type: 'conditional', rules: [{ when: { last_role: 'tool' }, respond: "It's {{ last_result.condition }}." }], default: call }),
    answer: "It's sunny.",
  },
  transcript: {
    make: (mock) =>
      mock({
        type: 'transcript',
        entries: [
          { role: 'assistant', ...call },
          { role: 'assistant', content: 'Sunny.' },
        ],
      }),
    answer: 'Sunny.',
  },
  state_machine: {
    make: (mock) =>
      mock({
        type: 'state_machine',
        initial: 'asked',
        states: { asked: { respond: call, next: 'told' }, told: { respond: 'Told.', next: 'asked' } },
      }),
    answer: 'Told.',
  },
  composite: {
    make: (mock) =>
      mock({
        type: 'composite',
        strategy: 'in_order',
        handlers: [
          { type: 'queue', responses: [call] },
          { type: 'repeat', respond: 'Both.' },
        ],
      }),
    answer: 'Both.',
  },
  tool_sequence: {
    make: (mock) =>
      mock({ type: 'tool_sequence', calls: [{ name: 'weather', arguments: { location: 'NYC' } }], then: 'Done: {{ last_result.temp }}' }),
    answer: 'Done: 72',
  },
  repeat: { make: (mock) => mock({ type: 'repeat', respond: 'Again.' }), answer: 'Again.' },
  recording: { make: (mock) => mock({ type: 'recording', handler: queue }), answer: "It's 72°F." },
  'a function': {
    make: (mock) => mock(({ lastRole, lastResult }) => (lastRole === 'tool' ? `${lastResult.temp} degrees` : call)),
    answer: '72 degrees',
  },
  'an asynchronous function': {
    make: (mock) =>
      mock(async ({ lastRole, lastResult }) => {
        await new Promise((done) => setImmediate(done))
        return lastRole === 'tool' ? `${lastResult.temp} degrees` : call
      }),
    answer: '72 degrees',
  },
  'functions in a queue': {
    make: (mock) =>
      mock(
        mock.queue(
          () => call,
          async ({ lastResult }) => `later ${lastResult.temp}`,
        ),
      ),
    answer: 'later 72',
  },
  'functions in a conditional': {
    make: (mock) =>
      mock(
        mock
          .conditional()
          .when(
            async ({ lastRole }) => lastRole === 'tool',
            ({ lastResult }) => `met ${lastResult.temp}`,
          )
          .default(call),
      ),
    answer: 'met 72',
  },
}

/** A handler that fails once, in these words; the next request is answered. */
export const FAILING = {
  make: (mock) => mock({ type: 'fail', times: 1, error: { type: 'overloaded', message: 'too much', status: 529 }, then: queue }),
  failed: /too much/,
  answer: "It's 72°F.",
}
