// Logs of events: `transcript-workbench/experimental`, `transcript order` and `transcript verify-determinism`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oracle, sample, writeSamples } from '../support/event-samples.mjs'
import { programIn } from '../support/program.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { payloadHash, readEvents, verifyDeterminism, writeEvents } = await load(
  folder,
  'transcript-workbench',
  'transcript-workbench/experimental',
)
const { run, write } = programIn(folder)

writeSamples(write)
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
    const { ok, differingRun, divergence } = await verifyDeterminism(text, { tools: write(`clock-${at}.mjs`, tool) })
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
  const same = await verifyDeterminism(text, { tools: write('kept-dates.mjs', kept) })
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
  const later = await verifyDeterminism(text, { tools: write('endless.mjs', apart), timeout: 50 })
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
