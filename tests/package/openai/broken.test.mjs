// Streams that broke off: what the clients receive, and how it ends, over a fetch and over loopback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI, { APIError } from 'openai'
import { install, load } from '../support/tarball.mjs'
import { broken } from '../support/recordings.mjs'
import { offline } from './agent.mjs'

const { createRecorder, recordFetch, replay, replayFetch, serve } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/fetch',
  'transcript-workbench/server',
)

const CHUNKS = 'chunks: [{text: Hel}, {text: lo th}]'
const ending = (fields) => broken.replace('type: overloaded, message: too much, status: 529', `${fields}, ${CHUNKS}`)

const cut = ending('type: connection_error, message: "the stream was cut off: terminated"')
const failed = ending('type: overloaded, message: too much, status: 529')
const incomplete = ending('type: incomplete, message: the stream ended before the answer did')

const messages = [{ role: 'user', content: 'Hi' }]

/** How each protocol is called, and the text of its events. */
const PROTOCOLS = {
  chat: {
    sendRequest: (client, stream) => client.chat.completions.create({ model: 'm', messages, stream }),
    text: (event) => event.choices[0].delta.content,
  },
  responses: {
    sendRequest: (client, stream) => client.responses.create({ model: 'm', input: messages, stream }),
    text: (event) => (event.type === 'response.output_text.delta' ? event.delta : undefined),
  },
}

/** What is received of a stream, and the error that it ends by. */
const listen = async ({ sendRequest, text }, client) => {
  const received = []
  try {
    for await (const event of await sendRequest(client, true)) if (text(event)) received.push(text(event))
  } catch (error) {
    return { received, error }
  }
  return { received }
}

const overFetch = async (text, work) => {
  const fetch = replayFetch(await replay({ text }))
  await work(offline(OpenAI, fetch))
  fetch.assertComplete()
}

const overLoopback = async (text, work) => {
  const server = await serve({ text })
  try {
    await work(new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 }))
    server.assertComplete()
  } finally {
    await server.close()
  }
}

for (const [way, over] of Object.entries({ replayFetch: overFetch, serve: overLoopback })) {
  for (const [name, protocol] of Object.entries(PROTOCOLS)) {
    test(`a connection that was cut is cut again: ${name} over ${way}`, () =>
      over(cut, async (client) => {
        const { received, error } = await listen(protocol, client)
        assert.deepEqual(received, ['Hel', 'lo th'])
        // No vendor has answered: the connection is gone.
        assert.ok(error instanceof TypeError && !(error instanceof APIError), String(error))
        assert.match(error.message, way === 'serve' ? /terminated/ : /^the stream was cut off: terminated$/)
      }))

    test(`a failure that the vendor reported is reported again: ${name} over ${way}`, () =>
      over(failed, async (client) => {
        const { received, error } = await listen(protocol, client)
        assert.deepEqual(received, ['Hel', 'lo th'])
        assert.ok(error instanceof APIError)
        assert.match(error.message, /too much/)
      }))

    test(`a stream that just ended ends again: ${name} over ${way}`, () =>
      over(incomplete, async (client) => {
        assert.deepEqual(await listen(protocol, client), { received: ['Hel', 'lo th'] })
      }))

    test(`whoever wants the whole answer gets the failure: ${name} over ${way}`, () =>
      over(failed, async (client) => {
        await assert.rejects(protocol.sendRequest(client, false), { status: 529 })
      }))
  }
}

test('what breaks off again is recorded as it was, with its pieces or joined', async () => {
  for (const [text, type] of [
    [cut, 'connection_error'],
    [failed, 'overloaded'],
    [incomplete, 'incomplete'],
  ]) {
    for (const chunks of [true, false]) {
      for (const protocol of Object.values(PROTOCOLS)) {
        const recorder = createRecorder({ chunks })
        await listen(protocol, offline(OpenAI, recordFetch(recorder, { fetch: replayFetch(await replay({ text })) })))
        const { llm_error: error, llm_response: response } = recorder.finish().transcript.execution[0]
        assert.deepEqual([error.type, response], [type, undefined])
        assert.deepEqual(error.chunks, chunks ? [{ text: 'Hel' }, { text: 'lo th' }] : [{ text: 'Hello th' }])
      }
    }
  }
})

test('a request with a body of its own passes a recording fetch, whatever it asks', async () => {
  const seen = []
  const fetch = recordFetch(createRecorder(), { fetch: async (request) => (seen.push(await request.text()), new Response('{}')) })
  for (const path of ['embeddings', 'chat/completions']) {
    await fetch(new Request(`http://vendor.invalid/v1/${path}`, { method: 'POST', body: 'no JSON' }))
  }
  assert.deepEqual(seen, ['no JSON', 'no JSON'])
})
