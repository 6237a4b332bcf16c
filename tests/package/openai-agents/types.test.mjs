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
  writeFileSync(
    join(folder, 'use.mts'),
    `
import { Agent, Runner, addTraceProcessor, run, tool, type Model, type ModelProvider } from '@openai/agents'
import { createRecorder, mock, replay } from 'transcript-workbench'
import { openAIAgentsModel, openAIAgentsProvider, openAIAgentsTools, openAIAgentsTracing, recordOpenAIAgents } from 'transcript-workbench/openai-agents'
import { z } from 'zod'
const tape = await replay('run.yaml')
export const model: Model = openAIAgentsModel(tape)
export const own: Model = openAIAgentsModel(tape.session({ agent: 'Billing' }))
export const mocked: Model = openAIAgentsModel(mock('Hi'), { agent: 'Billing' })
export const provider: ModelProvider = openAIAgentsProvider(tape, { agents: { small: 'Billing' } })
const weather = tool({ name: 'weather', description: '', parameters: z.object({ city: z.string() }), execute: async ({ city }) => city })
const tools = openAIAgentsTools(await replay('run.yaml', { mode: 'mocked-tools' }), [weather])
const agent = new Agent({ name: 'Helper', model: openAIAgentsModel(tape), tools })
export const text: string | undefined = (await run(agent, 'Hi')).finalOutput
const recording = recordOpenAIAgents(createRecorder())
export const recorded: Model = recording.model(model, { agent: 'Helper' })
export const runner: Runner = recording.attach(new Runner({ modelProvider: recording.provider(provider) }))
recording.attach(agent)
addTraceProcessor(openAIAgentsTracing(createRecorder()))
// @ts-expect-error
openAIAgentsModel(tape, { agents: {} })
// @ts-expect-error
recordOpenAIAgents(tape)
`,
  )
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', '']
  const { status, stdout } = spawnSync(join(here, 'node_modules/.bin/tsc'), [...flags, 'use.mts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
