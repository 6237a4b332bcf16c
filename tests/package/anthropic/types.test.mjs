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
  mkdirSync(join(folder, 'node_modules/@anthropic-ai'))
  symlinkSync(join(here, 'node_modules/@anthropic-ai/sdk'), join(folder, 'node_modules/@anthropic-ai/sdk'))
  writeFileSync(
    join(folder, 'use.mts'),
    `
import Anthropic from '@anthropic-ai/sdk'
import { createRecorder, replay } from 'transcript-workbench'
import { recordFetch, replayFetch } from 'transcript-workbench/fetch'
export const played = new Anthropic({ apiKey: 'none', fetch: replayFetch(await replay('run.yaml')) })
export const recorded = new Anthropic({ fetch: recordFetch(createRecorder()) })
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
