// The written types against those of LangChain and LangGraph.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { project } from './package.mjs'

const here = dirname(fileURLToPath(import.meta.url))

test('the libraries take the model, the tools and the recording in their own types', () => {
  const folder = project()
  writeFileSync(
    join(folder, 'use.mts'),
    `
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { createAgent } from 'langchain'
import { createRecorder, mock, replay } from 'transcript-workbench'
import { langChainModel, langChainTools, recordLangChain } from 'transcript-workbench/langchain'
import { z } from 'zod'
const tape = await replay('run.yaml')
export const model: BaseChatModel = langChainModel(tape)
export const own: BaseChatModel = langChainModel(tape.session({ agent: 'billing' }))
export const mocked: BaseChatModel = langChainModel(mock('Hi'), { agent: 'billing' })
export const name: string = langChainModel(tape).model
const weather = tool(async ({ city }) => city, { name: 'weather', schema: z.object({ city: z.string() }) })
const tools = langChainTools(await replay('run.yaml', { mode: 'mocked-tools' }), [weather])
const callbacks = [recordLangChain(createRecorder())]
const messages = [{ role: 'user', content: 'Hi' }]
await createReactAgent({ llm: langChainModel(tape), tools }).invoke({ messages }, { callbacks })
await createAgent({ model: langChainModel(tape), tools }).invoke({ messages }, { callbacks })
const city: { city: string } = await langChainModel(tape).withStructuredOutput(z.object({ city: z.string() })).invoke('Name a city')
export const text: string = (await langChainModel(tape).bindTools(tools).invoke(city.city)).text
// @ts-expect-error
langChainModel(tape, { agents: {} })
// @ts-expect-error
recordLangChain(tape)
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
