// The examples of the page about MCP, run unchanged.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, isStepCount } from 'ai'
import { blocksOf, runProgram } from '../support/page.mjs'
import { all, linked, recorded } from './package.mjs'

const home = dirname(fileURLToPath(import.meta.url))

test('the example of the page about MCP runs', () => {
  const programs = blocksOf('mcp', undefined, 'js')
  assert.equal(programs.length, 1)
  assert.ok(programs[0].includes('assert.'))
  runProgram(programs[0], { home, packages: ['@modelcontextprotocol', 'zod'] })
})

test('the example that replays the model and the servers runs', async () => {
  const { aiSdkModel, mock, recordAiSdk, recordMcp } = all
  const { transport, ran } = await linked()
  const { file } = await recorded('run', async (recorder) => {
    const client = await createMCPClient({ transport: recordMcp(recorder, transport) })
    const live = mock(mock.toolCall('weather', { location: 'NYC' }), 'Sunny.')
    const model = recordAiSdk(recorder).model(aiSdkModel(live))
    const prompt = "What's the weather in NYC?"
    await generateText({ model, prompt, tools: await client.tools(), stopWhen: isStepCount(5) })
    await client.close()
  })
  assert.deepEqual(ran, [['weather', { location: 'NYC' }]])
  const [program, ...more] = blocksOf('mcp', 'Record the model too', 'js')
  assert.deepEqual(more, [])
  assert.ok(program.includes('assertComplete()'))
  const files = { 'run.yaml': readFileSync(file, 'utf8') }
  runProgram(program, { home, files, packages: ['@modelcontextprotocol', 'zod', '@ai-sdk', 'ai'] })
})
