// Numbers that JavaScript does not have, such as ids of 64 bits, keep their digits from an answer to its recording, and from a
// recording to an answer.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const site = install()
const { createRecorder, recordFetch, replay, replayFetch } = await load(site, 'transcript-workbench', 'transcript-workbench/fetch')

const ARGUMENTS = '{"id":1234567890123456789,"text":"12345678901234567890 \\\\\\" 1.0"}'
const NUMBERS = /"id":1234567890123456789/
const RESULT = '{"found": 9007199254740993}'

const sse = (...events) => events.map(({ type, ...data }) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('')

const usage = { input_tokens: 1, output_tokens: 1 }
const tool = { type: 'tool_use', id: 'toolu_1', name: 'find' }

/** For each protocol: where it is answered, its answer with a tool call, and the history that a client sends with the result. */
const PROTOCOLS = {
  chat: {
    path: 'chat/completions',
    answer: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"find","arguments":${JSON.stringify(ARGUMENTS)}}}]}}]}`,
    request: (history) => `{"model":"m","seed":9007199254740995,"messages":[{"role":"user","content":"go"}${history}]}`,
    history: `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"find","arguments":${JSON.stringify(ARGUMENTS)}}}]},{"role":"tool","tool_call_id":"call_1","content":${JSON.stringify(RESULT)}}`,
    last: '{"id":"d","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Found."}}]}',
  },
  messages: {
    path: 'messages',
    answer: `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"find","input":${ARGUMENTS}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
    request: (history) => `{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"go"}${history}]}`,
    history: `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"find","input":${ARGUMENTS}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":${JSON.stringify(RESULT)}}]}`,
    last: '{"id":"n","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Found."}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}',
  },
  'messages, streamed': {
    path: 'messages',
    stream: true,
    answer: sse(
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { ...tool, input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: ARGUMENTS.slice(0, 20) } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: ARGUMENTS.slice(20) } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
      { type: 'message_stop' },
    ),
    request: (history) => `{"model":"m","max_tokens":99,"stream":true,"messages":[{"role":"user","content":"go"}${history}]}`,
    history: `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"find","input":${ARGUMENTS}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":${JSON.stringify(RESULT)}}]}`,
    last: sse(
      { type: 'message_start', message: { id: 'n', type: 'message', role: 'assistant', model: 'm', content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Found.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ),
  },
  responses: {
    path: 'responses',
    answer: `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"find","arguments":${JSON.stringify(ARGUMENTS)},"status":"completed"}]}`,
    request: (history) => `{"model":"m","input":[{"role":"user","content":"go"}${history}]}`,
    history: `,{"type":"function_call","call_id":"call_1","name":"find","arguments":${JSON.stringify(ARGUMENTS)}},{"type":"function_call_output","call_id":"call_1","output":${JSON.stringify(RESULT)}}`,
    last: '{"id":"resp_2","object":"response","created_at":1,"status":"completed","model":"m","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Found.","annotations":[]}]}]}',
  },
}

const post = (fetch, path, body) =>
  fetch(`https://models.test/v1/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

for (const [name, { path, stream = false, answer, last, request, history }] of Object.entries(PROTOCOLS)) {
  test(`numbers keep their digits through a recording and its replay: ${name}`, async () => {
    const answers = [answer, last]
    const type = stream ? 'text/event-stream' : 'application/json'
    const upstream = async () => new Response(answers.shift(), { headers: { 'content-type': type } })
    const recorder = createRecorder({ name: 'numbers' })
    const recording = recordFetch(recorder, { fetch: upstream })
    for (const body of [request(''), request(history)]) await (await post(recording, path, body)).text()
    const { text } = recorder.finish({ format: 'yaml' })
    assert.match(text, /id: 1234567890123456789\b/)
    assert.doesNotMatch(text, /1234567890123456800|9007199254740992/)
    assert.match(text, /found: 9007199254740993\b/)
    if (name === 'chat') assert.match(text, /seed: 9007199254740995\b/)

    const tape = await replay({ text, file: 'numbers.yaml' })
    const playing = replayFetch(tape)
    const first = await (await post(playing, path, request(''))).text()
    const sent = stream ? [...first.matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json)).join('') : first
    assert.match(sent.replaceAll('\\"', '"'), NUMBERS)
    assert.equal((await post(playing, path, request(history))).status, 200)
    playing.assertComplete()
    const [call] = (await replay({ text })).request({ format: 'canonical', messages: [{ role: 'user', content: 'go' }] }).response
      .tool_calls
    assert.deepEqual(call.arguments, JSON.parse(ARGUMENTS))
  })
}

/** Runs a client in JavaScript, which sends the numbers of the answer back as it has them. Returns the statuses. */
const runClient = async (fetch) => {
  const messages = [{ role: 'user', content: 'go' }]
  const send = () => post(fetch, 'messages', JSON.stringify({ model: 'm', max_tokens: 99, messages }))
  const first = await send()
  messages.push({ role: 'assistant', content: (await first.json()).content })
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] })
  const second = await send()
  await second.text()
  return [first.status, second.status]
}

for (const input of ['{"id":1234567890123456789}', '{"degrees":72.0}', '{"much":1e2}', '{"little":-0.0}']) {
  test(`a client that rounds numbers is recorded once, and replays: ${input}`, async () => {
    const answers = [PROTOCOLS.messages.answer.replace(ARGUMENTS, input), PROTOCOLS.messages.last]
    const upstream = async () => new Response(answers.shift(), { headers: { 'content-type': 'application/json' } })
    const recorder = createRecorder({ name: 'rounded' })
    assert.deepEqual(await runClient(recordFetch(recorder, { fetch: upstream })), [200, 200])
    const { text, transcript, problems } = recorder.finish({ format: 'yaml' })
    assert.deepEqual(problems, [])
    assert.deepEqual(
      transcript.execution.map(({ type }) => type),
      ['llm_call', 'tool_call', 'llm_call'],
    )
    const playing = replayFetch(await replay({ text }))
    assert.deepEqual(await runClient(playing), [200, 200])
    playing.assertComplete()
  })
}

test('an assertion about such a number passes on a run in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exact-'))
  const call = { id: 'c1', name: 'f', arguments: { id: 'ID' } }
  const run = {
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: [call] },
    ],
  }
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run).replace('"ID"', '1234567890123456789'))
  const transcript = (id) =>
    `messages: ["user: go", "assistant:call f(id=${id})"]\nassertions: [{type: tool_called, tool: f, parameters: {id: ${id}}}]\n`
  writeFileSync(join(folder, 'same.yaml'), transcript('1234567890123456789'))
  writeFileSync(join(folder, 'near.yaml'), transcript('1234567890123456788'))
  const check = (name) =>
    spawnSync(process.execPath, [join(site, 'node_modules/transcript-workbench/dist/cli.js'), 'check', name, '--run', 'run.json'], {
      cwd: folder,
      encoding: 'utf8',
    })
  assert.equal(check('same.yaml').status, 0)
  const near = check('near.yaml')
  assert.equal(near.status, 1)
  assert.match(near.stdout + near.stderr, /found \{"id": 1234567890123456789\}/)
})
