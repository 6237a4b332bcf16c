// LangChain and LangGraph in every case of the table.
import { test } from 'node:test'
import { providerStrategy } from 'langchain'
import { matrix } from '../support/matrix.mjs'
import { agents, userInput, weatherTool } from './agent.mjs'
import { all } from './package.mjs'

const { langChainModel, recordLangChain } = all

const answer = ({ messages, structuredResponse: object }) => {
  const {
    text,
    response_metadata: { finish_reason: ended },
  } = messages.at(-1)
  return { text, ended, object }
}

/** Tests agents that `make` makes; `structured` is what requests structured output, and `objectOf` finds it. */
const suite = (adapter, make, structured, objectOf) => {
  const agentOf = (model, { read, schema, plain }) =>
    make(model, plain ? [] : [weatherTool(read).weather], schema ? structured(schema) : {})
  return {
    adapter,
    all,
    play: (source) => langChainModel(source),
    record: (recorder, source) => ({ model: langChainModel(source), more: { callbacks: [recordLangChain(recorder)] } }),
    ended: 'length',
    schemaless: true,
    ways: {
      generate: async (model, scenario, more) =>
        objectOf(scenario, answer(await agentOf(model, scenario).invoke(userInput(scenario.question), more))),
      stream: async (model, scenario, more) => {
        let state
        for await (const [mode, part] of await agentOf(model, scenario).stream(userInput(scenario.question), {
          ...more,
          streamMode: ['messages', 'values'],
        })) {
          if (mode === 'values') state = part
          else if (part[0].type === 'ai' && part[0].text !== '') scenario.received?.push(part[0].text)
        }
        return objectOf(scenario, answer(state))
      },
    },
  }
}

matrix(
  test,
  suite(
    'createAgent',
    agents.createAgent,
    (schema) => ({ responseFormat: providerStrategy(schema) }),
    (_scenario, report) => report,
  ),
)

// Its own structured output is a second call of the model; the text of the answer is what other frameworks read.
matrix(
  test,
  suite(
    'createReactAgent',
    agents.createReactAgent,
    () => ({}),
    ({ schema }, report) => (schema ? { ...report, object: JSON.parse(report.text) } : report),
  ),
)
