// The written types against those of the client, and of Node.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))

test('the client takes the fetch, and a server and a proxy are used as they are typed', () => {
  const folder = install()
  symlinkSync(join(here, 'node_modules/openai'), join(folder, 'node_modules/openai'))
  writeFileSync(
    join(folder, 'use.mts'),
    `
import OpenAI from 'openai'
import { createRecorder, mock, replay, type Recorder } from 'transcript-workbench'
import { recordFetch, replayFetch, type ReplayFetch } from 'transcript-workbench/fetch'
import { proxy, serve, type ServedSession } from 'transcript-workbench/server'
const tape = await replay('run.yaml')
const fetch: ReplayFetch = replayFetch(tape, { timing: 'recorded' })
export const client = new OpenAI({ apiKey: 'none', fetch })
const last: Error | undefined = fetch.lastDivergence
fetch.assertComplete()
replayFetch(new Map([['a', tape]]))
replayFetch({ a: tape, b: mock('Hi') }, { timing: 5 })
replayFetch(tape.session({ agent: 'a' }))
const recorder: Recorder = createRecorder({ chunks: true })
export const recording = new OpenAI({ fetch: recordFetch(recorder, { fetch: globalThis.fetch, timing: true }) })
const server = await serve({ a: 'run.yaml', b: tape, c: ({ session }) => mock(session) }, { port: 1, replay: { ignore: ['timestamps'] } })
export const sessions: ServedSession[] = server.sessions
await serve(['a.yaml', { text: 'x' }, new URL('file:///a.yaml')], { onResponse: ({ status, error }) => console.log(status, error?.message) })
await server.close()
const passing = await proxy({ upstream: 'https://api.openai.com', output: 'x.yaml', record: { name: 'x' } })
export const files: string[] = await passing.close()
const details = tape.recordedResponse('1')?.finish_reason
export const reported: [Error | undefined, string | undefined] = [last, details]
// @ts-expect-error
replayFetch('run.yaml')
// @ts-expect-error
await proxy({})
`,
  )
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom,dom.iterable',
    '--skipLibCheck',
    '--types',
    '',
  ]
  const { status, stdout } = spawnSync(join(here, 'node_modules/.bin/tsc'), [...flags, 'use.mts'], { cwd: folder, encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
