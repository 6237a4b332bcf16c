// How `generate` reads streams of an endpoint.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const { generate } = await load(install(), 'transcript-workbench')

/** A stream in which each event comes as a piece of its own. */
const eventsOf = (...events) => {
  const pieces = events.map((event) => new TextEncoder().encode(`data: ${event}\n\n`))
  const body = new ReadableStream({
    pull: (control) => {
      if (pieces.length > 0) control.enqueue(pieces.shift())
      else control.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
const deltaOf = (delta, finish = null) => JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })
const repliedBy = async (response, options = {}) => {
  const seen = []
  const failed = await generate('x', {
    endpoint: { model: 'm', fetch: async () => response },
    rounds: 0,
    onProgress: ({ phase, text }) => phase === 'writing' && seen.push(text),
    ...options,
  }).catch((error) => error)
  return { ...failed, message: failed.message, seen }
}

test('content in parts is read as it comes', async () => {
  const parts = (...texts) => deltaOf({ content: texts.map((text) => ({ type: 'text', text })) })
  const {
    response: reply,
    seen,
    usage,
  } = await repliedBy(
    eventsOf(
      parts('Hel'),
      parts('l', 'o'),
      deltaOf({}, 'stop'),
      '{"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}',
      '[DONE]',
    ),
  )
  assert.equal(reply, 'Hello')
  assert.deepEqual([...new Set(seen)], ['Hel', 'Hello'])
  assert.deepEqual([usage.inputTokens, usage.outputTokens], [3, 2])
  const broken = await repliedBy(eventsOf(parts('Hel'), parts('lo'), '{"error": {"message": "died"}}'))
  assert.deepEqual([broken.response, broken.message], ['Hello', 'the endpoint failed amid its answer: died'])
})

test('an emoji in two events stays whole', async () => {
  const { response: reply } = await repliedBy(
    eventsOf(deltaOf({ content: 'Sunny \ud83d' }), deltaOf({ content: '\ude00!' }), deltaOf({}, 'stop')),
  )
  assert.equal(reply, 'Sunny \u{1f600}!')
})

test('a stream without an end is given up, whatever its form', async () => {
  for (const content of ['x'.repeat(100_000), [{ type: 'text', text: 'x'.repeat(100_000) }]]) {
    let read = 0
    const body = new ReadableStream({
      pull: (control) => {
        read += 1
        control.enqueue(new TextEncoder().encode(`data: ${deltaOf({ content })}\n\n`))
      },
    })
    const { response: reply } = await repliedBy(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    assert.ok(reply.length > 4_000_000 && reply.length < 4_200_000, String(reply.length))
    assert.ok(read < 50, String(read))
  }
})
