// Logs of events: `transcript-workbench/experimental`, `transcript order` and `transcript verify-determinism`.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const {
  SCHEMA_URI, orderEvents, payloadHash, readEvents, verifyDeterminism, writeEvents,
} = await load(folder, 'transcript-workbench/experimental')
const { run, write } = programIn(folder)

const sample = (name) => readFileSync(join(repository, 'tests/events/samples', name), 'utf8')
const NAMES = ['bad_events.jsonl', 'cycle.jsonl', 'forest60.jsonl', 'multi_agent.jsonl', 'multi_agent.shuffled.jsonl', 'nested_recording.json']
for (const name of NAMES) write(name, sample(name))
const oracle = JSON.parse(sample('forest60.expected_order.json'))
const lines = (ids) => ids.map((id) => `${id}\n`).join('')

/** Runs `verify-determinism` with a module of tools of this text. */
const verify = (code, args = []) => {
  write('tools.mjs', code)
  return run(['verify-determinism', 'nested_recording.json', '--tools', 'tools.mjs', ...args])
}

test('order prints the ids of the events, in either order', () => {
  const kahn = run(['order', 'forest60.jsonl'])
  assert.deepEqual([kahn.status, kahn.stdout], [0, lines(oracle.kahn_min_heap)])
  const layers = run(['order', 'forest60.jsonl', '--order', 'layers'])
  assert.deepEqual([layers.status, layers.stdout], [0, lines(oracle.layered)])
  const shuffled = sample('forest60.jsonl').trimEnd().split('\n').reverse().join('\n')
  assert.equal(run(['order', '-'], { input: shuffled }).stdout, lines(oracle.kahn_min_heap))
})

test('order tells what is wrong with a log and where', () => {
  const bad = run(['order', 'bad_events.jsonl'])
  assert.deepEqual([bad.status, bad.stdout], [1, ''])
  assert.match(bad.stderr, /^error\[T803\]: `not-a-uuid` is no UUID\n +--> bad_events\.jsonl:1:14\n/)
  assert.match(run(['order', 'cycle.jsonl']).stderr, /T808[^]*wait for each other/)
  assert.equal(run(['order', 'nowhere.jsonl']).status, 2)
  assert.equal(run(['order', 'forest60.jsonl', '--order', 'clock']).status, 2)
})

test('test_verify_cli_exits_zero_on_identical_runs', () => {
  assert.deepEqual(run(['verify-determinism', 'multi_agent.jsonl']), { status: 0, stdout: '13 events, the same trace each time\n', stderr: '' })
  const live = verify('export const lookup = () => ({ found: true })')
  assert.deepEqual([live.status, live.stdout], [0, '13 events, 1 tool call run, the same trace each time\n'])
  assert.equal(live.stderr, '1 tool result did not fit the hash in the log\n')
  assert.equal(verify('export default { lookup: async () => 1 }', ['--order', 'layers', '--seed', '9']).status, 0)
})

test('test_verify_cli_exits_nonzero_on_divergence', () => {
  const { status, stdout, stderr } = verify('export const lookup = () => Math.random()')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^error: the second run parts from the first at the event fd29d5f7-409f-4a5d-8098-2ae648766b06, in `outcome\.result`\n  first run: 0\.\d+\n  second run: 0\.\d+\n\n--- first run\n\+\+\+ second run\n@@/)
})

test('what is not the same each time is caught', () => {
  const caught = (code) => {
    const { status, stdout } = verify(code, ['--json'])
    const { ok, divergence, run } = JSON.parse(stdout)
    assert.deepEqual([status, ok], [1, false], code)
    return [run, divergence.event, divergence.field]
  }
  const lookup = 'fd29d5f7-409f-4a5d-8098-2ae648766b06'
  assert.deepEqual(caught('export const lookup = () => Math.floor(Date.now() / 86400000)'), ['second', lookup, 'outcome.result'])
  assert.deepEqual(caught('export const lookup = () => new Date().getFullYear()'), ['second', lookup, 'outcome.result'])
  assert.deepEqual(caught('export const lookup = () => crypto.randomUUID()'), ['second', lookup, 'outcome.result'])
  // The order of an object in which the host numbers its threads.
  assert.deepEqual(
    caught(`import { threadId } from 'node:worker_threads'
      export const lookup = () => [...new Map([[threadId, 1], [0, 2]]).keys()]`),
    ['second', lookup, 'outcome.result.0'],
  )
  // What a module keeps is new in a thread of its own, and shows when the first runs again.
  assert.deepEqual(caught('let count = 0\nexport const lookup = () => ++count'), ['third', lookup, 'outcome.result'])
  const file = `import { appendFileSync, readFileSync } from 'node:fs'
    export const lookup = () => { appendFileSync('kept.txt', 'x'); return readFileSync('kept.txt', 'utf8').length }`
  assert.deepEqual(caught(file), ['second', lookup, 'outcome.result'])
})

test('the same data in other words is no divergence', () => {
  const code = `import { isMainThread } from 'node:worker_threads'
    export const lookup = () => (isMainThread ? { a: 1, b: 2 } : { b: 2, a: 1 })`
  assert.equal(verify(code).status, 0)
})

test('a replay that fails each time is no success', () => {
  const { status, stderr } = verify("export const lookup = () => { throw new Error('no network') }")
  assert.equal(status, 1)
  assert.match(stderr, /^error: the replay fails: 1 event could not be done as the log has it\n[^]*4b9b5132-1463-45ee-ba99-b937f25b8fab: the tool `lookup` failed: no network\n$/)
  write('short.json', sample('nested_recording.json').replace('"bob_critiques": {', '"other": {'))
  assert.match(run(['verify-determinism', 'short.json']).stderr, /the recording has no answer `bob_critiques`/)
})

test('a log with errors is told with its places and not replayed', () => {
  const cycle = run(['verify-determinism', 'cycle.jsonl'])
  assert.equal(cycle.status, 2)
  assert.match(cycle.stderr, /T808[^]*cycle\.jsonl:1:/)
  const text = sample('multi_agent.jsonl')
  write('cut.jsonl', text.slice(0, -20))
  const cut = run(['verify-determinism', 'cut.jsonl', '--json'])
  assert.equal(cut.status, 2)
  assert.deepEqual(JSON.parse(cut.stdout).diagnostics.map(({ code, line }) => [code, line]), [['T802', 13]])
  const call = writeEvents([{
    event_id: 'fd29d5f7-409f-4a5d-8098-2ae648766b06', type: 'tool_call', agent_id: 'bob', timestamp_ns: 1, parent_event_id: null,
    tool_name: 'lookup', call_id: 'c', arguments: { q: 'x' },
  }])
  write('changed.jsonl', call.replace('"x"', '"y"'))
  const changed = run(['verify-determinism', 'changed.jsonl'])
  assert.deepEqual([changed.status, /T809/.test(changed.stderr)], [2, true])
})

test('misuse has an exit code of its own', () => {
  assert.equal(run(['verify-determinism']).status, 2)
  assert.equal(run(['verify-determinism', 'multi_agent.jsonl', '--tools', 'nowhere.mjs']).status, 2)
  write('empty.mjs', 'export const number = 5')
  assert.match(run(['verify-determinism', 'multi_agent.jsonl', '--tools', 'empty.mjs']).stderr, /it exports no function/)
})

test('events are written and read again', () => {
  const event = {
    event_id: '46bd969b-9530-4e7e-a4af-29b2a01eb7a2', type: 'state_transition', agent_id: 'bob',
    timestamp_ns: 1_700_000_000_123_456_789n, parent_event_id: null, payload: { note: 'ü' }, from_state: 'idle', to_state: 'busy',
  }
  const text = writeEvents([event])
  assert.match(text, /"timestamp_ns": 1700000000123456789, /)
  assert.match(text, new RegExp(`"payload_hash": "${payloadHash({ note: 'ü' })}"}\n$`))
  const log = readEvents(text)
  assert.deepEqual([log.ok, log.diagnostics, log.order()], [true, [], [event.event_id]])
  assert.deepEqual(log.rows()[0].summary, 'idle -> busy')
  assert.equal(log.explain(1).why, 'it followed from nothing, and no other event was ready')
  log.free()
  assert.throws(() => writeEvents([{ type: 'tool_call' }]), /the event has no `agent_id`/)
  assert.equal(SCHEMA_URI, JSON.parse(readFileSync(join(folder, 'node_modules/transcript-workbench/schema/event.schema.json'), 'utf8')).$id)
})

test('orderEvents and verifyDeterminism answer with data', async () => {
  assert.deepEqual(orderEvents(sample('forest60.jsonl')).ids, oracle.kahn_min_heap)
  assert.deepEqual(orderEvents(sample('cycle.jsonl')).diagnostics.map(({ code }) => code), ['T808'])
  const text = sample('nested_recording.json')
  const good = await verifyDeterminism(text, { runs: 3, tools: { lookup: ({ q }, { agent }) => [q ?? null, agent] } })
  assert.deepEqual([good.ok, good.runs, good.ran], [true, 3, 1])
  let calls = 0
  const bad = await verifyDeterminism(text, { tools: { lookup: () => (calls += 1) } })
  assert.deepEqual([bad.ok, bad.divergence.field, bad.divergence.first, bad.divergence.second], [false, 'outcome.result', 1, 2])
  assert.equal((await verifyDeterminism(sample('cycle.jsonl'))).readable, false)
  await assert.rejects(verifyDeterminism(text, { run: 3 }), /no option `run`/)
})
