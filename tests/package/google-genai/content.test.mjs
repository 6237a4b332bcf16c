// Contents of the client, answered from recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { converse, errorOf, offline, run, sunny, ways, weather } from './agent.mjs'

const { mock, replay, replayFetch } = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')

const play = async (text, options) => {
  const tape = await replay({ text, file: 'weather.yaml' }, options)
  const fetch = replayFetch(tape)
  return { tape, fetch, ai: offline(GoogleGenAI, fetch) }
}

const hi = { model: 'gemini-x', contents: 'Hi' }
const fails = () => {
  throw new Error('no answer')
}

for (const way of Object.keys(ways)) {
  test(`a tool loop runs as recorded, with and without the ids of calls: ${way}`, async () => {
    for (const withIds of [true, false]) {
      const { tape, ai } = await play(recordings.weather)
      assert.equal(await run(ai, way, sunny, { withIds }), "It's 72°F and sunny!")
      assert.equal(tape.calls[1].messages.at(-1).parts[0].functionResponse.id === undefined, !withIds)
      tape.assertComplete()
    }
  })

  test(`parallel tools, and one that fails in other words: ${way}`, async () => {
    const read = (place) => ({ temp: place === 'Oslo' ? 5 : 25 })
    for (const withIds of [true, false]) {
      const both = await play(recordings.parallel)
      assert.equal(await run(both.ai, way, read, { system: '', question: 'Where is it warmer?', withIds }), 'In Rome.')
      both.tape.assertComplete()
    }
    const down = await play(recordings.failing)
    assert.equal(await run(down.ai, way, fails, { system: '' }), 'I cannot tell.')
    down.tape.assertComplete()
    const up = await play(recordings.failing)
    await assert.rejects(run(up.ai, way, sunny, { system: '' }), (error) => error.status === 400 && /is_error/.test(error.message))
  })

  test(`a drift ends the run with the explanation, and is requested once: ${way}`, async () => {
    const { tape, fetch, ai } = await play(recordings.weather)
    await assert.rejects(
      run(ai, way, () => ({ temp: 72, condition: 'cloudy' })),
      (error) => {
        assert.equal(error.status, 400)
        const { code, status, message, details, divergence } = errorOf(error)
        assert.deepEqual([code, status, details[0].reason], [400, 'INVALID_ARGUMENT', 'transcript_divergence'])
        assert.deepEqual([divergence.path, divergence.expected], ['messages[3].result.condition', 'sunny'])
        for (const part of ['weather.yaml', 'step 3', 'hint: ']) assert.ok(message.includes(part), part)
        return true
      },
    )
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.throws(() => tape.assertComplete(), fetch.lastDivergence)
  })
}

test('the client calls the tool itself', async () => {
  const { tape, ai } = await play(recordings.weather)
  const tool = {
    tool: async () => ({ functionDeclarations: [weather] }),
    callTool: async (calls) => calls.map(({ name }) => ({ functionResponse: { name, response: sunny() } })),
  }
  const { text } = await ai.models.generateContent({
    model: 'gemini-x',
    contents: "What's the weather?",
    config: { systemInstruction: 'You are helpful', tools: [tool] },
  })
  assert.equal(text, "It's 72°F and sunny!")
  tape.assertComplete()
})

test('Vertex AI has other paths', async () => {
  const express = await play(recordings.weather)
  assert.equal(await run(offline(GoogleGenAI, express.fetch, { vertexai: true }), 'stream', sunny), "It's 72°F and sunny!")
  express.tape.assertComplete()
  const { fetch } = await play(recordings.weather)
  const url = 'https://h/v1/projects/p/locations/eu/publishers/google/models/gemini-x:generateContent'
  const contents = [{ parts: [{ text: "What's the weather?" }] }]
  const body = JSON.stringify({ contents, systemInstruction: { parts: [{ text: 'You are helpful' }] } })
  const answer = await (await fetch(url, { method: 'POST', body })).json()
  assert.equal(answer.candidates[0].content.parts[1].functionCall.name, 'weather')
  assert.equal(answer.modelVersion, 'gemini-x')
})

test('reasoning, usage, a refusal and an answer that was cut off', async () => {
  for (const way of ['generate', 'streamed chat']) {
    const one = async (fields) => converse((await play(recordings.answering(fields))).ai, way, sunny, { question: 'Hi', system: '' })
    const usage = {
      prompt_tokens: 16,
      completion_tokens: 6,
      prompt_tokens_details: { cached_tokens: 6 },
      completion_tokens_details: { reasoning_tokens: 2 },
    }
    const thought = await one({ content: 'Four.', reasoning: 'two and two', usage })
    assert.equal(thought.text, 'Four.')
    const thoughts = thought.parts.filter((part) => part.thought).map(({ text }) => text)
    assert.equal(thoughts.join(''), 'two and two')
    assert.equal(thought.last.candidates[0].finishReason, 'STOP')
    assert.deepEqual(
      { ...thought.last.usageMetadata },
      { promptTokenCount: 16, candidatesTokenCount: 4, totalTokenCount: 22, cachedContentTokenCount: 6, thoughtsTokenCount: 2 },
    )
    const refused = await one({ content: null, refusal: 'I must not.' })
    assert.deepEqual([refused.last.candidates[0].finishReason, refused.text], ['SAFETY', 'I must not.'])
    const cut = await one({ content: 'And so', finish_reason: 'length' })
    assert.equal(cut.last.candidates[0].finishReason, 'MAX_TOKENS')
  }
})

test('a recorded failure is retried where the recording goes on, and only there', async () => {
  const retryOptions = { attempts: 2, initialDelay: 0.001 }
  const goesOn = await play(recordings.retried)
  const retrying = offline(GoogleGenAI, goesOn.fetch, { httpOptions: { retryOptions } })
  assert.equal((await retrying.models.generateContent(hi)).text, 'Hello!')
  goesOn.tape.assertComplete()
  const ends = await play(recordings.broken)
  await assert.rejects(ends.ai.models.generateContent(hi), (error) => {
    assert.deepEqual([error.status, errorOf(error)], [529, { code: 529, message: 'too much', status: 'overloaded' }])
    return true
  })
  assert.equal(ends.tape.calls.length, 1)
})

test('the model, settings and tools are compared if the replay is told so', async () => {
  const recorded = `
version: "1.0"
agent_config: {model: gemini-x, tools: [{name: weather, parameters: {type: object, properties: {location: {type: string}}, required: [location]}}]}
initial_state: {message_store: [{id: msg_001, role: user, content: Hi}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_config: {temperature: 0, max_tokens: 9, tool_choice: required}
    llm_response: {content: Hello!}
`
  const compare = ['model', 'settings', 'tools']
  const config = {
    temperature: 0,
    maxOutputTokens: 9,
    tools: [{ functionDeclarations: [weather] }],
    toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
  }
  const { ai } = await play(recorded, { compare })
  assert.equal((await ai.models.generateContent({ ...hi, config })).text, 'Hello!')
  const other = await play(recorded, { compare })
  await assert.rejects(other.ai.models.generateContent({ ...hi, config: { ...config, maxOutputTokens: 99 } }), (error) => {
    assert.equal(errorOf(error).divergence.path, 'settings.max_tokens')
    return true
  })
})

test('a stream comes in the recorded pieces', async () => {
  const { ai } = await play(recordings.chunked)
  const pieces = []
  for await (const { text } of await ai.models.generateContentStream(hi)) pieces.push(text)
  assert.deepEqual(pieces, ['Hel', 'lo th', 'ere'])
})

test('a mock answers too, and knows the tools of a request', async () => {
  for (const way of Object.keys(ways)) {
    const model = mock({
      type: 'conditional',
      rules: [
        { when: "last_role == 'tool'", respond: "It's {{ last_result.temp }}°F!" },
        {
          when: "contains(tools, 'weather')",
          respond: { content: null, tool_calls: [{ name: 'weather', arguments: { location: 'NYC' } }] },
        },
      ],
      default: 'There is no tool.',
    })
    assert.equal(await run(offline(GoogleGenAI, replayFetch(model)), way, sunny), "It's 72°F!")
  }
})

test('a path that no model has is reported in the words of the vendor, and models are listed', async () => {
  const { ai } = await play(recordings.weather)
  await assert.rejects(ai.models.countTokens(hi), (error) => {
    assert.deepEqual([error.status, errorOf(error).status], [404, 'NOT_FOUND'])
    assert.match(error.message, /nothing answers `POST \/v1\/models\/gemini-x:countTokens` here/)
    return true
  })
  const names = []
  for await (const { name } of await ai.models.list()) names.push(name)
  assert.deepEqual(names, ['models/recorded-model'])
})
