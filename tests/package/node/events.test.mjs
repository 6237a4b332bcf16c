// Logs of events: `transcript-workbench/experimental`, `transcript order` and `transcript verify-determinism`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { programIn } from '../support/program.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const {
  EventWriter,
  SCHEMA_URI,
  compareTraces,
  createRecorder,
  detect,
  mockModel,
  orderEvents,
  payloadHash,
  readEvents,
  verifyDeterminism,
  writeEvents,
} = await load(folder, 'transcript-workbench', 'transcript-workbench/experimental')
const { run, write } = programIn(folder)

const sample = (name) => readFileSync(join(repository, 'tests/events/samples', name), 'utf8')
const NAMES = [
  'bad_events.jsonl',
  'cycle.jsonl',
  'forest60.jsonl',
  'multi_agent.jsonl',
  'multi_agent.shuffled.jsonl',
  'nested_recording.json',
]
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

test('order says what is wrong with a log and where', () => {
  const bad = run(['order', 'bad_events.jsonl'])
  assert.deepEqual([bad.status, bad.stdout], [1, ''])
  assert.match(bad.stderr, /^error\[T803\]: `not-a-uuid` is not a UUID\n +--> bad_events\.jsonl:1:14\n/)
  const data = run(['order', 'bad_events.jsonl', '--json'])
  const { ok, rows, diagnostics } = JSON.parse(data.stdout)
  const read = readEvents(sample('bad_events.jsonl'))
  assert.deepEqual(
    [data.status, ok, rows, diagnostics.map(({ code }) => code)],
    [1, false, read.rows(), read.diagnostics.map(({ code }) => code)],
  )
  assert.ok(rows.length > 0)
  assert.match(run(['order', 'cycle.jsonl']).stderr, /T808[^]*depend on each other/)
  assert.equal(run(['order', 'nowhere.jsonl']).status, 2)
  assert.equal(run(['order', 'forest60.jsonl', '--order', 'clock']).status, 2)
})

test('test_verify_cli_exits_zero_on_identical_runs', () => {
  assert.deepEqual(run(['verify-determinism', 'multi_agent.jsonl']), {
    status: 0,
    stdout: '13 events, the same trace each time\n',
    stderr: '',
  })
  const live = verify('export const lookup = () => ({ found: true })')
  assert.deepEqual([live.status, live.stdout], [0, '13 events, 1 tool call run, the same trace each time\n'])
  assert.equal(live.stderr, '1 tool result did not match the hash in the log\n')
  assert.equal(verify('export default { lookup: async () => 1 }', ['--order', 'layers', '--seed', '9']).status, 0)
})

test('test_verify_cli_exits_nonzero_on_divergence', () => {
  const { status, stdout, stderr } = verify('export const lookup = () => Math.random()')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(
    stderr,
    /^error: the second run differs from the first at the event fd29d5f7-409f-4a5d-8098-2ae648766b06, in `outcome\.result`\n  first run: 0\.\d+\n  second run: 0\.\d+\n\n--- first run\n\+\+\+ second run\n@@/,
  )
})

test('a tool that ends the program, or leaves it waiting for nothing, is no success', () => {
  for (const code of ['export const lookup = () => process.exit(0)', 'export const lookup = () => new Promise(() => {})']) {
    const { status, stdout, stderr } = verify(code, ['--timeout', '0'])
    assert.deepEqual([status, stdout], [2, ''], code)
    assert.match(stderr, /error: the program ended early\n {2}= help: /)
  }
})

test('what cannot be written as data does not pass for nothing', () => {
  for (const [code, what] of [
    ['new Map([["a", Math.random()]])', 'a Map'],
    ['({ deep: new Set([Math.random()]) })', 'a Set'],
    ['NaN', 'the number NaN'],
  ]) {
    const { status, stderr } = verify(`export const lookup = () => ${code}`)
    assert.equal(status, 1, code)
    assert.match(stderr, new RegExp(`${what}, which cannot be written as data`))
  }
  assert.match(verify('export const lookup = () => new Error(`${Math.random()}`)').stderr, /in `outcome\.result\.message`/)
  assert.throws(() => payloadHash(new Map([['a', 1]])), /the payload is a Map/)
  // A text is one, whatever it contains.
  assert.notEqual(payloadHash('\u0000123'), payloadHash(123))
  assert.equal(payloadHash(123n), payloadHash(123))
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

test('the isolated run has another clock', async () => {
  const text = sample('nested_recording.json')
  const clocks = [
    'Date().slice(11, 15)',
    'new (class extends Date {})().getFullYear()',
    'new (Object.getPrototypeOf(new Date(0)).constructor)().getFullYear()',
    "new Intl.DateTimeFormat('en', { year: 'numeric' }).format()",
    "new Intl.DateTimeFormat('en', { year: 'numeric' }).formatToParts()[0].value",
    'Math.floor(process.hrtime()[0] / 1e5)',
    'Math.floor(hrtime()[0] / 1e5)',
    'Number(process.hrtime.bigint() / 100_000_000_000_000n)',
    'Math.floor(performance.now() / 1e8)',
    'Math.floor(performance.timeOrigin / 1e9)',
    "Math.floor(performance.mark('a').startTime / 1e8)",
    'Math.floor(process.uptime() / 1e5)',
    'Math.floor(uptime() / 1e6)',
  ]
  const code = `import { hrtime } from 'node:process'
    import { uptime } from 'node:os'
    export const lookup = () => [${clocks.map((clock) => `() => ${clock}`).join(', ')}].map((clock) => clock())`
  const each = clocks.map((_, at) => code.replace(/\.map\(\(clock\) => clock\(\)\)$/, `[${at}]()`))
  for (const [at, tool] of each.entries()) {
    const { ok, differingRun, divergence } = await verifyDeterminism(text, { tools: saved(`clock-${at}.mjs`, tool) })
    assert.deepEqual([ok, differingRun, divergence?.field], [false, 2, 'outcome.result'], clocks[at])
  }
  // What is no clock is as it was.
  const kept = `class Later extends Date { twice() { return 2 } }
    export const lookup = () => {
      const [now, later] = [new Date(), new Later()]
      return [
        now instanceof Date, later instanceof Later, later instanceof Date, later.twice(), Date.prototype.constructor === Date,
        now.constructor === Date, structuredClone(now).getTime() === now.getTime(), Date.length, Date.name, Date.now === Date.now,
        new Date(2020, 1, 1).getFullYear(), new Date(5).getTime(), Date.UTC(2020, 1), typeof Date(), process.hrtime([0, 0]).length,
        Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 60_000,
      ]
    }`
  const same = await verifyDeterminism(text, { tools: saved('kept-dates.mjs', kept) })
  assert.equal(same.ok, true, JSON.stringify(same.divergence))
})

test('a module that cannot be loaded is named, with what it says', () => {
  for (const [code, words] of [
    ['export const lookup = () => {', /cannot load the tools of `tools\.mjs`: SyntaxError: Unexpected end of input/],
    ["import x from './nowhere.mjs'\nexport const lookup = () => x", /cannot load the tools of `tools\.mjs`: Cannot find module/],
    ["throw new TypeError('no key')", /cannot load the tools of `tools\.mjs`: TypeError: no key/],
    [
      "import { isMainThread } from 'node:worker_threads'\nif (!isMainThread) throw new Error('no thread')\nexport const lookup = () => 1",
      /cannot load the tools of `tools\.mjs` in a thread of its own: no thread/,
    ],
  ]) {
    const { status, stdout, stderr } = verify(code)
    assert.deepEqual([status, stdout], [2, ''], code)
    assert.match(stderr, words)
    assert.doesNotMatch(stderr, /this is a bug/)
  }
  const stray =
    "import { isMainThread } from 'node:worker_threads'\nexport const lookup = () => { if (!isMainThread) setTimeout(() => { throw new Error('stray') }); return new Promise((done) => setTimeout(done, 200)) }"
  const { status, stderr } = verify(stray)
  assert.equal(status, 2)
  assert.match(stderr, /the isolated run ended with an error that no tool call caught: stray/)
})

test('tools that the log has no call of are reported', async () => {
  const near = verify('export const lokup = () => 1')
  assert.deepEqual([near.status, near.stderr], [0, 'warning: the log has no tool `lokup`; did you mean `lookup`?\n'])
  const other = verify('export const other = () => 1', ['--json'])
  assert.match(other.stderr, /^warning: none of the tools \(`other`\) is a tool of the log, which has `lookup`\n$/)
  assert.equal(JSON.parse(other.stdout).warnings.length, 1)
  // What a module exports next to them need not be called.
  assert.doesNotMatch(verify('export const lookup = () => 1\nexport const help = () => 2').stderr, /warning/)
  const text = sample('nested_recording.json')
  const { warnings } = await verifyDeterminism(text, { handlers: { bobb: () => 'Hi' } })
  assert.deepEqual(warnings, ['the log has no agent `bobb`; did you mean `bob`?'])
  assert.deepEqual((await verifyDeterminism(text, { tools: { lookup: () => 1 } })).warnings, [])
})

test('what tools print and leave running does not come into the output or hold up the end', () => {
  const code = `setInterval(() => console.log('tick'), 20)
    export const lookup = () => { console.log('called'); process.stdout.write('written\\n'); return 1 }`
  const { status, stdout, stderr } = verify(code, ['--json'])
  assert.deepEqual([status, JSON.parse(stdout).ok], [0, true])
  assert.match(stderr, /called\nwritten\n/)
})

test('a document with handlers answers as a module does', () => {
  const document = 'handlers:\n  bob: {type: queue, responses: ["Yes."]}\n  carl: {type: queue, responses: ["No."]}\n'
  const reported = (name, text) => {
    write(name, text)
    return run(['verify-determinism', 'nested_recording.json', '--handlers', name])
  }
  const out = '13 events, 1 response from handlers, the same trace each time\n'
  assert.deepEqual([reported('models.yaml', document).status, reported('models.yaml', document).stdout], [0, out])
  assert.equal(reported('models.json', JSON.stringify({ handlers: { bob: { type: 'queue', responses: ['Yes.'] } } })).stdout, out)
  const other = reported('models.yaml', document.replace('bob', 'bub'))
  assert.deepEqual([other.status, /the document has no handler `bob`; did you mean `bub`\?/.test(other.stderr)], [2, true])
  const bad = reported('models.yaml', document.replace('queue', 'que'))
  assert.deepEqual(
    [bad.status, /cannot load the handlers of `models\.yaml`: unknown type `que` of `bob` \(models\.yaml:2:15\)/.test(bad.stderr)],
    [2, true],
  )
})

test('why an event stands where it does, and what it depends on', () => {
  const ids = sample('multi_agent.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event_id)
  const log = readEvents(sample('multi_agent.jsonl'))
  const [first, second] = log.order()
  assert.ok(ids.includes(first))
  const pair = log.between(second, first)
  assert.deepEqual([pair.first, pair.relation, pair.by], [first, 'follows', [first, second]])
  assert.equal(log.between(first, first), undefined)
  const order = (...args) => run(['order', 'multi_agent.jsonl', ...args])
  assert.equal(order('--why', first).stdout, `${first} is 1 of 13: it has no parent, and no other event was ready\n`)
  assert.equal(
    order('--why', `${second},${first}`).stdout,
    `${first} comes before ${second}: the second follows from the first\n  ${first}\n  ${second}\n`,
  )
  assert.equal(order('--future', first).stdout, lines(log.future(first)))
  assert.equal(order('--past', log.order().at(-1)).stdout, lines(log.past(log.order().at(-1))))
  assert.deepEqual(JSON.parse(order('--json', '--order', 'layers').stdout), log.rows({ order: 'layers' }))
  assert.deepEqual([order('--why', 'nobody').status, order('--past', first, '--future', first).status], [2, 2])
  log.free()
  log.free()
  assert.throws(() => log.order(), /^Error: this log has been freed$/)
})

test('a difference is reported with its line, however far down a long trace it stands', async () => {
  const long = []
  for (let at = 1; at <= 2500; at += 1) long.push({ ...moved(at), payload: at })
  const call = {
    event_id: '00000000-0000-4000-8000-000000001500',
    type: 'tool_call',
    agent_id: 'a',
    timestamp_ns: 1,
    parent_event_id: null,
    tool_name: 'draw',
    call_id: 'c',
    arguments: {},
  }
  long[1499] = call
  const text = writeEvents(long)
  const { ok, divergence, events } = await verifyDeterminism(text, { tools: { draw: () => Math.random() } })
  // The first line is the head.
  assert.deepEqual([ok, events, divergence.line, divergence.event, divergence.field], [false, 2500, 1501, call.event_id, 'outcome.result'])
  const diff = divergence.diff.split('\n')
  assert.deepEqual([diff[2], diff.filter((line) => /^[-+]\{/.test(line)).length], ['@@', 2])
  const log = readEvents(text)
  const provided = [0.25, 0.5]
  const whole = await Promise.all(provided.map((value) => log.replay({ tools: { draw: () => value } })))
  const reported = compareTraces(whole[0].trace, whole[1].trace)
  assert.deepEqual([reported.line, reported.event, reported.field], [1501, call.event_id, 'outcome.result'])
})

test('the same data in other words is no divergence', () => {
  const code = `import { isMainThread } from 'node:worker_threads'
    export const lookup = () => (isMainThread ? { a: 1, b: 2 } : { b: 2, a: 1 })`
  assert.equal(verify(code).status, 0)
})

test('a replay that fails each time is no success', () => {
  const { status, stderr } = verify("export const lookup = () => { throw new Error('no network') }")
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^error: the replay fails: 1 event could not be replayed\n[^]*4b9b5132-1463-45ee-ba99-b937f25b8fab: the tool `lookup` failed: no network\n$/,
  )
  write('short.json', sample('nested_recording.json').replace('"bob_critiques": {', '"other": {'))
  assert.match(run(['verify-determinism', 'short.json']).stderr, /the recording has no response `bob_critiques`/)
})

test('a log with errors is reported with its places and not replayed', () => {
  const cycle = run(['verify-determinism', 'cycle.jsonl'])
  assert.equal(cycle.status, 2)
  assert.match(cycle.stderr, /T808[^]*cycle\.jsonl:1:/)
  const text = sample('multi_agent.jsonl')
  write('cut.jsonl', text.slice(0, -20))
  const cut = run(['verify-determinism', 'cut.jsonl', '--json'])
  assert.equal(cut.status, 2)
  assert.deepEqual(
    JSON.parse(cut.stdout).diagnostics.map(({ code, line }) => [code, line]),
    [['T802', 13]],
  )
  const call = writeEvents([
    {
      event_id: 'fd29d5f7-409f-4a5d-8098-2ae648766b06',
      type: 'tool_call',
      agent_id: 'bob',
      timestamp_ns: 1,
      parent_event_id: null,
      tool_name: 'lookup',
      call_id: 'c',
      arguments: { q: 'x' },
    },
  ])
  write('changed.jsonl', call.replace('"x"', '"y"'))
  const changed = run(['verify-determinism', 'changed.jsonl'])
  assert.deepEqual([changed.status, /T809/.test(changed.stderr)], [2, true])
})

test('a log with no events proves nothing', async () => {
  const words = 'the log has no events, so there is nothing to verify'
  for (const text of ['[]', '{"_inter_agent_events": []}']) {
    write('none.json', text)
    assert.deepEqual(run(['verify-determinism', 'none.json']), { status: 2, stdout: '', stderr: `error: ${words}\n` })
    const data = run(['verify-determinism', 'none.json', '--json'])
    const { ok, events, warnings } = JSON.parse(data.stdout)
    assert.deepEqual([data.status, ok, events, warnings], [2, false, 0, [words]])
    const proved = await verifyDeterminism(text)
    assert.deepEqual([proved.ok, proved.readable, proved.identical, proved.warnings], [false, true, false, [words]])
  }
})

test('what is warned of a log that replays is reported', () => {
  const { type, ...rest } = JSON.parse(sample('multi_agent.jsonl').split('\n')[0])
  write('odd.jsonl', `${JSON.stringify({ ...rest, type: 'unheard_of' })}\n`)
  const { status, stdout, stderr } = run(['verify-determinism', 'odd.jsonl'])
  assert.deepEqual([typeof type, status, stdout], ['string', 0, '1 event, the same trace each time\n'])
  assert.match(stderr, /^warning\[T804\]: [^\n]*`unheard_of`[^\n]*\n +--> odd\.jsonl:1:/)
})

test('a module that cannot be loaded is reported as data too', () => {
  const { status, stdout } = run(['verify-determinism', 'multi_agent.jsonl', '--tools', 'nowhere.mjs', '--json'])
  const { ok, problem } = JSON.parse(stdout)
  assert.deepEqual([status, ok], [2, false])
  assert.match(problem.message, /^cannot load the tools of `nowhere\.mjs`: /)
})

test('the diff names the runs it is of', () => {
  const { stderr } = verify('let count = 0\nexport const lookup = () => ++count')
  assert.match(stderr, /  third run: 2\n\n--- first run\n\+\+\+ third run\n@@/)
})

test('a tool that never gives the thread back is ended', async () => {
  const text = sample('nested_recording.json')
  const failure = { event: 'fd29d5f7-409f-4a5d-8098-2ae648766b06', message: 'the tool `lookup` did not answer within 50 ms' }
  const { status, stdout } = verify('export const lookup = () => { for (;;); }', ['--timeout', '50', '--json'])
  const reported = JSON.parse(stdout)
  assert.deepEqual([status, reported.ok, reported.failures], [1, false, [failure]])
  const apart = "import { isMainThread } from 'node:worker_threads'\nexport const lookup = () => { while (!isMainThread); return 1 }"
  const later = await verifyDeterminism(text, { tools: saved('endless.mjs', apart), timeout: 50 })
  assert.deepEqual([later.ok, later.differingRun, later.timedOut, later.failures], [false, 2, true, [failure]])
  // What it throws itself is what it threw, whatever it is called.
  const own = Object.assign(new Error('own'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
  const thrown = await verifyDeterminism(text, {
    tools: {
      lookup: () => {
        throw own
      },
    },
    timeout: 50,
  })
  assert.deepEqual([thrown.timedOut, thrown.identical, /own/.test(JSON.stringify(thrown.failures))], [false, true, true])
})

test('misuse has an exit code of its own', () => {
  assert.equal(run(['verify-determinism']).status, 2)
  assert.equal(run(['verify-determinism', 'multi_agent.jsonl', '--tools', 'nowhere.mjs']).status, 2)
  write('empty.mjs', 'export const number = 5')
  assert.match(run(['verify-determinism', 'multi_agent.jsonl', '--tools', 'empty.mjs']).stderr, /it exports no function/)
})

test('events are written and read again', () => {
  const event = {
    event_id: '46bd969b-9530-4e7e-a4af-29b2a01eb7a2',
    type: 'state_transition',
    agent_id: 'bob',
    timestamp_ns: 1_700_000_000_123_456_789n,
    parent_event_id: null,
    payload: { note: 'ü' },
    from_state: 'idle',
    to_state: 'busy',
  }
  const text = writeEvents([event])
  assert.match(text, /"timestamp_ns": 1700000000123456789, /)
  assert.match(text, new RegExp(`"payload_hash": "${payloadHash({ note: 'ü' })}"}\n$`))
  const log = readEvents(text)
  assert.deepEqual([log.ok, log.diagnostics, log.order()], [true, [], [event.event_id]])
  assert.deepEqual(log.rows()[0].summary, 'idle -> busy')
  assert.equal(log.explain(1).reason, 'it has no parent, and no other event was ready')
  log.free()
  assert.throws(() => writeEvents([{ type: 'tool_call' }]), /the event has no `agent_id`/)
  assert.equal(SCHEMA_URI, JSON.parse(readFileSync(join(folder, 'node_modules/transcript-workbench/schema/event.schema.json'), 'utf8')).$id)
  const [scheme, path] = SCHEMA_URI.split(':')
  assert.deepEqual([scheme, createRequire(join(folder, 'x.js')).resolve(path).endsWith('event.schema.json')], ['npm', true])
})

test('orderEvents and verifyDeterminism answer with data', async () => {
  assert.deepEqual(orderEvents(sample('forest60.jsonl')).ids, oracle.kahn_min_heap)
  assert.deepEqual(
    orderEvents(sample('cycle.jsonl')).diagnostics.map(({ code }) => code),
    ['T808'],
  )
  const text = sample('nested_recording.json')
  const good = await verifyDeterminism(text, { runs: 3, tools: { lookup: ({ q }, { agent }) => [q ?? null, agent] } })
  assert.deepEqual([good.ok, good.runs, good.ran], [true, 3, 1])
  let calls = 0
  const bad = await verifyDeterminism(text, { tools: { lookup: () => (calls += 1) } })
  assert.deepEqual([bad.ok, bad.divergence.field, bad.divergence.first, bad.divergence.second], [false, 'outcome.result', 1, 2])
  assert.equal((await verifyDeterminism(sample('cycle.jsonl'))).readable, false)
  await assert.rejects(verifyDeterminism(text, { run: 3 }), /no option `run`/)
})

/** The path of a file with this text. */
const saved = (name, text) => {
  write(name, text)
  return join(folder, name)
}

test('verifyDeterminism isolates the tools of a module, as the command does', async () => {
  const text = sample('nested_recording.json')
  const tried = (code, options) => verifyDeterminism(text, { tools: saved('live.mjs', code), ...options })
  const good = await tried('export const lookup = ({ q }) => [q ?? null]')
  assert.deepEqual([good.ok, good.isolated, good.runs, good.ran, good.differingRun], [true, true, 3, 1, null])
  const clock = await verifyDeterminism(text, {
    tools: pathToFileURL(saved('clock.mjs', 'export const lookup = () => Math.floor(Date.now() / 86400000)')),
  })
  assert.deepEqual([clock.ok, clock.differingRun, clock.divergence.field], [false, 2, 'outcome.result'])
  const kept = await verifyDeterminism(text, { tools: saved('kept.mjs', 'let count = 0\nexport const lookup = () => ++count') })
  assert.deepEqual([kept.ok, kept.differingRun], [false, 3])
  // The same functions in this thread: the clock is the same one, which is why this is the weaker proof.
  const weak = await verifyDeterminism(text, { tools: { lookup: () => Math.floor(Date.now() / 86400000) } })
  assert.deepEqual([weak.ok, weak.isolated], [true, false])
  await assert.rejects(verifyDeterminism(text, { tools: 'nowhere.mjs' }), /cannot load the tools of `nowhere\.mjs`/)
  await assert.rejects(verifyDeterminism(text, { tools: { lookup: () => 1 }, isolate: true }), /cannot isolate the `tools` of this program/)
})

test('a tool that never answers is named, and ends the proof', async () => {
  const text = sample('nested_recording.json')
  const never = await verifyDeterminism(text, { tools: { lookup: () => new Promise(() => {}) }, timeout: 20 })
  const failure = { event: 'fd29d5f7-409f-4a5d-8098-2ae648766b06', message: 'the tool `lookup` did not answer within 20 ms' }
  assert.deepEqual([never.ok, never.identical, never.timedOut, never.failures], [false, false, true, [failure]])
  const apart =
    "import { isMainThread } from 'node:worker_threads'\nexport const lookup = () => isMainThread ? 1 : new Promise(() => setInterval(() => {}, 1000))"
  const later = await verifyDeterminism(text, { tools: saved('apart.mjs', apart), timeout: 50 })
  assert.deepEqual([later.ok, later.differingRun, later.timedOut], [false, 2, true])
  // What it left running does not keep the command from its end.
  const { status, stdout, stderr } = verify('export const lookup = () => new Promise(() => setInterval(() => {}, 1000))', [
    '--timeout',
    '30',
  ])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /fd29d5f7-409f-4a5d-8098-2ae648766b06: the tool `lookup` did not answer within 30 ms\n$/)
})

test('handlers answer for agents in a replay, and what they say is compared', async () => {
  const text = sample('nested_recording.json')
  const log = readEvents(text)
  const { agents } = log
  assert.ok(agents.includes('bob'))
  const plain = await log.replay()
  const output = plain.trace.split('\n').filter((line) => line.includes('"agent_id":"bob"') && line.includes('"answer"'))
  const { answer } = JSON.parse(output[0])
  const reported = []
  const same = await log.replay({ handlers: { bob: (messages, { agent }) => (reported.push([agent, messages.at(-1).role]), answer) } })
  assert.deepEqual([same.answered, same.drifted, same.failed], [1, 0, 0])
  assert.equal(reported[0][0], 'bob')
  const other = await log.replay({ handlers: { bob: mockModel(['Checking', 'No.']) } })
  assert.deepEqual([other.answered, other.drifted], [1, 1])
  assert.match(other.trace, /"answer":"Checking","as_recorded":false/)
  const failing = await log.replay({
    handlers: {
      bob: () => {
        throw new Error('no words')
      },
    },
  })
  assert.deepEqual([failing.failed, failing.failures[0].message], [1, 'the handler failed: no words'])
  log.free()
  assert.equal((await verifyDeterminism(text, { handlers: { bob: mockModel(['Yes.']) } })).ok, true)
  const random = await verifyDeterminism(text, { handlers: { bob: () => Math.random() } })
  assert.deepEqual([random.ok, random.divergence.field], [false, 'answer'])
  write('models.mjs', "import { mockModel } from 'transcript-workbench'\nexport const bob = mockModel(['Yes.'])")
  const { status, stdout } = run(['verify-determinism', 'nested_recording.json', '--handlers', 'models.mjs'])
  assert.deepEqual([status, stdout], [0, '13 events, 1 response from handlers, the same trace each time\n'])
})

const moved = (number, agent = 'a') => ({
  event_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  type: 'state_transition',
  agent_id: agent,
  timestamp_ns: number,
  parent_event_id: null,
  payload: 'x'.repeat(number % 3000),
  from_state: 'x',
  to_state: 'y',
})

test('writers of one program never mix the lines of a log', async () => {
  const path = join(folder, 'shared', 'events.jsonl')
  const code = `import { EventWriter } from 'transcript-workbench/experimental'
    import { parentPort, workerData } from 'node:worker_threads'
    const writer = new EventWriter(workerData.path)
    const moved = ${moved.toString()}
    for (let at = 0; at < 300; at += 1) writer.write(moved(workerData.first + at, 'w' + workerData.first))
    writer.close()`
  const threads = [0, 1000, 2000].map((first) => {
    const worker = new Worker(pathToFileURL(saved('writes.mjs', code)), { workerData: { path, first } })
    return once(worker, 'exit')
  })
  const writers = [new EventWriter(path), new EventWriter(path)]
  for (let at = 0; at < 300; at += 1) {
    writers[at % 2].write(moved(3000 + at))
    if (at % 20 === 0) await new Promise((done) => setImmediate(done))
  }
  await Promise.all(threads)
  const log = readEvents(readFileSync(path))
  assert.deepEqual([log.diagnostics, log.overview.events], [[], 1200])
  writers[0].close()
  assert.throws(() => writers[0].write(moved(1)), /has been closed/)
  assert.throws(() => writers[1].write({ type: 'tool_call' }), /has no `agent_id`/)
})

test('what is killed while it writes loses at most the line in flight, and the next begins on its own', async () => {
  const path = join(folder, 'killed.jsonl')
  write(
    'killed.mjs',
    `import { EventWriter } from 'transcript-workbench/experimental'
    const writer = new EventWriter(${JSON.stringify(path)})
    const moved = ${moved.toString()}
    for (let at = 0; ; at += 1) { writer.write(moved(at)); if (at === 50) console.log('on') }`,
  )
  const child = spawn(process.execPath, [join(folder, 'killed.mjs')], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const whole = readFileSync(path, 'utf8')
  const lines = whole.split('\n').slice(0, -1)
  assert.ok(lines.length > 50)
  lines.forEach((line, at) => assert.equal(JSON.parse(line).timestamp_ns, at))
  // As if it had been cut within the last line.
  const cut = `${lines.slice(0, 10).join('\n')}\n${lines[10].slice(0, 40)}`
  writeFileSync(path, cut)
  const writer = new EventWriter(path)
  writer.write(moved(9001))
  writer.write(moved(9002))
  writer.close()
  const log = readEvents(readFileSync(path))
  assert.deepEqual(
    log.diagnostics.map(({ code, line }) => [code, line]),
    [['T801', 11]],
  )
  assert.deepEqual([log.overview.events, readFileSync(path, 'utf8').startsWith(`${cut}\n`)], [12, true])
})

test('what another cuts off or adds while a writer is open takes no event with it', () => {
  const path = join(folder, 'outside.jsonl')
  const writer = new EventWriter(path)
  writer.write(moved(1))
  appendFileSync(path, '{"event_id": "cut')
  writer.write(moved(2))
  writer.write(moved(3))
  truncateSync(path, readFileSync(path).length - 5)
  writer.write(moved(4))
  writer.close()
  const lines = readFileSync(path, 'utf8').split('\n')
  assert.deepEqual([lines.length, lines[1], lines.at(-1)], [6, '{"event_id": "cut', ''])
  assert.deepEqual(
    [0, 2, 4].map((at) => JSON.parse(lines[at]).timestamp_ns),
    [1, 2, 4],
  )
})

test('test_inter_agent_events_extend_recordings_without_breaking_v2_format', async () => {
  const facts = [
    { fact: 'tool_called', id: 't1', name: 'ask_bob', arguments: { q: 'Hi' } },
    { fact: 'agent_entered', run: 'r1', agent: 'bob', parent_call: 't1' },
    { fact: 'model_called', run: 'r1', call: 'c1' },
    { fact: 'model_answered', run: 'r1', call: 'c1', content: 'Hello!' },
    { fact: 'agent_left', run: 'r1' },
    { fact: 'tool_returned', id: 't1', result: 'Hello!' },
  ]
  const recorder = createRecorder({ events: true })
  const alone = [createRecorder({ events: true }), createRecorder()]
  for (const fact of facts) recorder.observe(fact)
  for (const one of alone) one.messageAppended({ id: 'm1', role: 'user', content: 'Hi' })
  assert.deepEqual(alone[0].finish(), alone[1].finish())
  assert.equal('events' in alone[0].finish(), false)
  const { events } = recorder.finish()
  assert.deepEqual(Object.keys(JSON.parse(events.recording)), ['_version', 'r1/c1', '_inter_agent_events'])
  const proved = await verifyDeterminism(events.recording, { handlers: { bob: mockModel(['Hello!']) } })
  assert.deepEqual([proved.ok, proved.answered, proved.drifted, proved.diagnostics], [true, 1, 0, []])
  await recorder.save(join(folder, 'kept.yaml'))
  assert.equal(readFileSync(join(folder, 'kept.events.json'), 'utf8'), events.recording)
  assert.equal(detect(events.log).kind, 'event-log')
  assert.equal(run(['verify-determinism', 'kept.events.json']).status, 0)
})

test('a command nests the events of a log into a recording, all else of which stays byte for byte', () => {
  const { _inter_agent_events: events, ...rest } = JSON.parse(sample('nested_recording.json'))
  const recording = `\ufeff${JSON.stringify(rest, null, 2).replaceAll('"cost_usd": 0.0000112', '"cost_usd": 1.12e-05')}\r\n`
  write('recording.json', recording)
  const nest = (...args) => run(['nest-events', ...args])
  const { status, stdout, stderr } = nest('recording.json', 'multi_agent.jsonl')
  assert.deepEqual([status, stderr], [0, ''])
  const [before, after] = recording.split('\n}\r\n')
  assert.ok(stdout.startsWith(`${before},\n  "_inter_agent_events": [\n    {`) && stdout.endsWith('}\n  ]\n}\r\n') && after === '')
  assert.deepEqual(
    JSON.parse(stdout.slice(1))._inter_agent_events,
    sample('multi_agent.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  assert.equal(events.length, 13)
  // The command writes to the file that is named, and to no other.
  assert.deepEqual(nest('recording.json', 'multi_agent.jsonl', '-o', 'nested.json'), {
    status: 0,
    stdout: '',
    stderr: '13 events written into nested.json\n',
  })
  assert.equal(readFileSync(join(folder, 'nested.json'), 'utf8'), stdout)
  assert.equal(readFileSync(join(folder, 'recording.json'), 'utf8'), recording)
  assert.equal(run(['verify-determinism', 'nested.json']).status, 0)
  assert.equal(run(['nest-events', '-', 'multi_agent.jsonl'], { input: recording }).stdout, stdout)
  assert.equal(run(['nest-events', 'recording.json', '-'], { input: sample('multi_agent.jsonl') }).stdout, stdout)
  // Events that are there are replaced only when it is requested.
  const twice = nest('nested.json', 'multi_agent.shuffled.jsonl', '-o', 'nested.json')
  const help = 'use `--replace` to replace them'
  assert.deepEqual(twice, {
    status: 1,
    stdout: '',
    stderr: `error: nested.json: the recording already has 13 events under \`_inter_agent_events\`\n  = help: ${help}\n`,
  })
  assert.equal(readFileSync(join(folder, 'nested.json'), 'utf8'), stdout)
  const replaced = nest('nested.json', 'multi_agent.shuffled.jsonl', '--replace')
  assert.equal(replaced.stdout, nest('recording.json', 'multi_agent.shuffled.jsonl').stdout)
})

test('what is wrong with nested data is reported', () => {
  write('bare.json', '{"_version": 2}\n')
  const nest = (...args) => run(['nest-events', ...args])
  const lacking = nest('bare.json', 'multi_agent.jsonl')
  assert.equal(lacking.status, 0)
  assert.match(lacking.stderr, /^warning\[T812\]: [^]* bare\.json:1:/)
  for (const [args, status, words] of [
    [['bare.json', 'cycle.jsonl'], 1, /^error\[T808\][^]*cycle\.jsonl[^]*\nerror: cycle\.jsonl: the log has errors\n/],
    [['multi_agent.jsonl', 'bare.json'], 1, /error/],
    [['bare.json', 'nowhere.jsonl'], 2, /cannot read `nowhere\.jsonl`/],
    [['bare.json'], 2, /`nest-events` takes a recording and a log/],
    [['bare.json', 'bare.json'], 2, /`nest-events` takes a recording and a log/],
  ]) {
    const { status: code, stdout, stderr } = nest(...args)
    assert.deepEqual([code, stdout], [status, ''], stderr)
    assert.match(stderr, words)
  }
  const log = readEvents(sample('multi_agent.jsonl'))
  assert.deepEqual(log.nest('{"messages": ["user: Hi"]}').problem.message.split(':')[0], 'this is not a recording of AgentLoom')
  assert.equal(log.nest({ bytes: Buffer.from('{"_version": 2}') }).problem, null)
  assert.throws(() => log.nest(Uint8Array.of(0xff)), { name: 'TypeError', message: /not UTF-8/ })
  assert.throws(() => log.nest('{}', { replce: true }), /nest\(\) has no option `replce`/)
})
