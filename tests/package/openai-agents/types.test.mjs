// The written types against those of the SDK.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))

test('the SDK takes the models, the provider, the tools and the recording in its own types', () => {
  const folder = install()
  for (const name of ['@openai', 'zod']) symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'use.mts'), `
import { Agent, Runner, addTraceProcessor, run, tool, type Model, type ModelProvider } from '@openai/agents'
import { createRecorder, mock, replay } from 'transcript-workbench'
import { agentsModel, agentsProvider, agentsTools, agentsTracing, recordAgents } from 'transcript-workbench/openai-agents'
import { z } from 'zod'
const tape = await replay('run.yaml')
export const model: Model = agentsModel(tape)
export const own: Model = agentsModel(tape.session({ agent: 'Billing' }))
export const mocked: Model = agentsModel(mock('Hi'), { agent: 'Billing' })
export const provider: ModelProvider = agentsProvider(tape, { agents: { small: 'Billing' } })
const weather = tool({ name: 'weather', description: '', parameters: z.object({ city: z.string() }), execute: async ({ city }) => city })
const tools = agentsTools(await replay('run.yaml', { mode: 'mocked-tools' }), [weather])
const agent = new Agent({ name: 'Helper', model: agentsModel(tape), tools })
export const text: string | undefined = (await run(agent, 'Hi')).finalOutput
const recording = recordAgents(createRecorder())
export const recorded: Model = recording.model(model, { agent: 'Helper' })
export const runner: Runner = recording.attach(new Runner({ modelProvider: recording.provider(provider) }))
recording.attach(agent)
addTraceProcessor(agentsTracing(createRecorder()))
// @ts-expect-error
agentsModel(tape, { agents: {} })
// @ts-expect-error
recordAgents(tape)
`)
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', '']
  const { status, stdout } = spawnSync(join(here, 'node_modules/.bin/tsc'), [...flags, 'use.mts'], {
    cwd: folder, encoding: 'utf8',
  })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
