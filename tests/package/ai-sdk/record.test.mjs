// Runs of the AI SDK recorded, saved, and replayed strictly.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Output, generateText, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { live } from '../support/live.mjs'
import { HISTORIES, checkHistory, partsOf } from '../support/histories.mjs'
import { install, load } from '../support/tarball.mjs'
import { question, sunny, weatherTool } from './agent.mjs'

const folder = install()
const { aiSdkModel, createRecorder, mock, parse, recordAiSdk, replay, validate } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/ai-sdk',
)

const LIVE = live(mock)

/** One run with a model: its text, streamed or not. */
const runs = {
  generate: async (model, more) => (await generateText({ model, ...question, ...more })).text,
  stream: async (model, more) => {
    const result = streamText({ model, ...question, ...more, onError: () => {} })
    for await (const _ of result.textStream);
    return await result.text
  },
}

/** Records a run, saves it, and gives the file. */
const recorded = async (name, live, runAgent, options = {}) => {
  const recorder = createRecorder({ name, recording: name, ...options })
  const { middleware, telemetry } = recordAiSdk(recorder)
  const model = wrapLanguageModel({ model: aiSdkModel(live), middleware })
  let error
  await runAgent(model, { telemetry: { integrations: [telemetry] } }).catch((thrown) => (error = thrown))
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, `${name}.yaml`))
  assert.deepEqual(validate({ text: readFileSync(file, 'utf8'), file }).diagnostics, [])
  return { file, error, transcript: recorder.finish().transcript }
}

const cloudy = () => ({ temp: 72, condition: 'cloudy' })

for (const [way, runAgent] of Object.entries(runs)) {
  test(`record: ${way} is recorded, replays strictly, and drifts`, async () => {
    const { file, transcript } = await recorded(`weather-${way}`, LIVE.weather(), (model, more) =>
      runAgent(model, { ...weatherTool(sunny), ...more }),
    )
    const types = transcript.execution.map(({ type }) => type)
    assert.deepEqual(types, ['llm_call', 'tool_call', 'llm_call'])
    assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
    assert.deepEqual(transcript.execution[0].messages_sent_to_llm, [{ ref: 'msg_001' }, { ref: 'msg_002' }])
    assert.equal(transcript.execution[0].llm_response.usage.prompt_tokens, 9)
    const tape = await replay(file)
    assert.equal(await runAgent(aiSdkModel(tape), weatherTool(sunny)), "It's 72°F and sunny!")
    tape.assertComplete()
    const drifted = await replay(file)
    await assert.rejects(runAgent(aiSdkModel(drifted), weatherTool(cloudy)), {
      name: 'TranscriptDivergenceError',
      step: '3',
      path: 'messages[3].result.condition',
    })
  })

  test(`record: parallel tools of ${way} replay, whichever ends first`, async () => {
    const late = (location) => (location === 'Oslo' ? new Promise((done) => setTimeout(() => done({ temp: 5 }), 5)) : { temp: 25 })
    const { file, transcript } = await recorded(`parallel-${way}`, LIVE.parallel(), (model, more) =>
      runAgent(model, { ...weatherTool(late), ...more }),
    )
    assert.deepEqual(
      transcript.execution.map(({ tool_call: call }) => call?.parameters.location),
      [undefined, 'Oslo', 'Rome', undefined],
    )
    const tape = await replay(file)
    assert.equal(
      await runAgent(
        aiSdkModel(tape),
        weatherTool((location) => ({ temp: location === 'Oslo' ? 5 : 25 })),
      ),
      'In Rome.',
    )
    tape.assertComplete()
  })

  test(`record: a failing tool of ${way} replays, and drifts when it no longer fails`, async () => {
    const boom = () => {
      throw new Error('no answer from the station')
    }
    const { file, transcript } = await recorded(`failing-${way}`, LIVE.weather(), (model, more) =>
      runAgent(model, { ...weatherTool(boom), ...more }),
    )
    const { success, error } = transcript.execution[1].tool_call
    assert.deepEqual([success, error], [false, 'no answer from the station'])
    const tape = await replay(file)
    assert.equal(await runAgent(aiSdkModel(tape), weatherTool(boom)), "It's 72°F and sunny!")
    tape.assertComplete()
    await assert.rejects(runAgent(aiSdkModel(await replay(file)), weatherTool(sunny)), { path: 'messages[3].is_error' })
  })
}

test('record: structured output is recorded with its schema, and replays', async () => {
  const output = Output.object({ schema: z.object({ city: z.string(), population: z.number() }) })
  const runAgent = async (model) => (await generateText({ model, prompt: 'Name a city', output })).output
  const { file, transcript } = await recorded('structured', LIVE.structured(), runAgent)
  assert.equal(transcript.execution[0].llm_config.response_schema.type, 'object')
  assert.deepEqual(await runAgent(aiSdkModel(await replay(file))), { city: 'Rome', population: 2_800_000 })
})

test('record: the pieces of a stream are kept where an option says so', async () => {
  const { transcript } = await recorded('pieces', LIVE.weather(), (model, more) => runs.stream(model, { ...weatherTool(sunny), ...more }), {
    chunks: true,
  })
  const chunks = transcript.execution[2].llm_response.chunks.map(({ text }) => text)
  assert.deepEqual(chunks, ["It's ", '72°F ', 'and ', 'sunny!'])
})

test('record: an error that streamText swallows is recorded, and so are a failure and its retry', async () => {
  const failing = {
    type: 'fail',
    times: 1,
    error: { type: 'rate_limit', message: 'slow down', status: 429 },
    then: { type: 'queue', responses: ['Hello!'] },
  }
  const { transcript } = await recorded('retried', mock(failing), runs.generate)
  assert.equal(transcript.execution[0].llm_error.status, 429)
  assert.equal(transcript.execution[1].llm_response.content, 'Hello!')
  const thrower = mock(
    mock.queue(mock.toolCall('weather', { location: 'NYC' }), () => {
      throw new Error('out of order')
    }),
  )
  const { transcript: swallowed } = await recorded('swallowed', thrower, (model, more) =>
    runs.stream(model, { ...weatherTool(sunny), ...more }),
  )
  assert.match(swallowed.execution[2].llm_error.message, /out of order/)
})

test('record: without telemetry the results are those that the model is sent', async () => {
  const recorder = createRecorder({ recording: 'bare' })
  const model = wrapLanguageModel({ model: aiSdkModel(LIVE.weather()), middleware: recordAiSdk(recorder).middleware })
  await runs.generate(model, weatherTool(sunny))
  const { text, transcript, problems } = recorder.finish()
  assert.deepEqual(problems, [])
  assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
  const document = parse(text)
  assert.deepEqual([document.ok, document.state(3).store.length], [true, 5])
})

test('record: what is no recorder is refused', () => {
  assert.throws(() => recordAiSdk({}), { name: 'TypeError', message: /createRecorder\(\) makes/ })
})

test('record: a tool that asks a model has a run of its own, and one tape replays both', async () => {
  const runAgent = async (model, inner, more) => {
    const research = tool({
      inputSchema: z.object({ input: z.string() }),
      execute: async ({ input }) => (await generateText({ model: inner, instructions: 'You look things up', prompt: input })).text,
    })
    return (await generateText({ model, ...question, tools: { research }, ...more })).text
  }
  const recorder = createRecorder({ name: 'nested', recording: 'nested' })
  const { middleware, telemetry } = recordAiSdk(recorder)
  const wrapped = (source) => wrapLanguageModel({ model: aiSdkModel(source), middleware })
  const both = mock.create({
    tool_calls: ['Rome', 'Oslo'].map((input) => ({ id: `call_${input}`, name: 'research', arguments: { input } })),
  })
  const outer = wrapped(mock(both, 'In Rome.'))
  // Each waits for the other, so that they are under way at once.
  const found = wrapped(
    mock(async ({ lastUser }) => {
      await new Promise((done) => setTimeout(done, 5))
      return `weather of ${lastUser}`
    }),
  )
  assert.equal(await runAgent(outer, found, { telemetry: { integrations: [telemetry] } }), 'In Rome.')
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, 'nested.yaml'))
  const runs = recorder
    .finish()
    .transcript.execution.filter(({ type }) => type === 'tool_call')
    .map(({ tool_call: { result } }) => result)
  assert.deepEqual(
    runs.map(({ agent_id: agent, nested_transcript: { execution } }) => [agent, execution.length, execution[0].llm_response.content]),
    [
      ['research', 1, 'weather of Rome'],
      ['research', 1, 'weather of Oslo'],
    ],
  )
  const tape = await replay(file)
  assert.equal(await runAgent(aiSdkModel(tape), aiSdkModel(tape)), 'In Rome.')
  tape.assertComplete()
})

test('record: a result that is frozen, and one that is nothing, are recorded as they are', async () => {
  for (const [result, kept] of [
    [Object.freeze({ days: Object.freeze([1]) }), { days: [1] }],
    [undefined, null],
    [null, null],
  ]) {
    const { file, transcript } = await recorded('odd', LIVE.weather(), (model, more) =>
      runs.generate(model, { ...weatherTool(() => result), ...more }),
    )
    assert.deepEqual(transcript.execution[1].tool_call.result, kept)
    const tape = await replay(file)
    await runs.stream(
      aiSdkModel(tape),
      weatherTool(() => result),
    )
    tape.assertComplete()
    // What a mocked tool gives may be changed: the next run gets it as it was recorded.
    for (let round = 0; round < 2; round += 1) {
      const mocked = await replay(file, { mode: 'mocked-tools' })
      const args = mocked.call({ name: 'weather', arguments: { location: 'NYC' } }).result
      assert.deepEqual(args, kept)
      args?.days.push(2)
    }
  }
})

const PICTURE = 'iVBORw0KGgo='

/** What a tool shows a model next to its words. */
const SHOWN = {
  base64: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PICTURE } },
  bytes: {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: Uint8Array.from(atob(PICTURE), (byte) => byte.charCodeAt(0)) },
  },
  'an address': { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://example.com/sky.png') } },
  'a part of its own': { type: 'custom', providerOptions: { mine: { sky: 'blue' } } },
}

for (const [name, part] of Object.entries(SHOWN)) {
  for (const [way, runAgent] of Object.entries(runs)) {
    test(`record: ${way}: what a tool shows as ${name} replays strictly`, async () => {
      const look = tool({
        inputSchema: z.object({}),
        execute: async () => ({ seen: true }),
        toModelOutput: () => ({ type: 'content', value: [{ type: 'text', text: 'The sky: ' }, part, { type: 'text', text: '!' }] }),
      })
      const liveModel = () => mock(mock.toolCall('look', {}, { id: 't1' }), 'It is blue.')
      const { file, error } = await recorded(`shown-${way}-${name.replaceAll(' ', '-')}`, liveModel(), (model, more) =>
        runAgent(model, { ...more, tools: { look } }),
      )
      assert.equal(error, undefined)
      const tape = await replay(file)
      assert.equal(await runAgent(aiSdkModel(tape), { tools: { look } }), 'It is blue.')
      tape.assertComplete()
      const blind = { ...look, toModelOutput: () => ({ type: 'text', value: 'The sky: !' }) }
      await assert.rejects(runAgent(aiSdkModel(await replay(file)), { tools: { look: blind } }), { name: 'TranscriptDivergenceError' })
    })
  }
}

test('record: a second question goes on in the same recording', async () => {
  const recorder = createRecorder({ recording: 'twice' })
  const runAgent = async (model) => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const { response } = await generateText({ model, messages })
    messages.push(...response.messages, { role: 'user', content: 'Hi' })
    return (await generateText({ model, messages })).text
  }
  await runAgent(wrapLanguageModel({ model: aiSdkModel(mock('Hello!', 'Hello again!')), middleware: recordAiSdk(recorder).middleware }))
  const { text, transcript, problems } = recorder.finish()
  assert.deepEqual(problems, [])
  assert.deepEqual(
    transcript.execution.map(({ type }) => type),
    ['llm_call', 'message', 'llm_call'],
  )
  const tape = await replay({ text })
  assert.equal(await runAgent(aiSdkModel(tape)), 'Hello again!')
  tape.assertComplete()
})

test('record: what cannot be recorded is reported, and does not fail the run', async () => {
  const recorder = createRecorder({ recording: 'odd' })
  const { middleware } = recordAiSdk(recorder)
  const result = { content: [{ type: 'text', text: 'Hello!' }] }
  assert.equal(await middleware.wrapGenerate({ doGenerate: async () => result, params: { prompt: [null] } }), result)
  assert.match(recorder.problems[0].message, /unreadable/)
})

/** A model that answers with these parts, streamed or not, and ends for `finishReason`; without one its stream just ends. */
const answering = (content, finishReason) => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const streamed = content.flatMap((part, at) =>
    part.type === 'text'
      ? [
          { type: 'text-start', id: `${at}` },
          { type: 'text-delta', id: `${at}`, delta: part.text },
          { type: 'text-end', id: `${at}` },
        ]
      : [part],
  )
  const parts = [{ type: 'stream-start', warnings: [] }, ...streamed, ...(finishReason ? [{ type: 'finish', finishReason, usage }] : [])]
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
    doStream: async () => ({ stream: ReadableStream.from(parts) }),
  }
}

const answer = [{ type: 'text', text: 'One moment' }]

const endings = {
  generate: async (model) => {
    const { text, finishReason, rawFinishReason } = await generateText({ model, ...question })
    return { text, finishReason, rawFinishReason }
  },
  stream: async (model) => {
    const result = streamText({ model, ...question })
    return { text: await result.text, finishReason: await result.finishReason, rawFinishReason: await result.rawFinishReason }
  },
}

for (const [way, runAgent] of Object.entries(endings)) {
  test(`record: an answer of ${way} ends as it did, in the words of the SDK and of the vendor`, async () => {
    const reasons = [
      { unified: 'other', raw: 'pause_turn' },
      { unified: 'stop', raw: 'pause_turn' },
      { unified: 'other', raw: 'odd' },
      { unified: 'error', raw: 'error' },
      { unified: 'stop', raw: 'stop_sequence' },
      { unified: 'length', raw: 'model_context_window_exceeded' },
    ]
    for (const [at, reason] of [...reasons, ...(way === 'stream' ? [undefined] : [])].entries()) {
      const recorder = createRecorder({ name: 'ending' })
      const live = await runAgent(wrapLanguageModel({ model: answering(answer, reason), middleware: recordAiSdk(recorder).middleware }))
      assert.equal(live.finishReason, reason?.unified ?? 'other')
      assert.equal(live.rawFinishReason, reason?.raw)
      const tape = await replay(await recorder.save(join(folder, `ending-${way}-${at}.yaml`)))
      assert.deepEqual(await runAgent(aiSdkModel(tape)), live)
      tape.assertComplete()
    }
  })
}

for (const [way, runAgent] of Object.entries(endings)) {
  test(`record: what ${way} is answered besides words and calls of the program is reported once per kind`, async () => {
    const content = [
      { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'c1', toolName: 'search', result: ['found'] },
      { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'QUFB' } },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'QUFC' } },
      ...answer,
    ]
    const recorder = createRecorder({ name: 'besides' })
    const model = wrapLanguageModel({
      model: answering(content, { unified: 'stop', raw: 'stop' }),
      middleware: recordAiSdk(recorder).middleware,
    })
    assert.equal((await runAgent(model)).text, 'One moment')
    const kinds = recorder.problems.map(({ message }) => /`(.*)`/.exec(message)?.[1])
    assert.deepEqual(kinds, ['tool-call of the provider', 'tool-result of the provider', 'source', 'file'])
  })
}

for (const [name, calls] of Object.entries(HISTORIES)) {
  test(`record: what is new in a request: ${name}`, async () => {
    const recorder = createRecorder({ recording: 'r1' })
    const model = recordAiSdk(recorder).model({
      specificationVersion: 'v4',
      doGenerate: async ({ answer }) => {
        if (answer === undefined) throw new Error('slow down')
        return { content: [{ type: 'text', text: answer }], finishReason: 'stop' }
      },
    })
    for (const { sends, answer } of calls) {
      const prompt = sends.map(partsOf).map(([role, text]) => ({ role, content: role === 'system' ? text : [{ type: 'text', text }] }))
      await model.doGenerate({ prompt, answer }).catch(() => {})
    }
    checkHistory(recorder, calls)
  })
}
