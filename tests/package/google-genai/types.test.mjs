// The written types against those of the client.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))

test('the client takes the fetch, to play and to record', () => {
  const folder = install()
  mkdirSync(join(folder, 'node_modules/@google'))
  symlinkSync(join(here, 'node_modules/@google/genai'), join(folder, 'node_modules/@google/genai'))
  writeFileSync(
    join(folder, 'use.mts'),
    `
import { GoogleGenAI } from '@google/genai'
import { canonicalMessages, createRecorder, replay } from 'transcript-workbench'
import { recordFetch, replayFetch } from 'transcript-workbench/fetch'
export const played = new GoogleGenAI({ apiKey: 'none', httpOptions: { fetch: replayFetch(await replay('run.yaml')) } })
export const recorded = new GoogleGenAI({ httpOptions: { fetch: recordFetch(createRecorder()) } })
export const messages = canonicalMessages({ format: 'gemini', contents: [{ parts: [{ text: 'Hi' }] }] })
`,
  )
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable']
  const { status, stdout } = spawnSync(join(here, 'node_modules/.bin/tsc'), [...flags, '--skipLibCheck', '--types', '', 'use.mts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
