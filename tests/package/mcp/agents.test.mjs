// Agents of the AI SDK with MCP tools: what the model's adapter and the transport see is one run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai'
import { all, linked, recorded, runsOf, toolsOf } from './package.mjs'
import { PIXEL } from './tools.mjs'

const { aiSdkModel, mock, recordAiSdk, recordMcp, replay, replayMcp } = all

const question = (tools) => ({ instructions: 'You are helpful', prompt: "What's the weather?", tools, stopWhen: isStepCount(9) })

const ways = {
  generate: async (settings) => (await generateText(settings)).text,
  stream: async (settings) => streamText(settings).text,
}

const oslo = { id: 't1', name: 'weather', arguments: { location: 'Oslo' } }
const rome = { id: 't2', name: 'weather', arguments: { location: 'Rome' } }

/** What the live models say. */
const LIVE = {
  parallel: {
    liveModel: () => mock(mock.create({ content: 'I look at both.', tool_calls: [oslo, rome] }), 'In Rome.'),
    tools: ['weather', 'weather'],
  },
  alike: { liveModel: () => mock(mock.create({ tool_calls: [rome, { ...rome, id: 't3' }] }), 'In Rome.'), tools: ['weather', 'weather'] },
  failing: { liveModel: () => mock(mock.toolCall('fail', {}, { id: 't1' }), 'In Rome.'), tools: ['fail'] },
}

const live = { read: (location) => ({ temp: location === 'Oslo' ? 5 : 25, condition: 'sunny' }) }

for (const [way, runAgent] of Object.entries(ways)) {
  for (const [name, { liveModel, tools: called }] of Object.entries(LIVE)) {
    for (const sees of ['with its telemetry', 'by the model alone']) {
      test(`${way}: a run with the calls \`${name}\`, recorded ${sees}, is one run, and replays without a model and a server`, async () => {
        const { transport, ran } = await linked(live)
        const { file, transcript } = await recorded(`${name}-${way}-${sees.slice(-5)}`, async (recorder) => {
          const client = await createMCPClient({ transport: recordMcp(recorder, transport) })
          const { middleware, telemetry } = recordAiSdk(recorder)
          const model = wrapLanguageModel({ model: aiSdkModel(liveModel()), middleware })
          const more = sees === 'by the model alone' ? {} : { telemetry: { integrations: [telemetry] } }
          assert.equal(await runAgent({ model, ...question(await client.tools()), ...more }), 'In Rome.')
          await client.close()
        })
        assert.deepEqual(
          ran.map(([tool]) => tool),
          called,
        )
        assert.deepEqual(
          transcript.execution.map(({ type }) => type),
          ['llm_call', ...called.map(() => 'tool_call'), 'llm_call'],
        )
        const ids = runsOf(transcript).map(({ id }) => id)
        assert.deepEqual(
          ids,
          transcript.execution[0].llm_response.tool_calls.map(({ id }) => id),
        )
        const [tape, tools] = [await replay(file), await toolsOf(file)]
        const client = await createMCPClient({ transport: replayMcp(tools) })
        assert.equal(await runAgent({ model: aiSdkModel(tape), ...question(await client.tools()) }), 'In Rome.')
        tape.assertComplete()
        tools.assertComplete()
        assert.equal(ran.length, called.length)
      })
    }
  }

  test(`${way}: a server that answers otherwise than it did is a divergence`, async () => {
    const make = async (recorder, read) => {
      const { transport } = await linked({ read })
      return createMCPClient({ transport: recorder === undefined ? transport : recordMcp(recorder, transport) })
    }
    const { file } = await recorded(`drift-${way}`, async (recorder) => {
      const client = await make(recorder, live.read)
      const { middleware } = recordAiSdk(recorder)
      const model = wrapLanguageModel({ model: aiSdkModel(LIVE.parallel.liveModel()), middleware })
      await runAgent({ model, ...question(await client.tools()) })
    })
    const tape = await replay(file)
    const client = await make(undefined, () => ({ temp: 6, condition: 'sunny' }))
    await assert.rejects(runAgent({ model: aiSdkModel(tape), ...question(await client.tools()) }), { name: 'TranscriptDivergenceError' })
    assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError', step: '4' })
  })

  test(`${way}: a call that was not recorded is reported in the end, though the agent passes it to its model`, async () => {
    const { transport } = await linked(live)
    const { file } = await recorded(`unknown-${way}`, async (recorder) => {
      const client = await createMCPClient({ transport: recordMcp(recorder, transport) })
      const { middleware } = recordAiSdk(recorder)
      await runAgent({
        model: wrapLanguageModel({ model: aiSdkModel(LIVE.parallel.liveModel()), middleware }),
        ...question(await client.tools()),
      })
    })
    const tools = await toolsOf(file)
    const client = await createMCPClient({ transport: replayMcp(tools) })
    const model = aiSdkModel(mock(mock.toolCall('weather', { location: 'Paris' }), 'I cannot tell.'))
    assert.equal(await runAgent({ model, ...question(await client.tools()) }), 'I cannot tell.')
    assert.throws(() => tools.assertComplete(), { name: 'TranscriptDivergenceError', path: 'arguments.location' })
  })
}

test('names with the server before them are those of its tools', async () => {
  const { transport } = await linked(live)
  const { file, transcript } = await recorded('prefixed', async (recorder) => {
    const client = await createMCPClient({ transport: recordMcp(recorder, transport, { server: 'my.weather' }) })
    const { middleware } = recordAiSdk(recorder)
    const { weather } = await client.tools()
    const liveModel = mock(mock.toolCall('mcp__my_weather__weather', { location: 'Rome' }, { id: 't1' }), 'In Rome.')
    const model = wrapLanguageModel({ model: aiSdkModel(liveModel), middleware })
    await generateText({ model, ...question({ mcp__my_weather__weather: weather }) })
  })
  assert.deepEqual(
    runsOf(transcript).map(({ id, tool_name: name }) => [id, name]),
    [['t1', 'mcp__my_weather__weather']],
  )
  const [tape, tools] = [await replay(file), await toolsOf(file)]
  const client = await createMCPClient({ transport: replayMcp(tools, { server: 'my.weather' }) })
  const { weather } = await client.tools()
  const { text } = await generateText({ model: aiSdkModel(tape), ...question({ mcp__my_weather__weather: weather }) })
  assert.equal(text, 'In Rome.')
  tape.assertComplete()
  tools.assertComplete()
})

test('a call that no model made is recorded next to those of the model', async () => {
  const { transport } = await linked(live)
  const { transcript } = await recorded('beside-model', async (recorder) => {
    const client = await createMCPClient({ transport: recordMcp(recorder, transport) })
    const { middleware } = recordAiSdk(recorder)
    await client.callTool({ name: 'say', arguments: { text: 'before' } })
    await generateText({
      model: wrapLanguageModel({ model: aiSdkModel(LIVE.failing.liveModel()), middleware }),
      ...question(await client.tools()),
    })
    await client.callTool({ name: 'say', arguments: { text: 'after' } })
  })
  assert.deepEqual(
    runsOf(transcript).map(({ tool_name: name }) => name),
    ['say', 'fail', 'say'],
  )
})

test('an image that a tool answers with is in the recording, and in a replay of the tools', async () => {
  const { transport } = await linked(live)
  const draw = async (make, liveModel) => {
    const client = await createMCPClient({ transport: make })
    const { steps } = await generateText({ model: liveModel, ...question(await client.tools()) })
    return steps[0].toolResults[0].output
  }
  const liveModel = () => aiSdkModel(mock(mock.toolCall('draw', {}, { id: 't1' }), 'Done.'))
  let drawn
  const { file, transcript } = await recorded('drawing', async (recorder) => {
    drawn = await draw(
      recordMcp(recorder, transport),
      wrapLanguageModel({ model: liveModel(), middleware: recordAiSdk(recorder).middleware }),
    )
  })
  assert.equal(drawn.content[1].data, PIXEL)
  assert.deepEqual(runsOf(transcript)[0].result.content[1].$binary, { media_type: 'image/png', base64: PIXEL })
  const tools = await toolsOf(file)
  assert.deepEqual(await draw(replayMcp(tools), liveModel()), drawn)
  tools.assertComplete()
})
