// What agents of LangChain and LangGraph record replays everywhere, and what others record replays here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAMEWORKS, RUNS, compareWithStored, storedRecording } from '../support/exchange.mjs'
import { agents, userInput, last, weatherTool } from './agent.mjs'
import { all } from './package.mjs'

const { createRecorder, langChainModel, mock, recordLangChain, replay } = all

const made = {
  langchain: (model, { read }) => agents.createAgent(model, [weatherTool(read).weather]),
  langgraph: (model, { read }) => agents.createReactAgent(model, [weatherTool(read).weather]),
}

for (const [name, run] of Object.entries(RUNS)) {
  for (const [framework, agent] of Object.entries(made)) {
    test(`record: the run \`${name}\` by ${framework} is the stored recording`, async () => {
      const recorder = createRecorder({ name, recording: name })
      const result = await agent(langChainModel(run.live(mock)), run).invoke(userInput(run.question), {
        callbacks: [recordLangChain(recorder)],
      })
      assert.equal(last(result), run.answer)
      compareWithStored(framework, name, recorder)
    })

    for (const other of FRAMEWORKS) {
      test(`exchange: the run \`${name}\` of ${other} replays in ${framework}, at once and streamed`, async () => {
        const tape = await replay(storedRecording(other, name))
        assert.equal(last(await agent(langChainModel(tape), run).invoke(userInput(run.question))), run.answer)
        tape.assertComplete()
        const streamed = await replay(storedRecording(other, name))
        for await (const _ of await agent(langChainModel(streamed), run).stream(userInput(run.question), { streamMode: 'messages' }));
        streamed.assertComplete()
      })
    }
  }
}
