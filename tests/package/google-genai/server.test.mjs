// The server and the recording proxy, with the client over loopback.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { GoogleGenAI } from '@google/genai'
import { install, load } from '../support/tarball.mjs'
import { during } from '../support/during.mjs'
import * as recordings from '../support/recordings.mjs'
import { errorOf, run, sunny, ways } from './agent.mjs'

const folder = install()
const { parse, proxy, serve } = await load(folder, 'transcript-workbench', 'transcript-workbench/server')

const weather = join(folder, 'weather.yaml')
writeFileSync(weather, recordings.weather)

const KEY = 'AIzaSyA-0123456789abcdefghijklmnopqrstu'
const client = (server, prefix = '', more = {}) =>
  new GoogleGenAI({ apiKey: KEY, ...more, httpOptions: { baseUrl: `${server.url}${prefix}`, ...more.httpOptions } })

test('every way runs as recorded, of both APIs and versions, each caller with its own cursor', async () => {
  await during(serve(weather), async (server) => {
    const all = Object.keys(ways).flatMap((way, at) => [
      run(client(server, `/@a${at}`), way, sunny),
      run(client(server, `/@b${at}`, { apiVersion: 'v1beta' }), way, sunny),
      run(client(server, `/weather@c${at}`, { vertexai: true }), way, sunny),
      run(client(server, '', { httpOptions: { headers: { 'x-transcript-session': `d${at}` } } }), way, sunny),
    ])
    for (const text of await Promise.all(all)) assert.equal(text, "It's 72°F and sunny!")
    server.assertComplete()
    assert.equal(server.sessions.length, 16)
    assert.ok(server.sessions.every(({ name, complete, calls }) => name === 'weather' && complete && calls === 2))
  })
})

test('a drift and an unknown transcript are reported in the words of the vendor', async () => {
  await during(serve({ weather, city: { text: recordings.structured } }), async (server) => {
    const cloudy = () => ({ temp: 72, condition: 'cloudy' })
    await assert.rejects(run(client(server, '/weather'), 'streamed chat', cloudy), (error) => {
      const { status, divergence } = errorOf(error)
      assert.deepEqual([error.status, status, divergence.path], [400, 'INVALID_ARGUMENT', 'messages[3].result.condition'])
      return true
    })
    await assert.rejects(run(client(server, '/town'), 'generate', sunny), (error) => {
      const { code, status, details, message } = errorOf(error)
      assert.deepEqual([code, status, details[0].reason], [404, 'NOT_FOUND', 'unknown_transcript'])
      assert.match(message, /unknown transcript `town`; choose one of weather, city/)
      return true
    })
  })
})

for (const way of Object.keys(ways)) {
  test(`the proxy records what passes, and its transcript plays: ${way}`, async () => {
    await during(serve(weather), async (upstream) => {
      const output = join(folder, 'recorded.yaml')
      const recording = await proxy({ upstream: upstream.url, output, record: { name: 'weather', chunks: true } })
      assert.equal(await run(client(recording), way, sunny), "It's 72°F and sunny!")
      assert.deepEqual(await recording.close(), [output])
      const text = readFileSync(output, 'utf8')
      assert.ok(!text.includes(KEY))
      assert.deepEqual(parse(text).diagnostics, [])
      await during(serve({ text, file: 'recorded.yaml' }), async (server) => {
        assert.equal(await run(client(server), way, sunny), "It's 72°F and sunny!")
        server.assertComplete()
      })
    })
  })
}
