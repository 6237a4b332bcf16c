// Runs of the OpenAI Agents SDK recorded, saved, and replayed strictly.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Agent, Runner, setTracingDisabled } from '@openai/agents'
import { z } from 'zod'
import { HISTORIES, checkHistory, partsOf } from '../support/histories.mjs'
import { live } from '../support/live.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, sunny, weatherTool } from './agent.mjs'

const folder = install()
const { openAIAgentsModel, openAIAgentsProvider, createRecorder, mock, recordOpenAIAgents, replay, validate } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/openai-agents',
)
const LIVE = live(mock)
setTracingDisabled(true)

/** Records a run with a live model, saves it, and gives the file. */
const recorded = async (name, source, runAgent, options = {}) => {
  const recorder = createRecorder({ name, recording: name, ...options })
  const recording = recordOpenAIAgents(recorder)
  const runner = recording.attach(new Runner({ modelProvider: recording.provider(openAIAgentsProvider(source)) }))
  const error = await runAgent(runner).then(
    () => undefined,
    (thrown) => thrown,
  )
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, `${name}.yaml`))
  const found = validate({ text: readFileSync(file, 'utf8'), file }).diagnostics
  assert.deepEqual(
    found.filter(({ severity }) => severity !== 'info'),
    [],
  )
  return { file, error, transcript: recorder.finish().transcript }
}

const player = (tape) => new Runner({ modelProvider: openAIAgentsProvider(tape) })

const ways = {
  run: async (runner, agent, input) => (await runner.run(agent, input)).finalOutput,
  stream: async (runner, agent, input) => {
    const result = await runner.run(agent, input, { stream: true })
    await result.completed
    return result.finalOutput
  },
}

const cloudy = () => ({ temp: 72, condition: 'cloudy' })
const boom = () => {
  throw new Error('no answer from the station')
}

for (const [way, run] of Object.entries(ways)) {
  const runAgent =
    (read, input = "What's the weather?") =>
    (runner) =>
      run(runner, helpful('large', [weatherTool(read).weather]), input)

  test(`record: ${way} is recorded, replays strictly, and drifts`, async () => {
    const { file, transcript } = await recorded(`weather-${way}`, LIVE.weather(), runAgent(sunny))
    assert.deepEqual(
      transcript.execution.map(({ type }) => type),
      ['llm_call', 'tool_call', 'llm_call'],
    )
    assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
    assert.deepEqual(transcript.execution[0].messages_sent_to_llm, [{ ref: 'msg_001' }, { ref: 'msg_002' }])
    assert.equal(transcript.agent_config.model, 'large')
    assert.equal(transcript.agent_config.tools[0].name, 'weather')
    assert.equal(transcript.execution[0].llm_response.usage.prompt_tokens, 9)
    const tape = await replay(file)
    assert.equal(await runAgent(sunny)(player(tape)), "It's 72°F and sunny!")
    tape.assertComplete()
    await assert.rejects(runAgent(cloudy)(player(await replay(file))), {
      name: 'TranscriptDivergenceError',
      step: '3',
      path: 'messages[3].result.condition',
      expected: 'sunny',
      actual: 'cloudy',
    })
  })

  test(`record: parallel tools of ${way} replay, whichever ends first`, async () => {
    const late = (location) => (location === 'Oslo' ? new Promise((done) => setTimeout(() => done({ temp: 5 }), 5)) : { temp: 25 })
    const { file, transcript } = await recorded(`parallel-${way}`, LIVE.parallel(), runAgent(late, 'Where is it warmer?'))
    assert.deepEqual(
      transcript.execution.map(({ tool_call: call }) => call?.result?.temp),
      [undefined, 5, 25, undefined],
    )
    const tape = await replay(file)
    assert.equal(await runAgent((location) => ({ temp: location === 'Oslo' ? 5 : 25 }), 'Where is it warmer?')(player(tape)), 'In Rome.')
    tape.assertComplete()
  })

  test(`record: a failing tool of ${way} replays, and drifts when it no longer fails`, async () => {
    const { file, transcript } = await recorded(`failing-${way}`, LIVE.weather(), runAgent(boom))
    assert.equal(transcript.execution[1].tool_call.success, false)
    const tape = await replay(file)
    assert.equal(await runAgent(boom)(player(tape)), "It's 72°F and sunny!")
    tape.assertComplete()
    await assert.rejects(runAgent(sunny)(player(await replay(file))), { name: 'TranscriptDivergenceError', path: 'messages[3].result' })
  })

  test(`record: structured output of ${way} is recorded with its schema, and replays`, async () => {
    const outputType = z.object({ city: z.string(), population: z.number() })
    const name = (runner) => run(runner, helpful('large', [], { outputType }), 'Name a city')
    const { file, transcript } = await recorded(`structured-${way}`, LIVE.structured(), name)
    assert.equal(transcript.execution[0].llm_config.response_schema.type, 'object')
    const tape = await replay(file)
    assert.deepEqual(await name(player(tape)), { city: 'Rome', population: 2_800_000 })
    tape.assertComplete()
  })

  test(`record: a handoff of ${way} is one conversation, and replays`, async () => {
    const handOver = (runner) => {
      const billing = new Agent({ name: 'Billing', instructions: 'bill', model: 'small' })
      return run(runner, new Agent({ name: 'Triage', instructions: 'triage', handoffs: [billing], model: 'large' }), 'refund')
    }
    const source = mock(mock.toolCall('transfer_to_Billing', {}, { id: 'h1' }), 'Refunded.')
    const { file, transcript } = await recorded(`handoff-${way}`, source, handOver)
    const calls = transcript.execution.filter(({ type }) => type === 'llm_call')
    assert.deepEqual(
      calls.map(({ llm_config: config, llm_response: response }) => [config.model, response.metadata?.agent]),
      [
        ['large', undefined],
        ['small', 'Billing'],
      ],
    )
    assert.deepEqual(transcript.execution.find(({ type }) => type === 'tool_call').tool_call.result, { assistant: 'Billing' })
    const tape = await replay(file)
    assert.equal(await handOver(player(tape)), 'Refunded.')
    tape.assertComplete()
  })
}

test('record: an agent that is run by a tool has a run of its own, and one tape replays both', async () => {
  const runAgent = (runner, model) => {
    const researcher = new Agent({ name: 'Researcher', instructions: 'You look things up', model: model('small') })
    const research = researcher.asTool({ toolName: 'research', toolDescription: 'Looks things up' })
    return runner.run(
      new Agent({ name: 'Helper', instructions: 'You are helpful', model: model('large'), tools: [research] }),
      'Is it warm in Rome?',
    )
  }
  const sources = {
    large: mock(mock.toolCall('research', { input: 'Rome' }, { id: 't1' }), 'It is.'),
    small: mock('21 degrees'),
  }
  const recorder = createRecorder({ name: 'nested', recording: 'nested' })
  const recording = recordOpenAIAgents(recorder)
  const runner = recording.attach(new Runner())
  const { finalOutput } = await runAgent(runner, (name) =>
    recording.model(openAIAgentsModel(sources[name]), { name, ...(name === 'small' ? { agent: 'Researcher' } : {}) }),
  )
  assert.equal(finalOutput, 'It is.')
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, 'nested.yaml'))
  const { execution } = recorder.finish().transcript
  assert.deepEqual(
    execution.map(({ type }) => type),
    ['llm_call', 'tool_call', 'llm_call'],
  )
  assert.equal(execution[1].tool_call.result.nested_transcript.execution[0].llm_response.content, '21 degrees')
  const tape = await replay(file)
  assert.equal((await runAgent(new Runner(), () => openAIAgentsModel(tape))).finalOutput, 'It is.')
  tape.assertComplete()
  const named = await replay(file)
  const own = { large: openAIAgentsModel(named, { agent: 'main' }), small: openAIAgentsModel(named, { agent: 'Researcher' }) }
  assert.equal((await runAgent(new Runner(), (name) => own[name])).finalOutput, 'It is.')
  named.assertComplete()
})

test('record: agents that tools run side by side have a run each, though they use the same ids', async () => {
  const recorder = createRecorder({ name: 'beside', recording: 'beside' })
  const recording = recordOpenAIAgents(recorder)
  const runner = recording.attach(new Runner())
  const both = mock.create({
    tool_calls: ['Rome', 'Oslo'].map((input, at) => ({ id: `call_${at + 1}_1`, name: 'research', arguments: { input } })),
  })
  const researcher = (model) =>
    new Agent({ name: 'Researcher', instructions: 'You look things up', model, tools: [weatherTool(sunny).weather] })
  const helper = (model, inner) =>
    new Agent({
      name: 'Helper',
      instructions: 'You are helpful',
      model,
      tools: [researcher(inner).asTool({ toolName: 'research', toolDescription: 'Looks things up' })],
    })
  const found = mock(async ({ lastUser, lastRole }) => {
    await new Promise((done) => setTimeout(done, 5))
    return lastRole === 'tool' ? `weather of ${lastUser}` : mock.toolCall('weather', { location: lastUser })
  })
  const { finalOutput } = await runner.run(
    helper(recording.model(openAIAgentsModel(mock(both, 'In Rome.'))), recording.model(openAIAgentsModel(found), { agent: 'Researcher' })),
    'Where?',
  )
  assert.equal(finalOutput, 'In Rome.')
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, 'beside.yaml'))
  const { execution } = recorder.finish().transcript
  assert.deepEqual(
    execution.map(({ type }) => type),
    ['llm_call', 'tool_call', 'tool_call', 'llm_call'],
  )
  const inner = execution.filter(({ type }) => type === 'tool_call').map(({ tool_call: { result } }) => result.nested_transcript.execution)
  assert.deepEqual(
    inner.map((turns) => [turns.length, turns.at(-1).llm_response.content]),
    [
      [3, 'weather of Rome'],
      [3, 'weather of Oslo'],
    ],
  )
  const tape = await replay(file)
  assert.equal((await new Runner().run(helper(openAIAgentsModel(tape), openAIAgentsModel(tape)), 'Where?')).finalOutput, 'In Rome.')
  tape.assertComplete()
})

test('record: the pieces of a stream are kept where an option says so', async () => {
  const { transcript } = await recorded(
    'pieces',
    LIVE.weather(),
    (runner) => ways.stream(runner, helpful('large', [weatherTool(sunny).weather]), "What's the weather?"),
    { chunks: true },
  )
  assert.deepEqual(
    transcript.execution[2].llm_response.chunks.map(({ text }) => text),
    ["It's ", '72°F ', 'and ', 'sunny!'],
  )
})

test('record: a failure of the model is recorded, and ends the run', async () => {
  const source = mock({ type: 'fail', error: { type: 'overloaded', message: 'too much', status: 529 } })
  const { file, error, transcript } = await recorded('broken', source, (runner) => runner.run(helpful('large'), 'Hi'))
  assert.equal(error.name, 'MockFailureError')
  assert.equal(transcript.execution[0].llm_error.status, 529)
  await assert.rejects(player(await replay(file)).run(helpful('large'), 'Hi'), { name: 'RecordedModelError', status: 529 })
})

test('record: without hooks the results are those that the model is sent', async () => {
  const recorder = createRecorder({ recording: 'bare' })
  const model = recordOpenAIAgents(recorder).model(openAIAgentsModel(LIVE.weather()))
  await new Runner().run(helpful(model, [weatherTool(sunny).weather]), "What's the weather?")
  const { transcript, problems } = recorder.finish()
  assert.deepEqual([problems, transcript.execution[1].tool_call.result], [[], sunny()])
})

test('record: what is no recorder, model, provider or runner is refused', () => {
  assert.throws(() => recordOpenAIAgents({}), { name: 'TypeError', message: /createRecorder\(\) makes/ })
  const recording = recordOpenAIAgents(createRecorder())
  assert.throws(() => recording.model({}), /takes a model/)
  assert.throws(() => recording.provider({}), /takes a provider/)
  assert.throws(() => recording.attach({}), /takes a Runner or an Agent/)
})

test('record: a run whose requests only name the messages before is recorded as a whole', async () => {
  const runAgent = (runner) =>
    runner.run(helpful('large', [weatherTool(sunny).weather]), "What's the weather?", { conversationId: 'conv_1' })
  const { file, transcript } = await recorded('conversation', LIVE.weather(), runAgent)
  assert.equal(transcript.execution[2].messages_sent_to_llm.length, 4)
  const tape = await replay(file)
  await player(tape).run(helpful('large', [weatherTool(sunny).weather]), "What's the weather?")
  tape.assertComplete()
})

test('record: a recorded model keeps what else it has, private fields too', () => {
  class Own {
    #name = 'mine'
    supportsPromptModelSelection = true
    async getResponse() {}
    async *getStreamedResponse() {}
    getRetryAdvice() {
      return this.#name
    }
  }
  const model = recordOpenAIAgents(createRecorder()).model(new Own())
  assert.deepEqual([model.supportsPromptModelSelection, model.getRetryAdvice(), model instanceof Own], [true, 'mine', true])
})

const message = (role, text) =>
  role === 'assistant'
    ? { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] }
    : { type: 'message', role, content: text }

for (const [name, calls] of Object.entries(HISTORIES)) {
  test(`record: what is new in a request: ${name}`, async () => {
    const recorder = createRecorder({ recording: 'r1' })
    let answer
    const model = recordOpenAIAgents(recorder).model({
      getResponse: async () => {
        if (answer === undefined) throw new Error('slow down')
        return { output: [message('assistant', answer)], usage: {} }
      },
      getStreamedResponse: () => {},
    })
    for (const call of calls) {
      answer = call.answer
      await model
        .getResponse({ input: call.sends.map(partsOf).map(([role, text]) => message(role, text)), modelSettings: {} })
        .catch(() => {})
    }
    checkHistory(recorder, calls)
  })
}
