// The written types against those of the SDKs.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))

test('the SDKs take the transports in their own types', () => {
  const folder = install()
  for (const name of ['@modelcontextprotocol', '@ai-sdk', 'zod'])
    symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(
    join(folder, 'use.mts'),
    `
import { createMCPClient } from '@ai-sdk/mcp'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createRecorder, replay } from 'transcript-workbench'
import { recordMcp, replayMcp } from 'transcript-workbench/mcp'
const [transport] = InMemoryTransport.createLinkedPair()
const recorder = createRecorder()
export const same: InMemoryTransport = recordMcp(recorder, transport, { server: 'files' })
const tape = await replay('run.yaml', { mode: 'mocked-tools' })
export const replayed: Transport = replayMcp(tape, { server: 'files', tools: [{ name: 'read', inputSchema: { type: 'object' } }] })
export const model: unknown = tape.expectedConfig.model
await new Client({ name: 'x', version: '1' }).connect(same)
await new Client({ name: 'x', version: '1' }).connect(replayMcp(tape))
await new NewClient({ name: 'x', version: '1' }).connect(replayMcp(tape))
await createMCPClient({ transport: replayMcp(tape) })
await createMCPClient({ transport: recordMcp(recorder, transport) })
export const beside: InMemoryTransport = replayMcp(tape, { transport, unrecorded: 'forward' })
// @ts-expect-error
replayMcp(tape, { unrecorded: 'forward' })
// @ts-expect-error
replayMcp(await replay('run.yaml'))
// @ts-expect-error
recordMcp(tape, transport)
`,
  )
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', '']
  const { status, stdout } = spawnSync(join(here, 'node_modules/.bin/tsc'), [...flags, 'use.mts'], { cwd: folder, encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
