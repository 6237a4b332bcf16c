// The written types against those of the SDK.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))

test('the SDK takes the model of every version, and gets its results in its own types', () => {
  const folder = install()
  for (const name of ['ai', '@ai-sdk']) symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(
    join(folder, 'use.mts'),
    `
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { ToolLoopAgent, generateText, streamText, wrapLanguageModel, type LanguageModel } from 'ai'
import { createRecorder, replay } from 'transcript-workbench'
import { aiSdkModel, recordAiSdk } from 'transcript-workbench/ai-sdk'
const tape = await replay('run.yaml')
export const v4: LanguageModelV4 = aiSdkModel(tape)
export const v3: LanguageModelV3 = aiSdkModel(tape, { specificationVersion: 'v3' })
export const v2: LanguageModelV2 = aiSdkModel(tape, { specificationVersion: 'v2' })
export const any: LanguageModel = aiSdkModel(tape)
const { text } = await generateText({ model: aiSdkModel(tape), prompt: 'Hi' })
const streamed: string = await streamText({ model: aiSdkModel(tape), prompt: text }).text
export const agent = new ToolLoopAgent({ model: aiSdkModel(tape), instructions: streamed })
const { middleware, telemetry, model } = recordAiSdk(createRecorder())
export const recorded: LanguageModel = wrapLanguageModel({ model: v4, middleware })
export const wrapped: LanguageModelV3 = model(v3)
await generateText({ model: recorded, prompt: 'Hi', telemetry: { integrations: [telemetry] } })
// @ts-expect-error
aiSdkModel(tape, { specificationVersion: 'v1' })
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
