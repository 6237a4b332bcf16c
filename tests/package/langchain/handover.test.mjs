// Graphs of several agents that hand over to one another by `Command`, as supervisors and swarms do: recorded, and played on one tape.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command, END, MessagesAnnotation, START, StateGraph, getCurrentTaskInput } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { z } from 'zod'
import { userInput, last } from './agent.mjs'
import { all } from './package.mjs'

const { createRecorder, langChainModel, mock, parse, recordLangChain, replay } = all

/** A tool that hands over to another agent of the graph around, as those of swarms and supervisors do. */
const handOver = (to) =>
  tool(
    async (_input, { toolCall }) => {
      const name = `transfer_to_${to}`
      const message = new ToolMessage({ content: `handed over to ${to}`, name, tool_call_id: toolCall.id })
      const { messages } = getCurrentTaskInput()
      return new Command({ goto: to, graph: Command.PARENT, update: { messages: [...messages, message] } })
    },
    { name: `transfer_to_${to}`, description: `Ask ${to}`, schema: z.object({}) },
  )

const lookUp = tool(async ({ city }) => ({ city, temp: 21 }), {
  name: 'look_up',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})

const agent = (llm, name, tools) => createReactAgent({ llm, name, tools, prompt: `You are ${name}` })

/** Each graph, made of a model. */
const GRAPHS = {
  swarm: (llm) =>
    new StateGraph(MessagesAnnotation)
      .addNode('alice', agent(llm, 'alice', [handOver('bob')]), { ends: ['bob'] })
      .addNode('bob', agent(llm, 'bob', [lookUp, handOver('alice')]), { ends: ['alice'] })
      .addEdge(START, 'alice')
      .compile(),
  supervisor: (llm) =>
    new StateGraph(MessagesAnnotation)
      .addNode('alice', agent(llm, 'alice', [handOver('bob')]), { ends: ['bob'] })
      .addNode('bob', agent(llm, 'bob', [lookUp]))
      .addEdge(START, 'alice')
      .addEdge('bob', 'alice')
      .compile(),
  // A custom node that calls the model and decides where the run goes on.
  router: (llm) =>
    new StateGraph(MessagesAnnotation)
      .addNode(
        'router',
        async ({ messages }) => {
          const { text } = await llm.invoke([{ role: 'system', content: 'You are router' }, ...messages])
          return new Command({ goto: text === 'weather' ? 'bob' : END })
        },
        { ends: ['bob', END] },
      )
      .addNode('bob', agent(llm, 'bob', [lookUp]))
      .addEdge(START, 'router')
      .compile(),
}

/** What the live model says. */
const LIVE = {
  swarm: () =>
    mock(
      mock.toolCall('transfer_to_bob', {}, { id: 'h1' }),
      mock.toolCall('look_up', { city: 'Rome' }, { id: 't1' }),
      "It's 21°C in Rome.",
    ),
  supervisor: () =>
    mock(
      mock.toolCall('transfer_to_bob', {}, { id: 'h1' }),
      mock.toolCall('look_up', { city: 'Rome' }, { id: 't1' }),
      'It is 21°C.',
      "Bob says it's 21°C in Rome.",
    ),
  router: () => mock('weather', mock.toolCall('look_up', { city: 'Rome' }, { id: 't1' }), "It's 21°C in Rome."),
}

const FINAL_TEXTS = { swarm: "It's 21°C in Rome.", supervisor: "Bob says it's 21°C in Rome.", router: "It's 21°C in Rome." }

/** The ways to run a graph: the text of its last message. */
const ways = {
  invoke: async (graph, input, config) => last(await graph.invoke(input, config)),
  updates: async (graph, input, config) => {
    let final
    for await (const part of await graph.stream(input, { ...config, streamMode: 'updates' })) final = Object.values(part).flat()[0]
    return last(final)
  },
  values: async (graph, input, config) => {
    let final
    for await (const part of await graph.stream(input, { ...config, streamMode: 'values' })) final = part
    return last(final)
  },
  messages: async (graph, input, config) => {
    const texts = new Map()
    for await (const [message] of await graph.stream(input, { ...config, streamMode: 'messages', subgraphs: false })) {
      if (message.type === 'ai') texts.set(message.id, (texts.get(message.id) ?? '') + message.text)
    }
    return [...texts.values()].at(-1)
  },
  'values of subgraphs': async (graph, input, config) => {
    let final
    for await (const [, part] of await graph.stream(input, { ...config, streamMode: 'values', subgraphs: true })) final = part
    return last(final)
  },
}

const question = userInput("What's the weather in Rome?")

for (const [name, make] of Object.entries(GRAPHS)) {
  const recorded = async (run) => {
    const recorder = createRecorder({ name, recording: name })
    const answer = await run(make(langChainModel(LIVE[name]())), question, { callbacks: [recordLangChain(recorder)] })
    assert.equal(answer, FINAL_TEXTS[name])
    assert.deepEqual(recorder.problems, [])
    const { text, transcript } = recorder.finish()
    const document = parse({ text, file: `${name}.yaml` })
    assert.deepEqual(
      document.diagnostics.filter(({ severity }) => severity !== 'info'),
      [],
      document.render(),
    )
    return { file: { text, file: `${name}.yaml` }, transcript }
  }

  for (const [way, run] of Object.entries(ways)) {
    test(`handover: the ${name}, recorded by ${way}, replays by every way`, async () => {
      const { file } = await recorded(run)
      for (const [other, again] of Object.entries(ways)) {
        const tape = await replay(file)
        assert.equal(await again(make(langChainModel(tape)), question), FINAL_TEXTS[name], other)
        tape.assertComplete()
      }
    })
  }

  test(`handover: the ${name} drifts where an agent has other instructions`, async () => {
    const { file } = await recorded(ways.invoke)
    const other = { ...file, text: file.text.replaceAll('You are bob', 'You are Robert') }
    for (const run of Object.values(ways)) {
      await assert.rejects(run(make(langChainModel(await replay(other))), question), {
        name: 'TranscriptDivergenceError',
        path: 'messages[0].content',
        expected: 'You are Robert',
        actual: 'You are bob',
      })
    }
  })
}

test('handover: what a tool that hands over returns to the model is its result', async () => {
  const recorder = createRecorder({ recording: 'swarm' })
  await GRAPHS.swarm(langChainModel(LIVE.swarm())).invoke(question, { callbacks: [recordLangChain(recorder)] })
  const [, { tool_call: transfer }] = recorder.finish().transcript.execution
  assert.deepEqual([transfer.tool_name, transfer.result, transfer.success], ['transfer_to_bob', 'handed over to bob', true])
})
