// Logs of events in a program: read, written, ordered and verified.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { oracle, sample, writeSamples } from '../support/event-samples.mjs'
import { programIn } from '../support/program.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const {
  compareTraces,
  EventWriter,
  SCHEMA_URI,
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

writeSamples(write)

/** Runs `verify-determinism` with a module of tools of this text. */
const verify = (code, args = []) => {
  write('tools.mjs', code)
  return run(['verify-determinism', 'nested_recording.json', '--tools', 'tools.mjs', ...args])
}

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
  assert.deepEqual([good.ok, good.runs, good.toolCallCount], [true, 3, 1])
  let calls = 0
  const bad = await verifyDeterminism(text, { tools: { lookup: () => (calls += 1) } })
  assert.deepEqual([bad.ok, bad.divergence.field, bad.divergence.first, bad.divergence.second], [false, 'outcome.result', 1, 2])
  assert.equal((await verifyDeterminism(sample('cycle.jsonl'))).readable, false)
  await assert.rejects(verifyDeterminism(text, { run: 3 }), /no option `run`/)
})

/** The path of a file with this text. */
test('verifyDeterminism isolates the tools of a module, as the command does', async () => {
  const text = sample('nested_recording.json')
  const tried = (code, options) => verifyDeterminism(text, { tools: write('live.mjs', code), ...options })
  const good = await tried('export const lookup = ({ q }) => [q ?? null]')
  assert.deepEqual([good.ok, good.isolated, good.runs, good.toolCallCount, good.differingRun], [true, true, 3, 1, null])
  const clock = await verifyDeterminism(text, {
    tools: pathToFileURL(write('clock.mjs', 'export const lookup = () => Math.floor(Date.now() / 86400000)')),
  })
  assert.deepEqual([clock.ok, clock.differingRun, clock.divergence.field], [false, 2, 'outcome.result'])
  const kept = await verifyDeterminism(text, { tools: write('kept.mjs', 'let count = 0\nexport const lookup = () => ++count') })
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
  const later = await verifyDeterminism(text, { tools: write('apart.mjs', apart), timeout: 50 })
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
  assert.deepEqual([same.answered, same.changedResults, same.failed], [1, 0, 0])
  assert.equal(reported[0][0], 'bob')
  const other = await log.replay({ handlers: { bob: mockModel(['Checking', 'No.']) } })
  assert.deepEqual([other.answered, other.changedResults], [1, 1])
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
    const worker = new Worker(pathToFileURL(write('writes.mjs', code)), { workerData: { path, first } })
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

test('an event that a file may not grow by throws with the code of the system', () => {
  const path = join(folder, 'full.jsonl')
  write(
    'full.mjs',
    `import { EventWriter } from 'transcript-workbench/experimental'
    const moved = ${moved.toString()}
    const writer = new EventWriter(${JSON.stringify(path)})
    for (const at of [10, 11]) {
      try {
        writer.write({ ...moved(at), payload: 'x'.repeat(9000) })
      } catch ({ code, cause, message }) {
        console.log(code, cause?.code, message)
      }
    }`,
  )
  // In blocks of 512 or of 1024 bytes.
  const limited = 'ulimit -f 4 && exec "$0" full.mjs'
  const { stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath], { cwd: folder, encoding: 'utf8' })
  const [, count] = /^EFBIG EFBIG only (\d+) of \d{4} bytes of an event were written to \S+full\.jsonl: EFBIG: /.exec(stdout) ?? []
  assert.equal(readFileSync(path).length, Number(count), stdout + stderr)
  assert.match(stdout, /\nEFBIG undefined EFBIG: /)
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
    { fact: 'model_responded', run: 'r1', call: 'c1', content: 'Hello!' },
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
  assert.deepEqual([proved.ok, proved.answered, proved.changedResults, proved.diagnostics], [true, 1, 0, []])
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
