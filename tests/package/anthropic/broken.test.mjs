// Streams that broke off: what the client of Anthropic receives, and how it ends, over a fetch and over loopback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { install, load } from '../support/tarball.mjs'
import { broken } from '../support/recordings.mjs'

const { proxy, replay, replayFetch, serve } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
  'transcript-workbench/server',
)

const ending = (fields) =>
  broken.replace('type: overloaded, message: too much, status: 529', `${fields}, chunks: [{reasoning: Hm}, {text: Hel}, {text: lo th}]`)
const cut = ending('type: connection_error, message: "the stream was cut off: terminated"')
const failed = ending('type: overloaded_error, message: too much')

const hi = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], stream: true }

const listen = async (client) => {
  const received = []
  try {
    for await (const { delta } of await client.messages.create(hi)) {
      const answer = delta?.thinking ?? delta?.text
      if (answer) received.push(answer)
    }
  } catch (error) {
    return { received, error }
  }
  return assert.fail('it did not break off')
}

const WAYS = {
  replayFetch: async (text, work) => {
    const fetch = replayFetch(await replay({ text }))
    await work(new Anthropic({ apiKey: 'none', baseURL: 'http://replay.invalid', fetch, maxRetries: 0 }))
  },
  serve: async (text, work) => {
    const server = await serve({ text })
    await work(new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 })).finally(() => server.close())
  },
}

for (const [way, over] of Object.entries(WAYS)) {
  test(`a connection that was cut is cut again, over ${way}`, () =>
    over(cut, async (client) => {
      const { received, error } = await listen(client)
      assert.deepEqual(received, ['Hm', 'Hel', 'lo th'])
      assert.ok(error instanceof TypeError && !(error instanceof APIError), String(error))
    }))

  test(`a failure that the vendor reported is reported again, over ${way}`, () =>
    over(failed, async (client) => {
      const { received, error } = await listen(client)
      assert.deepEqual(received, ['Hm', 'Hel', 'lo th'])
      assert.ok(error instanceof APIError)
      assert.match(error.message, /overloaded_error.*too much/)
    }))
}

test('a proxy before a server that cuts its stream records the cut', async () => {
  const server = await serve({ text: cut })
  const recording = await proxy({ upstream: server.url })
  try {
    const { error } = await listen(new Anthropic({ apiKey: 'none', baseURL: recording.url, maxRetries: 0 }))
    assert.ok(error instanceof TypeError)
    const { llm_error: report } = recording.recorder().finish().transcript.execution[0]
    assert.equal(report.type, 'connection_error')
    assert.deepEqual(report.chunks, [{ reasoning: 'Hm' }, { text: 'Hello th' }])
  } finally {
    await recording.close()
    await server.close()
  }
})
