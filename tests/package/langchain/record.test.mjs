// Runs of LangChain and LangGraph recorded, saved, and replayed strictly.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { tool } from '@langchain/core/tools'
import { providerStrategy } from 'langchain'
import { z } from 'zod'
import { CHANGED_ANSWERS, HISTORIES, checkHistory, partsOf, userCount } from '../support/histories.mjs'
import { live } from '../support/live.mjs'
import { agents, userInput, last, sunny, weatherTool } from './agent.mjs'
import { all, folder } from './package.mjs'

const { createRecorder, langChainModel, mock, recordLangChain, replay, validate } = all
const LIVE = live(mock)

/** Records a run with a live model, saves it, and gives the file. */
const recorded = async (name, source, run, options = {}) => {
  const recorder = createRecorder({ name, recording: name, ...options })
  const callbacks = [recordLangChain(recorder)]
  const error = await run(langChainModel(source), { callbacks }).then(
    () => undefined,
    (thrown) => thrown,
  )
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, `${name}.yaml`))
  const found = validate({ text: readFileSync(file, 'utf8'), file }).diagnostics
  assert.deepEqual(
    found.filter(({ severity }) => severity !== 'info'),
    [],
  )
  return { file, error, transcript: recorder.finish().transcript }
}

/** The ways to run an agent: the text of its last message. */
const ways = {
  invoke: async (agent, input, config) => last(await agent.invoke(input, config)),
  updates: async (agent, input, config) => {
    let final
    for await (const part of await agent.stream(input, { ...config, streamMode: 'updates' })) final = Object.values(part)[0]
    return last(final)
  },
  messages: async (agent, input, config) => {
    let text = ''
    let id
    for await (const [message] of await agent.stream(input, { ...config, streamMode: 'messages' })) {
      if (message.type !== 'ai') continue
      text = message.id === id ? text + message.text : message.text
      id = message.id
    }
    return text
  },
}

const cloudy = () => ({ temp: 72, condition: 'cloudy' })
const boom = () => {
  throw new Error('no answer from the station')
}

for (const [name, make] of Object.entries(agents)) {
  for (const [way, run] of Object.entries(ways)) {
    const runWith =
      (read, content = "What's the weather?") =>
      (model, config) =>
        run(make(model, [weatherTool(read).weather]), userInput(content), config)

    test(`record: ${name} by ${way} is recorded, replays strictly, and drifts`, async () => {
      const { file, transcript } = await recorded(`weather-${name}-${way}`, LIVE.weather(), runWith(sunny))
      assert.deepEqual(
        transcript.execution.map(({ type }) => type),
        ['llm_call', 'tool_call', 'llm_call'],
      )
      assert.deepEqual(transcript.execution[1].tool_call.result, sunny())
      assert.deepEqual(transcript.execution[0].messages_sent_to_llm, [{ ref: 'msg_001' }, { ref: 'msg_002' }])
      assert.equal(transcript.execution[0].llm_response.usage.prompt_tokens, 9)
      assert.deepEqual(transcript.agent_config.tools, ['weather'])
      const tape = await replay(file)
      assert.equal(await runWith(sunny)(langChainModel(tape)), "It's 72°F and sunny!")
      tape.assertComplete()
      await assert.rejects(runWith(cloudy)(langChainModel(await replay(file))), {
        name: 'TranscriptDivergenceError',
        step: '3',
        path: 'messages[3].result.condition',
        expected: 'sunny',
        actual: 'cloudy',
      })
    })

    test(`record: parallel tools of ${name} by ${way} replay, whichever ends first`, async () => {
      const late = (location) => (location === 'Oslo' ? new Promise((done) => setTimeout(() => done({ temp: 5 }), 5)) : { temp: 25 })
      const { file, transcript } = await recorded(`parallel-${name}-${way}`, LIVE.parallel(), runWith(late, 'Where is it warmer?'))
      const temps = transcript.execution.filter(({ type }) => type === 'tool_call').map(({ tool_call: call }) => call.result.temp)
      assert.deepEqual(temps, [5, 25])
      const tape = await replay(file)
      const content = await runWith((location) => ({ temp: location === 'Oslo' ? 5 : 25 }), 'Where is it warmer?')(langChainModel(tape))
      assert.equal(content, 'In Rome.')
      tape.assertComplete()
    })

    test(`record: a failing tool of ${name} by ${way} replays, and drifts when it no longer fails`, async () => {
      const { file, transcript } = await recorded(`failing-${name}-${way}`, LIVE.weather(), runWith(boom))
      const { success, error } = transcript.execution[1].tool_call
      assert.deepEqual([success, error], [false, 'no answer from the station'])
      const tape = await replay(file)
      assert.equal(await runWith(boom)(langChainModel(tape)), "It's 72°F and sunny!")
      tape.assertComplete()
      await assert.rejects(runWith(sunny)(langChainModel(await replay(file))), { path: 'messages[3].is_error' })
    })
  }
}

test('record: structured output is recorded, and replays', async () => {
  const city = z.object({ city: z.string(), population: z.number() })
  const name = async (model, config) => {
    const agent = agents.createAgent(model, [], { responseFormat: providerStrategy(city) })
    return (await agent.invoke(userInput('Name a city'), config)).structuredResponse
  }
  const { file } = await recorded('structured', LIVE.structured(), name)
  const tape = await replay(file)
  assert.deepEqual(await name(langChainModel(tape)), { city: 'Rome', population: 2_800_000 })
  tape.assertComplete()
})

test('record: an agent that is run by a tool has a run of its own, and one tape replays both', async () => {
  const run = (model, config) => {
    const researcher = agents.createReactAgent(model('small'), [], { prompt: 'You look things up', name: 'researcher' })
    const research = tool(async ({ input }, more) => last(await researcher.invoke(userInput(input), more)), {
      name: 'research',
      description: 'Looks things up',
      schema: z.object({ input: z.string() }),
    })
    return agents.createAgent(model('large'), [research]).invoke(userInput('Is it warm in Rome?'), config)
  }
  const sources = {
    large: langChainModel(mock(mock.toolCall('research', { input: 'Rome' }, { id: 't1' }), 'It is.')),
    small: langChainModel(mock('21 degrees')),
  }
  const recorder = createRecorder({ name: 'nested', recording: 'nested' })
  assert.equal(last(await run((name) => sources[name], { callbacks: [recordLangChain(recorder)] })), 'It is.')
  assert.deepEqual(recorder.problems, [])
  const file = await recorder.save(join(folder, 'nested.yaml'))
  const { execution } = recorder.finish().transcript
  assert.deepEqual(
    execution.map(({ type }) => type),
    ['llm_call', 'tool_call', 'llm_call'],
  )
  const { result } = execution[1].tool_call
  assert.deepEqual([result.agent_id, result.nested_transcript.execution[0].llm_response.content], ['researcher', '21 degrees'])
  const tape = await replay(file)
  assert.equal(last(await run(() => langChainModel(tape), {})), 'It is.')
  tape.assertComplete()
  const named = await replay(file)
  const own = { large: langChainModel(named, { agent: 'main' }), small: langChainModel(named, { agent: 'researcher' }) }
  assert.equal(last(await run((name) => own[name], {})), 'It is.')
  named.assertComplete()
})

test('record: the pieces of a stream are kept where an option says so', async () => {
  const { transcript } = await recorded(
    'pieces',
    LIVE.weather(),
    (model, config) => ways.messages(agents.createAgent(model, [weatherTool(sunny).weather]), userInput("What's the weather?"), config),
    { chunks: true },
  )
  assert.deepEqual(
    transcript.execution[2].llm_response.chunks.map(({ text }) => text),
    ["It's ", '72°F ', 'and ', 'sunny!'],
  )
})

test('record: a failure of the model is recorded, and ends the run', async () => {
  const source = mock({ type: 'fail', error: { type: 'overloaded', message: 'too much', status: 529 } })
  const { file, error, transcript } = await recorded('broken', source, (model, config) => model.invoke('Hi', config))
  assert.equal(error.name, 'MockFailureError')
  assert.equal(transcript.execution[0].llm_error.status, 529)
  await assert.rejects(langChainModel(await replay(file)).invoke('Hi'), { name: 'RecordedModelError', status: 529 })
})

test('record: what is no recorder is refused', () => {
  assert.throws(() => recordLangChain({}), { name: 'TypeError', message: /createRecorder\(\) makes/ })
})

/** A model of LangChain that answers with these blocks, one at a time where it streams. */
class Answering extends BaseChatModel {
  constructor(content) {
    super({})
    this.content = content
  }

  _llmType() {
    return 'answering'
  }

  async _generate() {
    const message = new AIMessage({ content: this.content })
    return { generations: [{ text: message.text, message }] }
  }

  async *_streamResponseChunks() {
    for (const [index, block] of this.content.entries()) {
      const message = new AIMessageChunk({ content: [{ ...block, index }] })
      yield new ChatGenerationChunk({ text: message.text, message })
    }
  }
}

test('record: blocks of an answer that are no words and no calls are reported once per kind, by invoke and stream', async () => {
  const content = [
    { type: 'reasoning', reasoning: 'Hm' },
    { type: 'text', text: 'One ' },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,QUFB' } },
    { type: 'text', text: 'moment' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,QUFC' } },
  ]
  const recorder = createRecorder({ name: 'besides' })
  const model = new Answering(content)
  const callbacks = [recordLangChain(recorder)]
  assert.equal((await model.invoke('Hi', { callbacks })).text, 'One moment')
  let streamed
  for await (const part of await model.stream('Again', { callbacks })) streamed = streamed?.concat(part) ?? part
  assert.equal(streamed.text, 'One moment')
  assert.deepEqual(
    recorder.problems.map(({ message }) => /part `(.*)`/.exec(message)?.[1]),
    ['server_tool_use', 'image_url'],
  )
  const calls = recorder.finish().transcript.execution.filter(({ type }) => type === 'llm_call')
  const answer = calls.map(({ llm_response: { content, reasoning } }) => [content, reasoning])
  assert.deepEqual(answer, [
    ['One moment', 'Hm'],
    ['One moment', 'Hm'],
  ])
})

const MESSAGES = { system: SystemMessage, user: HumanMessage, assistant: AIMessage }

/** Records calls of a model as LangChain reports them. */
const recordCalls = (calls) => {
  const recorder = createRecorder({ recording: 'r1' })
  const handler = recordLangChain(recorder)
  calls.forEach(({ sends, answer }, at) => {
    const messages = sends.map(partsOf).map(([role, content]) => new MESSAGES[role](content))
    handler.handleChatModelStart(undefined, [messages], `${at}`)
    if (answer === undefined) handler.handleLLMError(new Error('slow down'), `${at}`)
    else handler.handleLLMEnd({ generations: [[{ text: answer, message: new AIMessage(answer) }]] }, `${at}`)
  })
  return recorder
}

for (const [name, calls] of Object.entries(HISTORIES)) {
  test(`record: what is new in a request: ${name}`, () => checkHistory(recordCalls(calls), calls))
}

test('record: every user message is recorded when the host changes the answers that it sends again', () => {
  const recorder = recordCalls(CHANGED_ANSWERS)
  assert.deepEqual(recorder.problems, [])
  assert.equal(userCount(recorder), 3)
})
