// What a replay compares in addition to messages, through the API, the adapters, a server, and the command line.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { openAIAgentsModel, aiSdkModel, replay, replayFetch } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/ai-sdk',
  'transcript-workbench/openai-agents',
  'transcript-workbench/fetch',
)

const run = `model: gpt-x
temperature: 0.5
tools:
  - name: weather
    description: Get weather
    parameters: {type: object, properties: {city: {type: string}}}
messages:
  - "user: Hi"
  - "assistant: Hello!"
`
const compare = ['model', 'settings', 'tools']
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { type: 'function', name: 'weather', description: 'Get weather' }
const chat = {
  model: 'gpt-x',
  temperature: 0.5,
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ type: 'function', function: { name: 'weather', description: 'Get weather', parameters } }],
}

const differs = async (request, expected) => {
  const tape = await replay(run, { compare })
  assert.throws(() => tape.request(request), { name: 'TranscriptDivergenceError', step: '1', ...expected })
}

test('a request in the words of OpenAI and Anthropic is compared with the recording', async () => {
  const openai = { format: 'openai-chat', ...chat }
  assert.equal((await replay(run, { compare })).request(openai).response.content, 'Hello!')
  await differs({ ...openai, model: 'gpt-y' }, { path: 'model', expected: 'gpt-x', actual: 'gpt-y' })
  await differs({ ...openai, temperature: undefined }, { path: 'settings.temperature', expected: 0.5, missing: 'actual' })
  await differs({ ...openai, tools: [] }, { path: 'tools.weather', missing: 'actual' })
  const anthropic = {
    ...chat,
    format: 'anthropic',
    max_tokens: 9,
    tools: [{ name: 'weather', description: 'Get weather', input_schema: parameters }],
  }
  assert.equal((await replay(run, { compare })).request(anthropic).response.content, 'Hello!')
  await differs({ ...anthropic, temperature: 1 }, { path: 'settings.temperature', expected: 0.5, actual: 1 })
  assert.equal((await replay(run)).request({ ...openai, model: 'gpt-y', tools: [] }).response.content, 'Hello!')
})

test('the adapters pass on settings and tools', async () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
  const call = { prompt, temperature: 0.5, tools: [{ ...weather, inputSchema: parameters }], toolChoice: { type: 'auto' } }
  const ofAiSdk = async (more) => aiSdkModel(await replay(run, { compare })).doGenerate({ ...call, ...more })
  assert.equal((await ofAiSdk({})).content[0].text, 'Hello!')
  await assert.rejects(ofAiSdk({ temperature: 1 }), { path: 'settings.temperature', expected: 0.5, actual: 1 })
  const other = [{ ...weather, inputSchema: { ...parameters, required: ['city'] } }]
  await assert.rejects(ofAiSdk({ tools: other }), { path: 'tools.weather.parameters.required', missing: 'expected' })

  const request = {
    input: 'Hi',
    modelSettings: { temperature: 0.5 },
    tools: [{ ...weather, parameters }],
    handoffs: [],
    outputType: 'text',
  }
  const ofAgents = async (more) => openAIAgentsModel((await replay(run, { compare })).session({})).getResponse({ ...request, ...more })
  assert.equal((await ofAgents({})).output[0].content[0].text, 'Hello!')
  await assert.rejects(ofAgents({ modelSettings: { temperature: 1 } }), { path: 'settings.temperature' })
  await assert.rejects(ofAgents({ tools: [] }), { path: 'tools.weather' })
})

test('a client that is answered over HTTP gets the difference', async () => {
  const sendRequest = async (more) => {
    const fetch = replayFetch(await replay(run, { compare }))
    return fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body: JSON.stringify({ ...chat, ...more }) })
  }
  assert.equal((await sendRequest({})).status, 200)
  const { error } = await (await sendRequest({ model: 'gpt-y' })).json()
  assert.deepEqual([error.code, error.param, error.divergence.expected], ['transcript_divergence', 'model', 'gpt-x'])
})

test('`transcript replay --compare` names what an agent is held to', () => {
  writeFileSync(join(folder, 'compare.yaml'), run)
  const agent = `export default (tape) => tape.request(${JSON.stringify({ ...chat, format: 'openai-chat', model: 'gpt-y' })})`
  writeFileSync(join(folder, 'compare.mjs'), agent)
  const cli = (...options) =>
    spawnSync(
      process.execPath,
      [join(folder, 'node_modules/.bin/transcript'), 'replay', 'compare.yaml', '--agent', 'compare.mjs', ...options],
      { cwd: folder, encoding: 'utf8' },
    )
  assert.equal(cli().status, 0)
  const { status, stderr } = cli('--compare', 'model,tools')
  assert.equal(status, 1)
  assert.match(stderr, /at model\n +expected: "gpt-x"\n +actual: +"gpt-y"/)
})

test('a mocked tool is found by its id alone', async () => {
  const text = `messages: ['user: Hi', 'assistant:call f(a=1)', 'tool:f: {b: 2}', 'assistant: Done']`
  const tape = await replay({ text }, { mode: 'mocked-tools', match: 'id' })
  assert.deepEqual(tape.call({ id: 'call_001', name: 'f', arguments: { a: 7 } }), { step: '2', result: { b: 2 } })
  tape.assertComplete()
})
