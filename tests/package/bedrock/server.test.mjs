// The server and the recording proxy, with the client over loopback.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { install, load } from '../support/tarball.mjs'
import { during } from '../support/during.mjs'
import * as recordings from '../support/recordings.mjs'
import { ACCESS_KEY, MODEL, clientOf, run, sunny, ways } from './agent.mjs'

const folder = install()
const { parse, proxy, serve } = await load(folder, 'transcript-workbench', 'transcript-workbench/server')

const weather = join(folder, 'weather.yaml')
writeFileSync(weather, recordings.weather)

/** The client speaks HTTP/2 by default, which needs no agreement only with servers that speak nothing else. */
const client = (server, prefix = '', more = {}) =>
  clientOf({ endpoint: `${server.url}${prefix}`, requestHandler: new NodeHttpHandler(), ...more })

const ARN = 'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-x-v1:0'

test('every way runs as recorded, each caller with its own cursor', async () => {
  await during(serve(weather), async (server) => {
    const all = Object.keys(ways).flatMap((way, at) => [
      run(client(server, `/@a${at}`), way, sunny),
      run(client(server, `/weather@b${at}`), way, sunny, { model: ARN }),
    ])
    for (const text of await Promise.all(all)) assert.equal(text, "It's 72°F and sunny!")
    server.assertComplete()
    assert.equal(server.sessions.length, 8)
    assert.ok(server.sessions.every(({ name, complete, calls }) => name === 'weather' && complete && calls === 2))
  })
})

test('a drift and an unknown transcript are reported in the words of the vendor', async () => {
  const failed = []
  const notify = ({ status, error }) => status >= 400 && failed.push(error.message.split('\n')[0])
  await during(serve({ weather, city: { text: recordings.structured } }, { onResponse: notify }), async (server) => {
    const cloudy = () => ({ temp: 72, condition: 'cloudy' })
    await assert.rejects(run(client(server, '/weather'), 'streamed converse', cloudy), (error) => {
      assert.deepEqual([error.name, error.divergence.path], ['ValidationException', 'messages[3].result.condition'])
      return true
    })
    await assert.rejects(run(client(server, '/town'), 'converse', sunny), (error) => {
      assert.deepEqual([error.name, error.code, error.$metadata.httpStatusCode], ['ResourceNotFoundException', 'unknown_transcript', 404])
      assert.match(error.message, /unknown transcript `town`; choose one of weather, city/)
      return true
    })
  })
  assert.equal(failed.length, 2)
})

for (const way of Object.keys(ways)) {
  test(`the proxy records what passes, and its transcript plays: ${way}`, async () => {
    // A signature holds for one host only; a key of the API is passed on.
    const key = 'bedrock-api-key-YmVkcm9ja0V4YW1wbGU'
    const keyed = { credentials: undefined, token: { token: key }, authSchemePreference: ['httpBearerAuth'] }
    await during(serve(weather), async (upstream) => {
      const output = join(folder, 'recorded.yaml')
      const recording = await proxy({ upstream: upstream.url, output, record: { name: 'weather', chunks: true } })
      assert.equal(await run(client(recording, '', keyed), way, sunny), "It's 72°F and sunny!")
      assert.deepEqual(await recording.close(), [output])
      const text = readFileSync(output, 'utf8')
      for (const secret of [key, ACCESS_KEY]) assert.ok(!text.includes(secret))
      assert.deepEqual(parse(text).diagnostics, [])
      assert.ok(text.includes(MODEL))
      await during(serve({ text, file: 'recorded.yaml' }), async (server) => {
        assert.equal(await run(client(server), way, sunny), "It's 72°F and sunny!")
        server.assertComplete()
      })
    })
  })
}
