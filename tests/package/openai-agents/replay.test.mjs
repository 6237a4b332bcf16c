// The OpenAI Agents SDK with a tape for its model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, Runner, retryPolicies, run, setTracingDisabled } from '@openai/agents'
import { z } from 'zod'
import * as shared from '../support/agent-runs.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, sunny, weatherTool } from './agent.mjs'
import * as recordings from './transcripts.mjs'

const { openAIAgentsModel, openAIAgentsProvider, mock, replay, RecordedModelError, TranscriptDivergenceError } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/openai-agents',
)
setTracingDisabled(true)

test('replay: a tool loop runs as recorded, with the real tool', async () => {
  const tape = await replay({ text: shared.weather, file: 'weather.yaml' })
  const { ran, weather } = weatherTool(sunny)
  const result = await run(helpful(openAIAgentsModel(tape), [weather]), "What's the weather?")
  assert.equal(result.finalOutput, "It's 72°F and sunny!")
  assert.deepEqual(ran, ['NYC'])
  assert.equal(result.rawResponses.length, 2)
  assert.deepEqual(
    tape.calls.map(({ step, outcome }) => [step, outcome]),
    [
      ['1', 'response'],
      ['3', 'response'],
    ],
  )
  tape.assertComplete()
})

test('stream: a tool loop streams the same events', async () => {
  const tape = await replay({ text: shared.weather })
  const { ran, weather } = weatherTool(sunny)
  const result = await run(helpful(openAIAgentsModel(tape), [weather]), "What's the weather?", { stream: true })
  const seen = []
  for await (const event of result) seen.push(event.type === 'raw_model_stream_event' ? (event.data.delta ?? event.data.type) : event.name)
  await result.completed
  assert.equal(result.finalOutput, "It's 72°F and sunny!")
  assert.deepEqual(ran, ['NYC'])
  assert.deepEqual(
    seen.filter((name) => name !== undefined),
    [
      'response_started',
      "I'll ",
      'check.',
      'response_done',
      'message_output_created',
      'tool_called',
      'tool_output',
      'response_started',
      "It's ",
      '72°F ',
      'and ',
      'sunny!',
      'response_done',
      'message_output_created',
    ],
  )
  tape.assertComplete()
})

test('parallel tools: both run, whichever ends first, and streamed too', async () => {
  for (const stream of [false, true]) {
    const tape = await replay({ text: shared.parallel })
    const late = (value, ticks) => (ticks === 0 ? value : new Promise((done) => setImmediate(() => done(late(value, ticks - 1)))))
    const { ran, weather } = weatherTool((location) => (location === 'Oslo' ? late({ temp: 5 }, 5) : { temp: 25 }))
    const result = await run(helpful(openAIAgentsModel(tape), [weather]), 'Where is it warmer?', { stream })
    await result.completed
    assert.equal(result.finalOutput, 'In Rome.')
    assert.deepEqual(ran, ['Oslo', 'Rome'])
    tape.assertComplete()
  }
})

const boom = () => {
  throw new Error('no answer from the station')
}

test('failing tool: one that fails as recorded follows, and one that no longer fails does not', async () => {
  const text = 'An error occurred while running the tool. Please try again.'
  const tape = await replay({ text: shared.failing(text) })
  const { finalOutput } = await run(helpful(openAIAgentsModel(tape), [weatherTool(boom).weather]), "What's the weather?")
  assert.equal(finalOutput, 'I cannot tell.')
  tape.assertComplete()
  const other = await replay({ text: shared.failing(text) })
  await assert.rejects(run(helpful(openAIAgentsModel(other), [weatherTool(sunny).weather]), "What's the weather?"), {
    name: 'TranscriptDivergenceError',
    step: '3',
    path: 'messages[3].result',
  })
})

const city = { outputType: z.object({ city: z.string(), population: z.number() }) }

test('structured output: it is read from the recorded text', async () => {
  const tape = await replay({ text: shared.structured })
  const { finalOutput } = await run(helpful(openAIAgentsModel(tape), [], city), 'Name a city')
  assert.deepEqual(finalOutput, { city: 'Rome', population: 2_800_000 })
  tape.assertComplete()
})

test('drift: it rejects with the step, the path and both values, and so does a stream', async () => {
  for (const stream of [false, true]) {
    const tape = await replay({ text: shared.weather, file: 'weather.yaml' })
    const { weather } = weatherTool(() => ({ temp: 72, condition: 'cloudy' }))
    const ended = (async () => {
      const result = await run(helpful(openAIAgentsModel(tape), [weather]), "What's the weather?", { stream })
      await result.completed
    })()
    await assert.rejects(ended, (error) => {
      assert.ok(error instanceof TranscriptDivergenceError)
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
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.throws(() => tape.assertComplete(), TranscriptDivergenceError)
  }
})

test('handoff: one tape answers both agents, by a provider or by a model each', async () => {
  const byName = (provider) => {
    const billing = new Agent({ name: 'Billing', instructions: 'bill', model: 'small' })
    const triage = new Agent({ name: 'Triage', instructions: 'triage', handoffs: [billing], model: 'large' })
    return new Runner({ modelProvider: provider }).run(triage, 'refund')
  }
  const tape = await replay({ text: recordings.handoff })
  const { finalOutput, lastAgent } = await byName(openAIAgentsProvider(tape))
  assert.deepEqual([finalOutput, lastAgent.name], ['Refunded.', 'Billing'])
  tape.assertComplete()
  const other = await replay({ text: recordings.handoff })
  const billing = new Agent({ name: 'Billing', instructions: 'bill', model: openAIAgentsModel(other) })
  const result = await run(
    new Agent({ name: 'Triage', instructions: 'triage', handoffs: [billing], model: openAIAgentsModel(other) }),
    'refund',
  )
  assert.equal(result.finalOutput, 'Refunded.')
  other.assertComplete()
})

test('a recorded failure ends the run, or is retried where the recording goes on and the run asks for it', async () => {
  const tape = await replay({ text: shared.broken, file: 'broken.yaml' })
  const plain = (model, more) => new Agent({ name: 'Helper', model, ...more })
  await assert.rejects(run(plain(openAIAgentsModel(tape)), 'Hi'), (error) => {
    assert.ok(error instanceof RecordedModelError)
    assert.deepEqual([error.step, error.status, error.retried], ['1', 529, false])
    return true
  })
  tape.assertComplete()
  const again = await replay({ text: shared.retried })
  const retry = { maxRetries: 2, policy: retryPolicies.providerSuggested() }
  const { finalOutput, state } = await run(plain(openAIAgentsModel(again), { modelSettings: { retry } }), 'Hi')
  assert.equal(finalOutput, 'Hello!')
  assert.deepEqual(
    again.calls.map(({ outcome }) => outcome),
    ['error', 'response'],
  )
  const { inputTokens, outputTokens, totalTokens, inputTokensDetails } = state.usage
  assert.deepEqual([inputTokens, outputTokens, totalTokens, inputTokensDetails.at(-1)], [11, 3, 14, { cached_tokens: 4 }])
  again.assertComplete()
})

test('reasoning is passed on, and a run may go on from it', async () => {
  const tape = await replay({ text: shared.reasoned })
  const { newItems, finalOutput } = await run(new Agent({ name: 'Helper', model: openAIAgentsModel(tape) }), 'Hi')
  assert.equal(finalOutput, 'Four.')
  assert.equal(newItems[0].rawItem.content[0].text, 'two and two')
})

test('the traps: each message says its type, arguments are a text, usage is there, a stream ends with its response', async () => {
  const tape = await replay({ text: shared.weather })
  const model = openAIAgentsModel(tape)
  const { output, usage } = await model.getResponse({ systemInstructions: 'You are helpful', input: "What's the weather?" })
  assert.deepEqual(
    output.map(({ type }) => type),
    ['message', 'function_call'],
  )
  assert.equal(output[1].arguments, '{"location":"NYC"}')
  assert.equal(usage.requests, 1)
  const streamed = openAIAgentsModel(await replay({ text: shared.weather }))
  const events = []
  for await (const event of streamed.getStreamedResponse({ systemInstructions: 'You are helpful', input: "What's the weather?" }))
    events.push(event)
  assert.equal(events.at(-1).type, 'response_done')
  assert.deepEqual(events.at(-1).response.output, output)
  assert.equal(typeof events.at(-1).response.id, 'string')
})

test('a mock answers, and gets the tools', async () => {
  const answers = mock(({ lastRole, lastResult }) =>
    lastRole === 'tool' ? `It's ${lastResult.temp}°F!` : mock.toolCall('weather', { location: 'NYC' }),
  )
  const { ran, weather } = weatherTool(sunny)
  const { finalOutput } = await run(helpful(openAIAgentsModel(answers), [weather]), "What's the weather?")
  assert.deepEqual([finalOutput, ran], ["It's 72°F!", ['NYC']])
  assert.deepEqual(
    answers.requests.map(({ tools }) => tools),
    [['weather'], ['weather']],
  )
})

test('a run that was given up is not requested, and what is no tape is refused', async () => {
  const tape = await replay({ text: shared.weather })
  const aborted = AbortSignal.abort(new Error('given up'))
  await assert.rejects(openAIAgentsModel(tape).getResponse({ input: 'Hi', signal: aborted }), { message: 'given up' })
  assert.equal(tape.calls.length, 0)
  assert.throws(() => openAIAgentsModel(replay({ text: shared.weather })), /pass `await replay\(file\)` or `mock\(…\)`/)
  assert.throws(() => openAIAgentsModel({}), /takes a tape.*or a mock/)
  assert.throws(() => openAIAgentsModel(tape, { agents: 1 }), /has no option `agents`/)
})

test('stream: the recorded pieces are streamed, and those of a mock', async () => {
  const answers = mock(mock.create({ content: shared.PIECES.join(''), chunks: shared.PIECES.map((text) => ({ text })) }))
  for (const source of [await replay({ text: shared.streamed }), answers]) {
    const deltas = []
    for await (const { delta } of openAIAgentsModel(source).getStreamedResponse({ input: 'Hi' }))
      if (delta !== undefined) deltas.push(delta)
    assert.deepEqual(deltas, shared.PIECES)
  }
})

test('the traps: a run whose requests only name the messages before is played as a whole', async () => {
  for (const stream of [false, true]) {
    const tape = await replay({ text: shared.weather })
    const { weather } = weatherTool(sunny)
    const result = await run(helpful(openAIAgentsModel(tape), [weather]), "What's the weather?", { conversationId: 'conv_1', stream })
    await result.completed
    assert.equal(result.finalOutput, "It's 72°F and sunny!")
    tape.assertComplete()
  }
  const twice = await replay({
    text: `messages: ['system: You are helpful', 'user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Bye!']`,
  })
  const agent = helpful(openAIAgentsModel(twice))
  const { lastResponseId: previousResponseId } = await run(agent, 'Hi')
  const { finalOutput } = await run(agent, 'Bye', { previousResponseId })
  assert.equal(finalOutput, 'Bye!')
  twice.assertComplete()
})

test('the traps: the sentence that the SDK has for a failed tool is passed on as a failure, and no other words are', async () => {
  const failure = 'An error occurred while running the tool. Please try again.'
  const sent = []
  const response = { content: 'I cannot tell.', tool_calls: [], reasoning: null, refusal: null, usage: null }
  const tape = { request: (request) => (sent.push(request), { step: '1', response }), assertComplete() {}, expectedConfig: {} }
  const result = (callId, text) => ({
    type: 'function_call_result',
    callId,
    name: 'weather',
    status: 'completed',
    output: { type: 'text', text },
  })
  const input = [result('a', failure), result('b', `He said: ${failure}`), { ...result('c', ''), output: null }]
  await openAIAgentsModel(tape).getResponse({ input })
  assert.deepEqual(sent[0].input, [{ ...input[0], is_error: true }, input[1], input[2]])
  // An item that comes again is known again.
  await openAIAgentsModel(tape).getResponse({ input })
  assert.equal(sent[1].input[0], sent[0].input[0])
})
