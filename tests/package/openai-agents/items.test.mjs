// What the provider did itself, thoughts that it needs back, and tools that fail in words of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, Runner, Usage, tool } from '@openai/agents'
import { z } from 'zod'
import { install, load } from '../support/tarball.mjs'

const { openAIAgentsModel, openAIAgentsProvider, createRecorder, parse, recordOpenAIAgents, replay } = await load(
  install(),
  'transcript-workbench',
  'transcript-workbench/openai-agents',
)

const thought = { type: 'reasoning', id: 'rs_1', content: [], providerData: { encrypted_content: 'gAAA' } }
const search = {
  type: 'hosted_tool_call',
  id: 'ws_1',
  name: 'web_search_call',
  status: 'completed',
  providerData: { type: 'web_search_call', action: { type: 'search', query: 'weather in Rome' } },
}
const call = { type: 'function_call', callId: 't1', name: 'weather', status: 'completed', arguments: '{"location":"Rome"}' }
const answer = (text) => ({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] })

/** A live model, which answers with the items of each of `answers` and keeps what it was sent. */
const liveModel = (...answers) => {
  const sent = []
  const next = (request) => {
    sent.push(request.input)
    return { usage: new Usage(), output: answers[sent.length - 1], responseId: `resp_${sent.length}` }
  }
  return {
    sent,
    getResponse: async (request) => next(request),
    async *getStreamedResponse(request) {
      const { output, responseId: id } = next(request)
      yield { type: 'response_started' }
      yield { type: 'response_done', response: { id, usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, output } }
    },
  }
}

const ways = {
  run: (runner, agent) => runner.run(agent, "What's the weather?"),
  stream: async (runner, agent) => {
    const result = await runner.run(agent, "What's the weather?", { stream: true })
    await result.completed
    return result
  },
}

const weather = (more = {}) =>
  tool({
    name: 'weather',
    description: 'The weather at a place',
    parameters: z.object({ location: z.string() }),
    execute: async () => ({ temp: 21 }),
    ...more,
  })

const agentOf = (tools) => new Agent({ name: 'Helper', instructions: 'You are helpful', tools })

const recorded = async (model, run, agent, options) => {
  const recorder = createRecorder({ recording: 'items' })
  const recording = recordOpenAIAgents(recorder, options)
  const runner = recording.attach(new Runner({ modelProvider: recording.provider({ getModel: () => model }) }))
  const result = await run(runner, agent)
  assert.deepEqual(recorder.problems, [])
  const { text, transcript } = recorder.finish()
  const document = parse({ text, file: 'items.yaml' })
  assert.deepEqual(
    document.diagnostics.filter(({ severity }) => severity !== 'info'),
    [],
    document.render(),
  )
  return { file: { text, file: 'items.yaml' }, transcript, result }
}

for (const [way, run] of Object.entries(ways)) {
  test(`items: what the provider did itself, and its thoughts, are recorded and issued again by ${way}`, async () => {
    const live = liveModel([thought, search, call], [answer('21°C.')])
    const { file, result } = await recorded(live, run, agentOf([weather()]))
    assert.equal(result.finalOutput, '21°C.')
    for (const again of Object.values(ways)) {
      const tape = await replay(file)
      const model = openAIAgentsModel(tape)
      const played = await again(new Runner({ modelProvider: { getModel: () => model } }), agentOf([weather()]))
      assert.equal(played.finalOutput, '21°C.')
      assert.deepEqual(played.rawResponses[0].output, [thought, search, call])
      assert.deepEqual(tape.calls[1].messages.slice(1, 4), live.sent[1].slice(1, 4))
      tape.assertComplete()
    }
  })

  test(`items: an answer that was cut short is reported so by ${way}`, async () => {
    const { file, transcript } = await recorded(liveModel([{ ...answer('21'), status: 'incomplete' }]), run, agentOf([]))
    assert.equal(transcript.execution[0].llm_response.finish_reason, 'length')
    const {
      rawResponses: [
        {
          output: [item],
          providerData,
        },
      ],
    } = await run(new Runner({ modelProvider: openAIAgentsProvider(await replay(file)) }), agentOf([]))
    // The SDK passes that on of whole answers alone.
    assert.deepEqual([item.status, providerData], ['incomplete', way === 'run' ? { transcript: { finish_reason: 'length' } } : undefined])
  })

  test(`failing tool: one with words of its own is known by them where the host says how, by ${way}`, async () => {
    const isFailure = (text, { name }) => name === 'weather' && text.startsWith('no luck: ')
    const failing = (text) =>
      agentOf([
        weather({
          execute: async () => {
            throw new Error(text)
          },
          errorFunction: (_context, error) => `no luck: ${error.message}`,
        }),
      ])
    const { file, transcript } = await recorded(liveModel([call], [answer('I cannot tell.')]), run, failing('the station is down'), {
      isFailure,
    })
    const { success, error } = transcript.execution[1].tool_call
    assert.deepEqual([success, error], [false, 'no luck: the station is down'])
    // It fails again, in whichever words.
    const tape = await replay(file)
    const { finalOutput } = await run(new Runner({ modelProvider: openAIAgentsProvider(tape, { isFailure }) }), failing('the line is dead'))
    assert.equal(finalOutput, 'I cannot tell.')
    tape.assertComplete()
    const other = await replay(file)
    await assert.rejects(run(new Runner({ modelProvider: openAIAgentsProvider(other, { isFailure }) }), agentOf([weather()])), {
      name: 'TranscriptDivergenceError',
      step: '3',
    })
  })
}

test('failing tool: what is no function that reports failures is refused', () => {
  assert.throws(() => recordOpenAIAgents(createRecorder(), { isFailure: /no luck/ }), {
    name: 'TypeError',
    message: /`isFailure` of recordOpenAIAgents\(\) is a function/,
  })
})
