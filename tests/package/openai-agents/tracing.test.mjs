// Runs of the OpenAI Agents SDK recorded by their traces: alone, and next to wrapped models.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Agent, OpenAIProvider, Runner, setTraceProcessors, setTracingDisabled } from '@openai/agents'
import OpenAI from 'openai'
import { live } from '../support/live.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, sunny, weatherTool } from './agent.mjs'

const folder = install()
const { openAIAgentsProvider, openAIAgentsTracing, createRecorder, mock, recordOpenAIAgents, replay, replayFetch, validate } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/openai-agents',
  'transcript-workbench/fetch',
)
const LIVE = live(mock)
setTracingDisabled(false)

/** The provider of OpenAI's own models, with clients of a mock. */
const openai = (source, useResponses) =>
  new OpenAIProvider({ openAIClient: new OpenAI({ apiKey: 'none', fetch: replayFetch(source) }), useResponses })

const ways = {
  run: async (runner, agent, input) => (await runner.run(agent, input)).finalOutput,
  stream: async (runner, agent, input) => {
    const result = await runner.run(agent, input, { stream: true })
    await result.completed
    return result.finalOutput
  },
}

/** Records what `work` does while its recorder receives traces, saves it, and gives the file and the transcript. */
const traced = async (name, work, { problems = 0 } = {}) => {
  const recorder = createRecorder({ name, recording: name })
  setTraceProcessors([openAIAgentsTracing(recorder)])
  const error = await work(recorder).then(
    () => undefined,
    (thrown) => thrown,
  )
  setTraceProcessors([])
  assert.equal(recorder.problems.length, problems, JSON.stringify(recorder.problems))
  const file = await recorder.save(join(folder, `${name}.yaml`))
  const found = validate({ text: readFileSync(file, 'utf8'), file }).diagnostics
  assert.deepEqual(
    found.filter(({ severity }) => severity !== 'info'),
    [],
  )
  return { file, error, recorder, transcript: recorder.finish().transcript }
}

const typesOf = ({ execution }) => execution.map(({ type }) => type)

const boom = () => {
  throw new Error('no answer from the station')
}

for (const [way, runAgent] of Object.entries(ways)) {
  for (const [protocol, useResponses] of [
    ['responses', true],
    ['chat', false],
  ]) {
    const name = `${way}-${protocol}`
    const helper = (read) => helpful('large', [weatherTool(read).weather])

    test(`traces alone: ${way} by ${protocol} is recorded, and replays strictly`, async () => {
      const { file, error, transcript } = await traced(`alone-${name}`, async () => {
        const runner = new Runner({ modelProvider: openai(LIVE.weather(), useResponses) })
        assert.equal(await runAgent(runner, helper(sunny), "What's the weather?"), "It's 72°F and sunny!")
      })
      assert.equal(error, undefined)
      assert.deepEqual(typesOf(transcript), ['llm_call', 'tool_call', 'llm_call'])
      assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
      assert.equal(transcript.execution[0].llm_response.usage.prompt_tokens, 9)
      for (const { timestamp } of transcript.execution) assert.ok(Number.isFinite(Date.parse(timestamp)))
      const tape = await replay(file)
      const again = new Runner({ modelProvider: openAIAgentsProvider(tape), tracingDisabled: true })
      assert.equal(await runAgent(again, helper(sunny), "What's the weather?"), "It's 72°F and sunny!")
      tape.assertComplete()
    })

    test(`traces alone: a failing tool of ${way} by ${protocol} has failed`, async () => {
      const { transcript, file } = await traced(`failing-${name}`, async () => {
        await runAgent(new Runner({ modelProvider: openai(LIVE.weather(), useResponses) }), helper(boom), "What's the weather?")
      })
      assert.equal(transcript.execution[1].tool_call.success, false)
      const tape = await replay(file)
      await runAgent(new Runner({ modelProvider: openAIAgentsProvider(tape), tracingDisabled: true }), helper(boom), "What's the weather?")
      tape.assertComplete()
    })

    test(`traces alone: parallel tools of ${way} by ${protocol} keep their results`, async () => {
      const late = (location) => (location === 'Oslo' ? new Promise((done) => setTimeout(() => done({ temp: 5 }), 5)) : { temp: 25 })
      const { transcript } = await traced(`parallel-${name}`, async () => {
        await runAgent(new Runner({ modelProvider: openai(LIVE.parallel(), useResponses) }), helper(late), 'Where is it warmer?')
      })
      assert.deepEqual(
        transcript.execution.map(({ tool_call: call }) => call?.result?.temp),
        [undefined, 5, 25, undefined],
      )
    })
  }
}

/** A transcript without its times. */
const timeless = (value) => JSON.parse(JSON.stringify(value, (key, item) => (key === 'timestamp' || key === 'name' ? undefined : item)))

for (const hooks of [true, false]) {
  test(`traces next to wrapped models, ${hooks ? 'with' : 'without'} hooks, report nothing twice`, async () => {
    const runAgent = (recorder) => async (isTraced) => {
      const recording = recordOpenAIAgents(recorder)
      const runner = new Runner({ modelProvider: recording.provider(openai(LIVE.parallel(), true)), tracingDisabled: !isTraced })
      if (hooks) recording.attach(runner)
      await runner.run(helpful('large', [weatherTool((location) => ({ temp: location.length })).weather]), 'Where is it warmer?')
    }
    const plain = createRecorder({ name: 'plain', recording: 'plain' })
    await runAgent(plain)(false)
    const { transcript } = await traced(`beside-${hooks}`, (recorder) => runAgent(recorder)(true))
    assert.deepEqual(timeless(transcript), timeless(plain.finish().transcript))
    assert.deepEqual(typesOf(transcript), ['llm_call', 'tool_call', 'tool_call', 'llm_call'])
    for (const { timestamp } of transcript.execution) assert.ok(Number.isFinite(Date.parse(timestamp)))
  })
}

test('traces say who speaks after a handoff, without hooks too', async () => {
  for (const [name, wraps] of [
    ['handoff-alone', false],
    ['handoff-beside', true],
  ]) {
    const { transcript, file } = await traced(name, async (recorder) => {
      const source = openai(mock(mock.toolCall('transfer_to_Billing', {}, { id: 'h1' }), 'Refunded.'), true)
      const runner = new Runner({ modelProvider: wraps ? recordOpenAIAgents(recorder).provider(source) : source })
      await runner.run(triage(), 'refund')
    })
    const calls = transcript.execution.filter(({ type }) => type === 'llm_call')
    assert.deepEqual(
      calls.map(({ llm_response: response }) => response.metadata?.agent),
      [undefined, 'Billing'],
    )
    const tape = await replay(file)
    const { finalOutput } = await new Runner({ modelProvider: openAIAgentsProvider(tape), tracingDisabled: true }).run(triage(), 'refund')
    assert.equal(finalOutput, 'Refunded.')
    tape.assertComplete()
  }
})

const triage = () => {
  const billing = new Agent({ name: 'Billing', instructions: 'bill', model: 'small' })
  return new Agent({ name: 'Triage', instructions: 'triage', handoffs: [billing], model: 'large' })
}

test('traces alone: an agent that a tool runs has a run of its own', async () => {
  const { transcript } = await traced('nested', async () => {
    const runner = new Runner({
      modelProvider: openai(mock(mock.toolCall('research', { input: 'Rome' }, { id: 't1' }), '21 degrees', 'It is.'), true),
    })
    const researcher = new Agent({ name: 'Researcher', instructions: 'You look things up', model: 'small' })
    const research = researcher.asTool({
      toolName: 'research',
      toolDescription: 'Looks things up',
      runConfig: { modelProvider: runner.config.modelProvider },
    })
    const { finalOutput } = await runner.run(helpful('large', [research]), 'Is it warm in Rome?')
    assert.equal(finalOutput, 'It is.')
  })
  assert.deepEqual(typesOf(transcript), ['llm_call', 'tool_call', 'llm_call'])
  const { result } = transcript.execution[1].tool_call
  assert.equal(result.nested_transcript.execution[0].llm_response.content, '21 degrees')
})

test('traces report guardrails and errors', async () => {
  const outputGuardrails = [{ name: 'polite', execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) }]
  const { error, transcript } = await traced('guarded', async (recorder) => {
    const runner = new Runner({ modelProvider: recordOpenAIAgents(recorder).provider(openai(mock('Go away.'), true)) })
    await runner.run(helpful('large', [], { outputGuardrails }), 'Hi')
  })
  assert.equal(error.name, 'OutputGuardrailTripwireTriggered')
  const { context } = transcript.final_state
  assert.deepEqual(context.guardrails, { polite: true })
  assert.equal(context.errors.length, 1)
  assert.equal(context.errors[0].agent, 'Helper')
})

test('traces alone: a model call that fails has failed', async () => {
  const { error, transcript } = await traced('failed', async () => {
    const client = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async () => new Response('{"error": {"message": "too much"}}', { status: 500 }),
    })
    await new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client, useResponses: false }) }).run(helpful('large'), 'Hi')
  })
  assert.match(error.message, /too much/)
  assert.match(JSON.stringify(transcript.execution[0].llm_error), /too much/)
})

test('traces without data are reported once, and fail nothing', async () => {
  const { error, recorder } = await traced(
    'blank',
    async () => {
      const runner = new Runner({ modelProvider: openai(LIVE.weather(), true), traceIncludeSensitiveData: false })
      await runner.run(helpful('large', [weatherTool(sunny).weather]), 'Hi')
    },
    { problems: 1 },
  )
  assert.equal(error, undefined)
  assert.match(recorder.problems[0].message, /carry no data/)
})

/** What OpenAI would answer. */
const answering = (body, useResponses) => {
  const fetch = async (_, { body: request }) =>
    new Response(JSON.stringify({ instructions: JSON.parse(request).instructions, ...body }), {
      headers: { 'content-type': 'application/json' },
    })
  return new OpenAIProvider({ openAIClient: new OpenAI({ apiKey: 'none', fetch }), useResponses })
}

const kindsOf = ({ problems }) => problems.map(({ message }) => /part `(.*)`/.exec(message)?.[1])

test('traces alone: what OpenAI did itself in a response is reported once, and the answer is recorded', async () => {
  const search = (id) => ({ type: 'web_search_call', id, status: 'completed', action: { type: 'search', query: 'Rome' } })
  const message = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Sunny.', annotations: [] }],
  }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const body = { id: 'r', object: 'response', model: 'm', status: 'completed', output: [search('w1'), search('w2'), message], usage }
  const { recorder, transcript, file } = await traced(
    'searching',
    async () => {
      assert.equal((await new Runner({ modelProvider: answering(body, true) }).run(helpful('large'), 'Rome?')).finalOutput, 'Sunny.')
    },
    { problems: 1 },
  )
  assert.deepEqual(kindsOf(recorder), ['web_search_call'])
  assert.equal(transcript.execution[0].llm_response.content, 'Sunny.')
  const tape = await replay(file)
  const again = new Runner({ modelProvider: openAIAgentsProvider(tape), tracingDisabled: true })
  assert.equal((await again.run(helpful('large'), 'Rome?')).finalOutput, 'Sunny.')
  tape.assertComplete()
})

/** A chat completion with more than text. */
const sounding = (content) => {
  const message = { role: 'assistant', content, audio: { id: 'a', data: 'QUFB', transcript: 'Hello', expires_at: 1 } }
  return { id: 'c', object: 'chat.completion', model: 'm', created: 1, choices: [{ index: 0, message, finish_reason: 'stop' }] }
}

test('traces alone: sound that a model answers with is reported once', async () => {
  const { recorder } = await traced(
    'sound',
    async () => {
      const runner = new Runner({ modelProvider: answering(sounding('Hello'), false) })
      for (const input of ['Hi', 'Again']) await runner.run(helpful('large'), input)
    },
    { problems: 1 },
  )
  assert.deepEqual(kindsOf(recorder), ['audio'])
})

test('wrapped models: sound that a model answers with is reported once', async () => {
  const recorder = createRecorder({ name: 'sound' })
  // The SDK accepts audio without a text, and requests again until there is one.
  const runner = new Runner({
    modelProvider: recordOpenAIAgents(recorder).provider(answering(sounding(null), false)),
    tracingDisabled: true,
  })
  await assert.rejects(runner.run(helpful('large'), 'Hi', { maxTurns: 2 }), { name: 'MaxTurnsExceededError' })
  assert.deepEqual(kindsOf(recorder), ['audio'])
})

test('a processor takes whatever it gets, and what is no recorder is refused', async () => {
  assert.throws(() => openAIAgentsTracing({}), /takes a recorder/)
  const recorder = createRecorder({ name: 'odd' })
  const processor = openAIAgentsTracing(recorder)
  for (const method of ['onTraceStart', 'onTraceEnd', 'onSpanStart', 'onSpanEnd']) {
    for (const invalid of [undefined, null, {}, { spanData: { type: 'generation' } }]) await processor[method](invalid)
  }
  await processor.onSpanEnd({ spanId: 'never started', spanData: { type: 'function', name: 'x' } })
  await processor.forceFlush()
  await processor.shutdown()
  assert.deepEqual(recorder.finish().transcript.execution, [])
})
