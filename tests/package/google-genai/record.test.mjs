// Recording through the client, and playing what was recorded, with the client of another vendor too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import * as openai from '../openai/agent.mjs'
import { converse, offline, run, sunny, ways } from './agent.mjs'

const { createRecorder, parse, recordFetch, replay, replayFetch } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
)

const KEY = 'AIzaSyA-0123456789abcdefghijklmnopqrstu'

const recording = (vendor) => {
  const recorder = createRecorder({ name: 'weather', chunks: true, recording: 'r1' })
  return { recorder, fetch: recordFetch(recorder, { fetch: vendor }) }
}

const finished = (recorder) => {
  const { text, transcript, problems } = recorder.finish()
  assert.deepEqual(problems, [])
  const document = parse(text)
  assert.deepEqual(document.diagnostics, [], document.render())
  assert.ok(!text.includes(KEY), text)
  return { text, transcript }
}

const types = ({ execution }) => execution.map(({ type }) => type)

for (const way of Object.keys(ways)) {
  test(`a run is recorded, plays strictly, and reports a drift: ${way}`, async () => {
    const { recorder, fetch } = recording(replayFetch(await replay({ text: recordings.weather })))
    assert.equal(await run(offline(GoogleGenAI, fetch, { apiKey: KEY }), way, sunny), "It's 72°F and sunny!")
    const { text, transcript } = finished(recorder)
    assert.deepEqual(types(transcript), ['llm_call', 'tool_call', 'llm_call'])
    assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
    assert.equal(transcript.agent_config.model, 'gemini-x')
    for (const again of Object.keys(ways)) {
      const tape = await replay({ text, file: 'recorded.yaml' })
      assert.equal(await run(offline(GoogleGenAI, replayFetch(tape)), again, sunny), "It's 72°F and sunny!", again)
      tape.assertComplete()
    }
    const drifting = replayFetch(await replay({ text }))
    await assert.rejects(
      run(offline(GoogleGenAI, drifting), way, () => ({ temp: 1, condition: 'sunny' })),
      { status: 400 },
    )
    assert.equal(drifting.lastDivergence.path, 'messages[3].result.temp')
  })
}

test('what was recorded with one client plays with that of another vendor', async () => {
  const first = recording(replayFetch(await replay({ text: recordings.weather })))
  await openai.chat(openai.offline(OpenAI, first.fetch), 'stream', sunny)
  const ofOpenai = finished(first.recorder).text
  for (const way of Object.keys(ways)) {
    const tape = await replay({ text: ofOpenai })
    assert.equal(await run(offline(GoogleGenAI, replayFetch(tape)), way, sunny), "It's 72°F and sunny!")
    tape.assertComplete()
  }
  const second = recording(replayFetch(await replay({ text: recordings.weather })))
  await run(offline(GoogleGenAI, second.fetch), 'streamed chat', sunny)
  const ofGemini = finished(second.recorder).text
  for (const play of [openai.chat, openai.responses]) {
    const tape = await replay({ text: ofGemini })
    assert.equal(await play(openai.offline(OpenAI, replayFetch(tape)), 'helper', sunny), "It's 72°F and sunny!")
    tape.assertComplete()
  }
})

const call = (location) => ({ functionCall: { name: 'weather', args: { location } } })
const usage = { promptTokenCount: 5, candidatesTokenCount: 7, thoughtsTokenCount: 2, totalTokenCount: 14 }

/** The API as it was before calls had ids: two calls of one tool, twice, and an answer. */
const withoutIds = () => {
  const answers = [
    [{ text: 'Hm', thought: true }, { text: 'I look. ' }, call('Oslo'), call('Rome')],
    [{ text: 'Again. ' }, call('Oslo'), call('Rome')],
    [{ text: 'In ' }, { text: 'Rome.' }],
  ]
  return async (url) => {
    const parts = answers.shift()
    const body = (some, isLast) => ({
      candidates: [{ content: { parts: some, role: 'model' }, ...(isLast ? { finishReason: 'STOP' } : {}), index: 0 }],
      ...(isLast ? { usageMetadata: usage } : {}),
      modelVersion: 'gemini-x-001',
      responseId: `r${answers.length}`,
    })
    if (!String(url).includes(':streamGenerateContent')) return Response.json(body(parts, true))
    const events = parts.map((part, at) => `data: ${JSON.stringify(body([part], at === parts.length - 1))}\r\n\r\n`)
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }
}

for (const way of Object.keys(ways)) {
  test(`calls without ids get some, and results find them: ${way}`, async () => {
    const read = (place) => ({ temp: place === 'Oslo' ? 5 : 25 })
    const { recorder, fetch } = recording(withoutIds())
    const scenario = { question: 'Where is it warmer?' }
    assert.equal(await run(offline(GoogleGenAI, fetch), way, read, scenario), 'In Rome.')
    const { text, transcript } = finished(recorder)
    assert.deepEqual(types(transcript), ['llm_call', 'tool_call', 'tool_call', 'llm_call', 'tool_call', 'tool_call', 'llm_call'])
    const ran = transcript.execution.flatMap(({ tool_call: one }) => (one ? [[one.parameters.location, one.result.temp]] : []))
    assert.deepEqual(ran, [
      ['Oslo', 5],
      ['Rome', 25],
      ['Oslo', 5],
      ['Rome', 25],
    ])
    const ids = transcript.execution.flatMap(({ tool_call: one }) => one?.tool_call_id ?? one?.id ?? [])
    assert.equal(new Set(ids).size, ids.length)
    const { reasoning, usage: counted, model } = transcript.execution[0].llm_response
    assert.deepEqual([reasoning, counted, model], ['Hm', usage, 'gemini-x-001'])
    for (const withIds of [true, false]) {
      const tape = await replay({ text })
      assert.equal(await run(offline(GoogleGenAI, replayFetch(tape)), way, read, { ...scenario, withIds }), 'In Rome.')
      tape.assertComplete()
    }
  })
}

test('reasoning, failures and a blocked request are recorded, streamed or not', async () => {
  for (const way of ['generate', 'stream']) {
    const one = async (vendor) => {
      const { recorder, fetch } = recording(vendor)
      await converse(offline(GoogleGenAI, fetch), way, sunny, { question: 'Hi', system: '', tools: [] }).catch(() => {})
      return finished(recorder).transcript.execution[0]
    }
    const { llm_response: thought } = await one(
      replayFetch(await replay({ text: recordings.answering({ content: 'Four.', reasoning: 'two and two' }) })),
    )
    assert.deepEqual([thought.content, thought.reasoning, thought.finish_reason], ['Four.', 'two and two', 'STOP'])
    const { llm_error: failed } = await one(replayFetch(await replay({ text: recordings.broken })))
    assert.deepEqual(failed, { type: 'overloaded', message: 'too much', status: 529 })
    const google = { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } }
    const { llm_error: limited } = await one(async () => Response.json(google, { status: 429 }))
    assert.deepEqual(limited, { type: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded', status: 429 })
  }
})
