// Floats of 16 and 17 digits keep each digit on their way from JavaScript into the core and back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const { createRecorder, mock, promptHash, replay } = await load(install(), 'transcript-workbench')

const FLOATS = [0.9533936139649337, 208794500671169.78, 1231573153121601.2, 5e-324, 1.7976931348623157e308]

const user = { role: 'user', content: 'go' }
const run = (value) => `messages:\n  - "user: go"\n  - "assistant:call f(v=${value})"\n  - "tool:f: ${value}"\n  - "assistant: done"\n`

test('a replay finds the recorded floats in the requests of each framework', async () => {
  for (const value of FLOATS) {
    const messages = {
      'ai-sdk': [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_001', toolName: 'f', input: { v: value } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_001', toolName: 'f', output: { type: 'json', value } }] },
      ],
      'openai-chat': [
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_001', type: 'function', function: { name: 'f', arguments: JSON.stringify({ v: value }) } }],
        },
        { role: 'tool', tool_call_id: 'call_001', content: String(value) },
      ],
    }
    for (const [format, all] of Object.entries(messages)) {
      const tape = await replay({ text: run(value) })
      tape.request({ format, messages: all.slice(0, 1) })
      assert.equal(tape.request({ format, messages: all }).response.content, 'done', `${format} ${value}`)
    }
  }
})

test('a recording and a mock have the floats that they were given', async () => {
  for (const value of FLOATS) {
    const recorder = createRecorder({})
    recorder.toolCalled({ id: 't', name: 'f', arguments: { v: value } })
    recorder.toolReturned({ id: 't', result: { v: value } })
    const { tool_call: call } = recorder.finish().transcript.execution.find(({ type }) => type === 'tool_call')
    assert.deepEqual([call.parameters.v, call.result.v], [value, value])
    let seen
    const model = mock(({ lastResult }) => {
      seen = lastResult
      return 'ok'
    })
    await model.call({
      format: 'openai-chat',
      messages: [user, { role: 'tool', tool_call_id: 'c', content: JSON.stringify({ v: value }) }],
    })
    assert.deepEqual(seen, { v: value })
    assert.equal(
      promptHash({ model: 'm', messages: [], temperature: value }),
      promptHash(JSON.stringify({ model: 'm', messages: [], temperature: value })),
    )
  }
})
