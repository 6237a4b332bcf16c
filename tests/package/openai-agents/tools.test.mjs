// Tools of the OpenAI Agents SDK with recorded results, for a live model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, setTracingDisabled } from '@openai/agents'
import * as shared from '../support/agent-runs.mjs'
import { install, load } from '../support/tarball.mjs'
import { helpful, sunny, weatherTool } from './agent.mjs'

const { openAIAgentsModel, openAIAgentsTools, mock, replay } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/openai-agents',
)
setTracingDisabled(true)

/** A model that requests the weather in a city and then repeats the result. */
const weatherModel = (location) =>
  mock(({ lastRole, lastTool }) => (lastRole === 'tool' ? lastTool : mock.toolCall('weather', { location })))

test('mocked tools: recorded results stand for the work of the tools', async () => {
  const tape = await replay({ text: shared.weather }, { mode: 'mocked-tools' })
  const { ran, weather } = weatherTool(() => ({ temp: 1 }))
  const { finalOutput } = await run(helpful(openAIAgentsModel(weatherModel('NYC')), openAIAgentsTools(tape, [weather])), 'Hi')
  assert.deepEqual([JSON.parse(finalOutput), ran], [sunny(), []])
  tape.assertComplete()
})

test('mocked tools: one that failed in the recording fails in the words of the SDK', async () => {
  const tape = await replay({ text: shared.failing('the station is down') }, { mode: 'mocked-tools' })
  const { finalOutput } = await run(
    helpful(openAIAgentsModel(weatherModel('NYC')), openAIAgentsTools(tape, [weatherTool(sunny).weather])),
    'Hi',
  )
  assert.match(finalOutput, /^An error occurred while running the tool/)
  tape.assertComplete()
})

test('mocked tools: words of failure that the host knows are those that were recorded', async () => {
  const isFailure = (text, { name }) => name === 'weather' && text.startsWith('no luck: ')
  for (const [text, report] of [
    ['no luck: the line is dead', /^no luck: the line is dead$/],
    ['dead', /^An error occurred while running the tool/],
  ]) {
    const tape = await replay({ text: shared.failing(text) }, { mode: 'mocked-tools' })
    const tools = openAIAgentsTools(tape, [weatherTool(sunny).weather], { isFailure })
    const { finalOutput } = await run(helpful(openAIAgentsModel(weatherModel('NYC'), { isFailure }), tools), 'Hi')
    assert.match(finalOutput, report)
    tape.assertComplete()
  }
  const tape = await replay({ text: shared.weather }, { mode: 'mocked-tools' })
  assert.throws(() => openAIAgentsTools(tape, [], { isFailure: 'no luck' }), {
    name: 'TypeError',
    message: /`isFailure` of openAIAgentsTools\(\) is a function/,
  })
})

test('mocked tools: a call that was not recorded ends the run', async () => {
  const tape = await replay({ text: shared.weather }, { mode: 'mocked-tools' })
  await assert.rejects(
    run(helpful(openAIAgentsModel(weatherModel('Rome')), openAIAgentsTools(tape, [weatherTool(sunny).weather])), 'Hi'),
    /Rome/,
  )
  assert.throws(() => tape.assertComplete(), { name: 'TranscriptDivergenceError', path: 'arguments.location' })
})

test('mocked tools: what is neither a tape nor a list of tools is refused', async () => {
  assert.throws(() => openAIAgentsTools({}, []), /mocked-tools/)
  const tape = await replay({ text: shared.weather }, { mode: 'mocked-tools' })
  assert.throws(() => openAIAgentsTools(tape, {}), /takes a list of tools/)
})
