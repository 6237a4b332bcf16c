// What the clients of chat APIs have in common: their tests over a server, through the proxy, and with one another.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { during } from './during.mjs'
import * as recordings from './recordings.mjs'

export const QUESTION = "What's the weather?"
export const SYSTEM = 'You are helpful'

export const weather = {
  name: 'weather',
  description: 'The weather at a place',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** The text of a result, or of the failure of the tool. */
export const report = (read, location) => {
  try {
    return JSON.stringify(read(location)) ?? ''
  } catch (error) {
    return error.message
  }
}

/**
 * Tests a client with the server and the recording proxy.
 *
 * - `client(url)` is a client of the API at an address.
 * - `ways` run an agent, as in the table of cases.
 * - `messageOf(error)` is the message in the body of a failed request, in the form of the vendor.
 * - `unknown(client)` sends a request that no vendor's API has.
 */
export const servers = (test, { all, folder, client, ways, messageOf }) => {
  const { parse, proxy, serve } = all
  const file = join(folder, 'weather.yaml')
  writeFileSync(file, recordings.weather)
  const scenario = { question: QUESTION, read: sunny }

  test('every way runs over HTTP as recorded, each caller with its own cursor', async () => {
    await during(serve(file), async (server) => {
      const prefixes = ['', '/@a', '/weather@b']
      for (const [at, way] of Object.values(ways).entries()) {
        for (const prefix of prefixes) {
          const session = prefix === '' ? `/@${at}` : `${prefix}${at}`
          assert.equal((await way(client(`${server.url}${session}`), scenario)).text, "It's 72°F and sunny!")
        }
      }
      server.assertComplete()
      assert.equal(server.sessions.length, prefixes.length * Object.keys(ways).length)
      assert.ok(server.sessions.every(({ name, complete, calls }) => name === 'weather' && complete && calls === 2))
    })
  })

  test('a drift and an unknown transcript are reported in the words of the vendor', async () => {
    const reported = []
    const onResponse = ({ status, error }) => status >= 400 && reported.push(error.message)
    await during(serve({ weather: file, city: { text: recordings.structured } }, { onResponse }), async (server) => {
      for (const way of Object.values(ways)) {
        const cloudy = { question: QUESTION, read: () => ({ temp: 72, condition: 'cloudy' }) }
        const one = client(`${server.url}/weather@${reported.length}`)
        await assert.rejects(way(one, cloudy), (error) => {
          const message = messageOf(error)
          for (const part of ['weather.yaml', 'step 3', 'condition', 'hint: ']) assert.ok(message.includes(part), message)
          return true
        })
        await assert.rejects(way(client(`${server.url}/town`), scenario), (error) => {
          assert.match(messageOf(error), /unknown transcript `town`; choose one of weather, city/)
          return true
        })
      }
      assert.equal(reported.length, 2 * Object.keys(ways).length)
    })
  })

  for (const [name, way] of Object.entries(ways)) {
    test(`the proxy records what passes, and its transcript plays: ${name}`, async () => {
      await during(serve(file), async (upstream) => {
        const output = join(folder, 'recorded.yaml')
        const recording = await proxy({ upstream: upstream.url, output, record: { name: 'weather', chunks: true } })
        assert.equal((await way(client(recording.url), scenario)).text, "It's 72°F and sunny!")
        const { transcript } = recording.recorder().finish()
        assert.deepEqual(await recording.close(), [output])
        const text = readFileSync(output, 'utf8')
        assert.deepEqual(parse(text).diagnostics, [])
        assert.deepEqual(
          transcript.execution.map(({ type }) => type),
          ['llm_call', 'tool_call', 'llm_call'],
        )
        for (const again of Object.values(ways)) {
          await during(serve({ text, file: 'recorded.yaml' }), async (server) => {
            assert.equal((await again(client(server.url), scenario)).text, "It's 72°F and sunny!")
            server.assertComplete()
          })
        }
      })
    })
  }
}
