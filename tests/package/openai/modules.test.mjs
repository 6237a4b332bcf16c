// The ways in: CommonJS, and bundles for where there is no Node.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { install } from '../support/tarball.mjs'

const folder = install()

test('the fetch brings nothing of Node and nothing of the core', () => {
  const dist = join(folder, 'node_modules/transcript-workbench/dist')
  const code = ['fetch.js', 'wire.js'].map((name) => readFileSync(join(dist, name), 'utf8')).join('\n')
  assert.deepEqual([...new Set([...code.matchAll(/\bimport\b[^;"']*?\bfrom\s*["']([^"']*)["']/g)].map(([, from]) => from))], ['./wire.js'])
  assert.doesNotMatch(code, /\bimport\(|\brequire\(|\bprocess\.|\bBuffer\b/)
  assert.ok(code.length < 70_000, `${code.length} bytes`)
})

test('a CommonJS module requires the fetch and the server', () => {
  writeFileSync(
    join(folder, 'a.cjs'),
    `
const { createRecorder, replay } = require('transcript-workbench')
const { recordFetch, replayFetch } = require('transcript-workbench/fetch')
const { proxy, serve } = require('transcript-workbench/server')
const text = "messages: ['user: Hi', 'assistant: Hello!']"
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
const contentOf = async (response) => (await (await response).json()).choices[0].message.content
const main = async () => {
  const fetched = replayFetch(await replay({ text }))
  const recorder = createRecorder()
  console.log(await contentOf(recordFetch(recorder, { fetch: fetched })('http://x.invalid/v1/chat/completions', { method: 'POST', body })))
  console.log(recorder.finish().transcript.execution.length)
  const server = await serve({ text })
  const passing = await proxy({ upstream: server.url })
  console.log(await contentOf(fetch(passing.url + '/v1/chat/completions', { method: 'POST', body })))
  await passing.close()
  await server.close()
}
main()
`,
  )
  const out = execFileSync(process.execPath, ['a.cjs'], { cwd: folder, encoding: 'utf8' })
  assert.equal(out, 'Hello!\n1\nHello!\n')
})
