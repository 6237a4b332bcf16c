// Contents of the client, answered from recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountTokensCommand, InvokeModelCommand, ThrottlingException, ValidationException } from '@aws-sdk/client-bedrock-runtime'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { MODEL, converseWith, offline, run, sunny, ways } from './agent.mjs'

const { createRecorder, mock, parse, recordFetch, replay, replayFetch } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
)

const play = async (text, options) => {
  const tape = await replay({ text, file: 'weather.yaml' }, options)
  const fetch = replayFetch(tape)
  return { tape, fetch, client: offline(fetch) }
}

const hi = { question: 'Hi', system: '', plain: true }

for (const way of Object.keys(ways)) {
  test(`a drift ends the run with the explanation in the error of the client: ${way}`, async () => {
    const { tape, fetch, client } = await play(recordings.weather)
    await assert.rejects(
      run(client, way, () => ({ temp: 72, condition: 'cloudy' })),
      (error) => {
        assert.ok(error instanceof ValidationException)
        assert.deepEqual([error.$metadata.httpStatusCode, error.code], [400, 'transcript_divergence'])
        assert.deepEqual([error.divergence.path, error.divergence.expected], ['messages[3].result.condition', 'sunny'])
        for (const part of ['weather.yaml', 'step 3', 'hint: ']) assert.ok(error.message.includes(part), part)
        return true
      },
    )
    assert.deepEqual(
      tape.calls.map(({ outcome }) => outcome),
      ['response', 'divergence'],
    )
    assert.equal(fetch.lastDivergence.path, 'messages[3].result.condition')
  })

  test(`thoughts and counts of tokens come as they were recorded: ${way}`, async () => {
    const usage = { inputTokens: 5, outputTokens: 7, totalTokens: 912, cacheReadInputTokens: 900 }
    const source = mock(mock.create({ reasoning: 'Hm. Well.', content: 'Hello!', usage }))
    const { messages, usage: counted, text } = await converseWith(offline(replayFetch(source)), way, sunny, hi)
    const [thought] = messages.at(-1).content
    assert.equal(thought.thinking ?? thought.reasoningContent.reasoningText.text, 'Hm. Well.')
    assert.equal(text, 'Hello!')
    assert.deepEqual(
      [counted.inputTokens ?? counted.input_tokens, counted.cacheReadInputTokens ?? counted.cache_read_input_tokens],
      [5, 900],
    )
  })

  test(`a failure has the type and the status of the vendor, and is recorded with them: ${way}`, async () => {
    const failing = mock.fail({ status: 429, type: 'ThrottlingException', message: 'Too many tokens' })
    const recorder = createRecorder({ name: 'failing' })
    const client = offline(recordFetch(recorder, { fetch: replayFetch(mock(failing)) }))
    await assert.rejects(run(client, way, sunny, hi), (error) => {
      assert.ok(error instanceof ThrottlingException)
      assert.deepEqual([error.message, error.$metadata.httpStatusCode], ['Too many tokens', 429])
      return true
    })
    const { transcript, problems } = recorder.finish()
    assert.deepEqual(problems, [])
    const { type, message, status } = transcript.execution[0].llm_error
    assert.deepEqual([type, message, status], ['ThrottlingException', 'Too many tokens', 429])
  })
}

test('an image is compared, and settings and tools are recorded', async () => {
  const recorder = createRecorder({ name: 'image' })
  const client = offline(recordFetch(recorder, { fetch: replayFetch(mock('A dot.')) }))
  const image = new Uint8Array([1, 2, 3])
  assert.equal(await run(client, 'streamed converse', sunny, { image, question: 'What is it?' }), 'A dot.')
  const { text, transcript, problems } = recorder.finish()
  assert.deepEqual(problems, [])
  assert.deepEqual(parse(text).diagnostics, [])
  assert.equal(transcript.agent_config.model, MODEL)
  assert.equal(transcript.execution[0].llm_config?.max_tokens ?? transcript.agent_config.max_tokens, 256)
  assert.ok(text.includes('AQID'))
  const again = await play(text)
  assert.equal(await run(again.client, 'converse', sunny, { image, question: 'What is it?' }), 'A dot.')
  again.tape.assertComplete()
  const other = await play(text)
  const drawn = run(other.client, 'converse', sunny, { image: new Uint8Array([1, 2, 4]), question: 'What is it?' })
  await assert.rejects(drawn, ({ divergence }) => divergence.path.startsWith('messages[1].parts[0]'))
})

test('a model of another vendor passes the recorder, and is refused by a replay', async () => {
  const embedding = { embedding: [0.5], inputTextTokenCount: 1 }
  const recorder = createRecorder()
  const fetch = recordFetch(recorder, { fetch: async () => Response.json(embedding) })
  const client = offline(fetch)
  const command = new InvokeModelCommand({ modelId: 'amazon.titan-embed-text-v2:0', body: JSON.stringify({ inputText: 'Hi' }) })
  const { body } = await client.send(command)
  assert.deepEqual(JSON.parse(new TextDecoder().decode(body)), embedding)
  assert.deepEqual([recorder.problems, recorder.finish().execution ?? []], [[], []])
  const replayed = await play(recordings.weather)
  await assert.rejects(replayed.client.send(command), (error) => {
    assert.equal(error.$metadata.httpStatusCode, 404)
    assert.match(error.message, /the body has no `anthropic_version`/)
    return true
  })
})

test('a path that no model has is reported in the words of the vendor', async () => {
  const { client } = await play(recordings.weather)
  const count = new CountTokensCommand({ modelId: MODEL, input: { converse: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] } } })
  await assert.rejects(client.send(count), (error) => {
    assert.deepEqual([error.name, error.$metadata.httpStatusCode], ['ResourceNotFoundException', 404])
    assert.match(error.message, /nothing answers `POST \/model\/[^`]*\/count-tokens` here/)
    return true
  })
})
