// Every error class has a stable code, and passes on what caused it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const workbench = await load(folder, 'transcript-workbench', 'transcript-workbench/worker')
const { initAuthoringSync } = await load(install(), 'transcript-workbench/slim')
const { generate, mockModel, replay, createWorkerPool } = workbench

const failing = (turn) => `version: "1.0"
initial_state:
  message_store: [{id: u, role: user, content: Hi}]
execution:
  ${turn}
`
const MODEL_FAILS = failing(
  '- {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: u}], llm_error: {type: overloaded, message: Busy, status: 529}}',
)
const TOOL_FAILS = `messages:
  - "user: Hi"
  - assistant: ""
    call: {name: weather, arguments: {city: Rome}}
  - {tool: weather, error: "no network"}
  - "assistant: Sorry"
`

const request = { messages: [{ role: 'user', content: 'Hi' }] }
const call = (handlers) => mockModel(handlers).call(request)
const thrown = new RangeError('mine')

const damaged = new Uint8Array([0, 0x61, 0x73, 0x6d, 1])
const compileError = (bytes) => {
  try {
    return new WebAssembly.Module(bytes)
  } catch (error) {
    return error
  }
}

const CLASSES = {
  WasmLoadError: ['ERR_TRANSCRIPT_WASM', () => initAuthoringSync(damaged), compileError(damaged)],
  TranscriptDivergenceError: [
    'ERR_TRANSCRIPT_DIVERGENCE',
    async () => (await replay({ text: weather })).request({ format: 'canonical', messages: [] }),
  ],
  TranscriptError: ['ERR_TRANSCRIPT_INVALID', () => replay({ text: 'messages: [' })],
  TranscriptAssertionError: [
    'ERR_TRANSCRIPT_ASSERTION',
    async () => {
      const tape = await replay("messages: ['user: Hi', 'assistant: Hello']\nassertions: [{type: contains, pattern: Bye}]", {
        mode: 'property',
      })
      tape.report(request).assertComplete()
    },
  ],
  RecordedModelError: [
    'ERR_RECORDED_MODEL',
    async () => (await replay({ text: MODEL_FAILS })).request({ format: 'canonical', ...request }),
  ],
  RecordedToolError: [
    'ERR_RECORDED_TOOL',
    async () => (await replay({ text: TOOL_FAILS }, { mode: 'mocked-tools' })).call({ name: 'weather', arguments: { city: 'Rome' } }),
  ],
  MockExhaustedError: ['ERR_MOCK_EXHAUSTED', () => call([])],
  MockNoMatchError: [
    'ERR_MOCK_NO_MATCH',
    () => call({ type: 'conditional', rules: [{ when: { last_user_contains: 'Bye' }, respond: 'Bye' }] }),
  ],
  UnknownStateError: [
    'ERR_MOCK_UNKNOWN_STATE',
    async () => {
      const model = mockModel({ type: 'state_machine', initial: 'a', states: { a: { respond: 'A' } } })
      model.restore(JSON.parse(JSON.stringify(model.snapshot()).replaceAll('"a"', '"z"')))
      await model.call(request)
    },
  ],
  ConditionError: ['ERR_MOCK_CONDITION', () => call({ type: 'conditional', rules: [{ when: 'sum(messages) > `1`', respond: 'x' }] })],
  MockFailureError: ['ERR_MOCK_FAILURE', () => call({ type: 'fail', error: { message: 'Busy', status: 529 } })],
  MockFunctionError: [
    'ERR_MOCK_FUNCTION',
    () =>
      call({
        type: 'repeat',
        respond: () => {
          throw thrown
        },
      }),
    thrown,
  ],
  InvalidReplyError: ['ERR_MOCK_INVALID_REPLY', () => call({ type: 'repeat', respond: () => 5 })],
  GenerateError: [
    'ERR_TRANSCRIPT_GENERATE',
    () =>
      generate('x', {
        model: () => {
          throw thrown
        },
      }),
    thrown,
  ],
  WorkerPoolError: [
    'ERR_TRANSCRIPT_WORKER_CLOSED',
    async () => {
      const pool = createWorkerPool()
      await pool.close()
      await pool.validate('x')
    },
  ],
}

for (const [name, [code, fail, cause]] of Object.entries(CLASSES)) {
  test(`${name} has the code ${code}`, async () => {
    await assert.rejects(
      async () => fail(),
      (error) => {
        assert.ok(error instanceof workbench[name], error.stack)
        assert.deepEqual([error.name, error.code, error.cause], [name, code, cause])
        return true
      },
    )
  })
}

test('every exported error class is in the list, and codes are of one class each', () => {
  const exported = Object.keys(workbench)
    .filter((name) => name.endsWith('Error'))
    .sort()
  assert.deepEqual(exported, [...Object.keys(CLASSES), 'MockError'].sort())
  const codes = Object.values(CLASSES).map(([code]) => code)
  assert.equal(new Set(codes).size, codes.length)
})
