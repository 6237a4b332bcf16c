// Agents of LangChain and LangGraph with a tape for their model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { providerStrategy, toolStrategy } from 'langchain'
import { z } from 'zod'
import * as shared from '../support/agent-runs.mjs'
import { agents, userInput, last, sunny, weatherTool } from './agent.mjs'
import { all } from './package.mjs'

const { langChainModel, mock, replay, RecordedModelError, TranscriptDivergenceError } = all

const question = userInput("What's the weather?")

const boom = () => {
  throw new Error('no answer from the station')
}

for (const [name, make] of Object.entries(agents)) {
  test(`replay: ${name} runs a tool loop as recorded, with the real tool`, async () => {
    const tape = await replay({ text: shared.weather, file: 'weather.yaml' })
    const { ran, weather } = weatherTool(sunny)
    const result = await make(langChainModel(tape), [weather]).invoke(question)
    assert.equal(last(result), "It's 72°F and sunny!")
    assert.deepEqual(ran, ['NYC'])
    assert.deepEqual(
      tape.calls.map(({ step, outcome }) => [step, outcome]),
      [
        ['1', 'response'],
        ['3', 'response'],
      ],
    )
    tape.assertComplete()
  })

  for (const streamMode of ['updates', 'values', 'messages']) {
    test(`stream: ${name} streams ${streamMode}`, async () => {
      const tape = await replay({ text: shared.weather })
      const { ran, weather } = weatherTool(sunny)
      const seen = []
      for await (const part of await make(langChainModel(tape), [weather]).stream(question, { streamMode })) seen.push(part)
      assert.deepEqual(ran, ['NYC'])
      if (streamMode === 'messages') {
        const texts = seen.filter(([message]) => message.type === 'ai').map(([message]) => message.text)
        assert.deepEqual(
          texts.filter((text) => text !== ''),
          ["I'll ", 'check.', "It's ", '72°F ', 'and ', 'sunny!'],
        )
      } else {
        const messages = streamMode === 'values' ? seen.at(-1).messages : Object.values(seen.at(-1))[0].messages
        assert.equal(messages.at(-1).text, "It's 72°F and sunny!")
      }
      tape.assertComplete()
    })
  }

  test(`stream: ${name} plays one tape, whichever way it is called`, async () => {
    const text = `messages:
  - "system: You are helpful"
  - "user: Hi"
  - "assistant: Hello!"
  - "user: Bye"
  - "assistant: Good bye!"
`
    const tape = await replay({ text })
    const agent = make(langChainModel(tape))
    const { messages } = await agent.invoke(userInput('Hi'))
    const more = { messages: [...messages, new HumanMessage('Bye')] }
    const pieces = []
    for await (const [message] of await agent.stream(more, { streamMode: 'messages' })) pieces.push(message.text)
    assert.equal(pieces.join(''), 'Good bye!')
    tape.assertComplete()
  })

  test(`parallel tools: ${name} runs both, whichever ends first`, async () => {
    const tape = await replay({ text: shared.parallel })
    const late = (value, ticks) => (ticks === 0 ? value : new Promise((done) => setImmediate(() => done(late(value, ticks - 1)))))
    const { ran, weather } = weatherTool((location) => (location === 'Oslo' ? late({ temp: 5 }, 5) : { temp: 25 }))
    const result = await make(langChainModel(tape), [weather]).invoke(userInput('Where is it warmer?'))
    assert.deepEqual([last(result), ran], ['In Rome.', ['Oslo', 'Rome']])
    tape.assertComplete()
  })

  test(`drift: ${name} rejects with the step, the path and both values, in every stream mode too`, async () => {
    for (const streamMode of [undefined, 'updates', 'values', 'messages']) {
      const tape = await replay({ text: shared.weather, file: 'weather.yaml' })
      const agent = make(langChainModel(tape), [weatherTool(() => ({ temp: 72, condition: 'cloudy' })).weather])
      const ended = async () => {
        if (streamMode === undefined) return agent.invoke(question)
        for await (const _ of await agent.stream(question, { streamMode }));
      }
      await assert.rejects(ended(), (error) => {
        assert.ok(error instanceof TranscriptDivergenceError, `${streamMode}: ${error}`)
        const { step, path, expected, actual } = error
        assert.deepEqual(
          { step, path, expected, actual },
          {
            step: '3',
            path: 'messages[3].result.condition',
            expected: 'sunny',
            actual: 'cloudy',
          },
        )
        return true
      })
      assert.throws(() => tape.assertComplete(), TranscriptDivergenceError)
    }
  })

  test(`failing tool: ${name} follows one that fails as recorded, whatever the words, and no other`, async () => {
    const tape = await replay({ text: shared.failing('the station is down') })
    assert.equal(last(await make(langChainModel(tape), [weatherTool(boom).weather]).invoke(question)), 'I cannot tell.')
    tape.assertComplete()
    const other = await replay({ text: shared.failing('the station is down') })
    await assert.rejects(make(langChainModel(other), [weatherTool(sunny).weather]).invoke(question), {
      name: 'TranscriptDivergenceError',
      step: '3',
      path: 'messages[3].is_error',
      expected: true,
      actual: false,
    })
  })

  test(`the traps: ${name} does not pass a divergence to the model, as it does with what a tool throws`, async () => {
    const tape = await replay({ text: shared.failing('the station is down') })
    await assert.rejects(make(langChainModel(tape), [weatherTool(boom).weather]).invoke(userInput('Something else')), {
      name: 'TranscriptDivergenceError',
      step: '1',
      path: 'messages[1].content',
    })
    assert.equal(tape.calls.length, 1)
  })
}

const city = z.object({ city: z.string(), population: z.number() })
const rome = { city: 'Rome', population: 2_800_000 }
const called = (tool) => `messages:
  - "system: You are helpful"
  - "user: Name a city"
  - "assistant:call ${tool}(city='Rome', population=2800000)"
`

test('structured output: withStructuredOutput reads a recorded call, and a recorded text', async () => {
  const messages = [new SystemMessage('You are helpful'), new HumanMessage('Name a city')]
  const tape = await replay({ text: called('extract') })
  assert.deepEqual(await langChainModel(tape).withStructuredOutput(city).invoke(messages), rome)
  tape.assertComplete()
  const text = await replay({ text: shared.structured })
  assert.deepEqual(await langChainModel(text).withStructuredOutput(city).invoke(messages), rome)
  text.assertComplete()
  const raw = await langChainModel(await replay({ text: shared.structured }))
    .withStructuredOutput(city, { includeRaw: true })
    .invoke(messages)
  assert.deepEqual(raw.parsed, rome)
  assert.equal(raw.raw.text, '{"city": "Rome", "population": 2800000}')
})

test('structured output: createAgent reads a recorded text as a provider gives it', async () => {
  const tape = await replay({ text: shared.structured })
  const result = await agents
    .createAgent(langChainModel(tape), [], { responseFormat: providerStrategy(city) })
    .invoke(userInput('Name a city'))
  assert.deepEqual(result.structuredResponse, rome)
  tape.assertComplete()
})

test('structured output: createAgent reads a recorded call of its own tool, whose number counts up unless the schema has a title', async () => {
  assert.notEqual(toolStrategy(city)[0].name, toolStrategy(city)[0].name)
  for (let round = 0; round < 2; round += 1) {
    const strategy = toolStrategy(city.meta({ title: 'city' }))
    const tape = await replay({ text: called('city') })
    const result = await agents.createAgent(langChainModel(tape), [], { responseFormat: strategy }).invoke(userInput('Name a city'))
    assert.deepEqual(result.structuredResponse, rome)
    tape.assertComplete()
  }
})

test('a recorded failure ends the run, or is retried where the recording goes on', async () => {
  const tape = await replay({ text: shared.broken, file: 'broken.yaml' })
  await assert.rejects(langChainModel(tape).invoke('Hi'), (error) => {
    assert.ok(error instanceof RecordedModelError)
    assert.deepEqual([error.step, error.status, error.retried], ['1', 529, false])
    return true
  })
  const again = await replay({ text: shared.retried })
  const message = await langChainModel(again).withRetry({ stopAfterAttempt: 2 }).invoke('Hi')
  assert.equal(message.text, 'Hello!')
  assert.deepEqual(message.usage_metadata, {
    input_tokens: 11,
    output_tokens: 3,
    total_tokens: 14,
    input_token_details: { cache_read: 4 },
    output_token_details: {},
  })
  assert.deepEqual(
    again.calls.map(({ outcome }) => outcome),
    ['error', 'response'],
  )
})

test('reasoning is passed on, at once and streamed', async () => {
  const message = await langChainModel(await replay({ text: shared.reasoned })).invoke('Hi')
  assert.deepEqual([message.text, message.additional_kwargs.reasoning_content], ['Four.', 'two and two'])
  let whole
  for await (const chunk of await langChainModel(await replay({ text: shared.reasoned })).stream('Hi'))
    whole = whole?.concat(chunk) ?? chunk
  assert.deepEqual([whole.text, whole.additional_kwargs.reasoning_content], ['Four.', 'two and two'])
})

test('the traps: an answer is a chunk, bound tools share the tape, ids of messages do not count', async () => {
  const tape = await replay({ text: shared.weather })
  const model = langChainModel(tape)
  const bound = model.bindTools([weatherTool(sunny).weather])
  const request = [
    new SystemMessage({ content: [{ type: 'text', text: 'You are helpful' }], id: 'a' }),
    new HumanMessage({ content: "What's the weather?", id: 'b' }),
  ]
  const message = await bound.invoke(request)
  assert.equal(message.constructor.name, 'AIMessageChunk')
  assert.deepEqual(
    message.tool_calls.map(({ id, name, args }) => [id, name, args]),
    [['call_001', 'weather', { location: 'NYC' }]],
  )
  assert.equal(tape.remainingSteps, 1)
})

test('a mock answers, and gets the tools', async () => {
  for (const make of Object.values(agents)) {
    const answers = mock(({ lastRole, lastResult }) =>
      lastRole === 'tool' ? `It's ${lastResult.temp}°F!` : mock.toolCall('weather', { location: 'NYC' }),
    )
    const { ran, weather } = weatherTool(sunny)
    const result = await make(langChainModel(answers), [weather]).invoke(question)
    assert.deepEqual([last(result), ran], ["It's 72°F!", ['NYC']])
    assert.deepEqual(
      answers.requests.map(({ tools }) => tools),
      [['weather'], ['weather']],
    )
  }
})

test('a run that was given up is not requested, and what is no tape is refused', async () => {
  const tape = await replay({ text: shared.weather })
  await assert.rejects(langChainModel(tape).invoke('Hi', { signal: AbortSignal.abort(new Error('given up')) }))
  assert.equal(tape.calls.length, 0)
  assert.throws(() => langChainModel(replay({ text: shared.weather })), /pass `await replay\(file\)` or `mock\(…\)`/)
  assert.throws(() => langChainModel({}), /takes a tape.*or a mock/)
})

test('stream: the recorded pieces are streamed, and those of a mock', async () => {
  const answers = mock(mock.create({ content: shared.PIECES.join(''), chunks: shared.PIECES.map((text) => ({ text })) }))
  for (const source of [await replay({ text: shared.streamed }), answers]) {
    const deltas = []
    for await (const { text } of await langChainModel(source).stream('Hi')) if (text !== '') deltas.push(text)
    assert.deepEqual(deltas, shared.PIECES)
  }
})
