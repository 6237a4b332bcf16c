// Chat completions of the client, answered from recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { install, load } from '../support/tarball.mjs'
import * as recordings from '../support/recordings.mjs'
import { chat, offline, sunny } from './agent.mjs'

const { replay, replayFetch, TranscriptDivergence } = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')

const play = async (text, file = 'weather.yaml') => {
  const tape = await replay({ text, file })
  const fetch = replayFetch(tape)
  return { tape, fetch, client: offline(OpenAI, fetch) }
}

for (const way of ['create', 'stream', 'helper']) {
  test(`a tool loop runs as recorded: ${way}`, async () => {
    const { tape, client } = await play(recordings.weather)
    const ran = []
    assert.equal(await chat(client, way, (place) => ran.push(place) && sunny()), "It's 72°F and sunny!")
    assert.deepEqual(ran, ['NYC'])
    assert.deepEqual(tape.calls.map(({ step, outcome }) => [step, outcome]), [['1', 'response'], ['3', 'response']])
    tape.assertComplete()
  })

  test(`a drift ends the run with the explanation, and is asked once: ${way}`, async () => {
    const { tape, fetch, client } = await play(recordings.weather)
    await assert.rejects(chat(client, way, () => ({ temp: 72, condition: 'cloudy' })), (error) => {
      assert.equal(error.status, 400)
      assert.equal(error.code, 'transcript_divergence')
      assert.equal(error.param, 'messages[3].result.condition')
      assert.deepEqual([error.error.divergence.expected, error.error.divergence.actual], ['sunny', 'cloudy'])
      for (const part of ['weather.yaml', 'step 3', '"sunny"', '"cloudy"', 'hint: ']) assert.ok(error.message.includes(part), part)
      return true
    })
    assert.deepEqual(tape.calls.map(({ outcome }) => outcome), ['response', 'divergence'])
    assert.ok(fetch.lastDivergence instanceof TranscriptDivergence)
    assert.throws(() => tape.assertComplete(), fetch.lastDivergence)
    assert.throws(() => fetch.assertComplete(), fetch.lastDivergence)
  })
}
