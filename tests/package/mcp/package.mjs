// The package as installed, and clients of what it gives.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { install, load } from '../support/tarball.mjs'
import { weatherServer } from './tools.mjs'

export const folder = install()
export const all = await load(folder, 'transcript-workbench', 'transcript-workbench/mcp', 'transcript-workbench/ai-sdk')

/** A client by a transport. */
export const clientOf = async (transport) => {
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(transport)
  return client
}

/** A live server, a transport to it, and what its tools were called with. */
export const linked = async (options) => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const { server, ran } = weatherServer(options)
  await server.connect(theirs)
  return { transport: ours, server, ran }
}

/** Records what `work` does with clients of live servers, saves it, and gives the file and the transcript. */
export const recorded = async (name, work) => {
  const recorder = all.createRecorder({ name, recording: name })
  await work(recorder)
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, `${name}.yaml`))
  const found = all.validate({ text: readFileSync(file, 'utf8'), file }).diagnostics
  assert.deepEqual(
    found.filter(({ severity }) => severity !== 'info'),
    [],
  )
  return { file, transcript: recorder.finish().transcript }
}

/** The tool runs of a transcript. */
export const runsOf = ({ execution }) => execution.filter(({ type }) => type === 'tool_call').map(({ tool_call: call }) => call)

/** The tape of the tools of a recording. */
export const toolsOf = (file, options = {}) => all.replay(file, { mode: 'mocked-tools', ...options })
