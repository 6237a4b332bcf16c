// Tools of LangChain with recorded results, for a live model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as shared from '../support/agent-runs.mjs'
import { agents, userInput, last, sunny, weatherTool } from './agent.mjs'
import { all } from './package.mjs'

const { langChainModel, langChainTools, mock, replay } = all

/** A model that requests the weather in a city and then repeats the result. */
const weatherModel = (location) =>
  langChainModel(mock(({ lastRole, lastTool }) => (lastRole === 'tool' ? lastTool : mock.toolCall('weather', { location }))))

for (const [name, make] of Object.entries(agents)) {
  test(`mocked tools: recorded results stand for the work of the tools of ${name}`, async () => {
    const tape = await replay({ text: shared.weather }, { mode: 'mocked-tools' })
    const { ran, weather } = weatherTool(() => ({ temp: 1 }))
    const result = await make(weatherModel('NYC'), langChainTools(tape, [weather])).invoke(userInput('Hi'))
    assert.deepEqual([JSON.parse(last(result)), ran], [sunny(), []])
    tape.assertComplete()
  })
}

test('mocked tools: one that failed in the recording fails', async () => {
  const tape = await replay({ text: shared.failing('the station is down') }, { mode: 'mocked-tools' })
  const result = await agents
    .createReactAgent(weatherModel('NYC'), langChainTools(tape, [weatherTool(sunny).weather]))
    .invoke(userInput('Hi'))
  assert.match(last(result), /the station is down/)
  tape.assertComplete()
})

test('mocked tools: a call that was not recorded is reported at the end, even where the agent passes it to the model', async () => {
  const tape = await replay({ text: shared.weather }, { mode: 'mocked-tools' })
  const result = await agents
    .createReactAgent(weatherModel('Rome'), langChainTools(tape, [weatherTool(sunny).weather]))
    .invoke(userInput('Hi'))
  assert.match(last(result), /Rome/)
  assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError', path: 'arguments.location' })
})

test('mocked tools: what is neither a tape nor a list of tools is refused', () => {
  assert.throws(() => langChainTools({}, []), /mocked-tools/)
})
