// Logs of other programs: read by the package and on the command line, and written.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { install, load, repository } from '../support/tarball.mjs'
import { importSource } from './source.mjs'

const folder = install()
const { TranscriptWriter, detect, drift, importLog, parse, promptHash, replay, transcriptFolder, transcriptPath, validate } = await load(
  folder,
  'transcript-workbench',
)
const { read, run, write } = programIn(folder)
const fixtures = join(repository, 'tests/imports/fixtures')
const fixture = (path) => readFileSync(join(fixtures, path))
cpSync(join(fixtures, 'qbit/transcripts'), join(folder, 'qbit'), { recursive: true })
cpSync(join(fixtures, 'agentloom'), join(folder, 'agentloom'), { recursive: true })

const session = (name) => ({ bytes: fixture(`qbit/transcripts/${name}/transcript.json`), file: `${name}/transcript.json` })

test('a log becomes a transcript that opens and replays', async () => {
  const { ok, kind, text, transcript, files, sessions, problem, summary } = importLog(session('sess-jsonl-head'), { summary: true })
  assert.deepEqual([ok, kind, sessions, problem], [true, 'qbit-log', ['sess-jsonl-head'], null])
  assert.deepEqual([files[0].entries, files[0].used.length, files[0].kept, files[0].diagnostics], [15, 15, [], []])
  assert.equal(summary, fixture('qbit/format_for_summarizer.sess-jsonl-head.txt').toString())
  assert.deepEqual(
    validate(text).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  assert.equal(transcript.execution.length, 13)
  const tape = await replay({ text }, { unrecorded: 'allow' })
  while (tape.replayNext() !== null);
  tape.assertComplete()
})

test('bytes that are cut in the middle of a character are read up to there', () => {
  const { bytes, file } = session('sess-jsonl-head')
  const at = bytes.indexOf('✓') + 1
  const { ok, files, transcript } = importLog({ bytes: bytes.subarray(0, at), file })
  assert.deepEqual([ok, files[0].entries, files[0].cut], [true, 10, 11])
  assert.equal(transcript.metadata.recording.lost[0].line, 11)
})

test('files are distinguished by what they hold and where they lie', () => {
  const agent = 'sess-jsonl-head/subagents/coder-toolu_01Cd4/transcript.json'
  const files = [{ bytes: fixture(`qbit/transcripts/${agent}`), file: agent }, session('sess-jsonl-head')]
  const { transcript } = importLog(files)
  assert.equal(transcript.execution[3].tool_call.result.nested_transcript.metadata.name, 'coder')
  const both = importLog([session('sess-jsonl-head'), session('sess-truncated')])
  assert.equal(both.problem.message, 'the files are of 2 sessions: `sess-jsonl-head`, `sess-truncated`')
  assert.equal(importLog([session('sess-jsonl-head'), session('sess-truncated')], { session: 'sess-truncated' }).files[0].cut, 15)
  assert.equal(importLog(weather).problem.message, 'this is already a transcript or a handlers file')
  assert.throws(() => importLog('', { from: 'qbitt' }), /unknown log format `qbitt`; did you mean `qbit`\?/)
  assert.throws(() => importLog([]), TypeError)
})

test('a recording is a table of answers, and with its calls a run', () => {
  const at = 'agentloom/next_v2_request_hash/router_support'
  const files = ['', '.mock_calls', '.result'].map((kind) => ({ bytes: fixture(`${at}${kind}.json`), file: `router${kind}.json` }))
  const { ok, kind, answers, handlers, transcript } = importLog(files)
  assert.deepEqual(
    [ok, kind, answers.map(({ key, model }) => [key, model])],
    [
      true,
      'agentloom-recording',
      [
        ['classify', 'gpt-4o-mini'],
        ['handle_billing', 'gpt-4o-mini'],
      ],
    ],
  )
  assert.equal(parse(handlers).ok, true)
  assert.deepEqual(Object.keys(transcript.agents), ['classify', 'handle_billing'])
})

test('drift and hashes', () => {
  const at = 'agentloom/next_v2_request_hash/record_and_replay'
  const calls = JSON.parse(fixture(`${at}.mock_calls.json`))
  const changed = [calls[0], { ...calls[1], temperature: 0.5 }]
  const { requests } = drift({ bytes: fixture(`${at}.json`) }, changed)
  assert.deepEqual(
    requests.map(({ step, status, field, before, after }) => [step, status, field, before, after]),
    [
      ['explain', 'same', null, null, null],
      ['critique', 'changed', 'temperature', null, 0.5],
    ],
  )
  // JavaScript has no fractions such as 1.0; JSON text has.
  const plain = ['simple', 'full', 'unicode', 'control_chars', 'key_order_code_points']
  const vectors = JSON.parse(fixture('agentloom/prompt_hash_vectors.json')).filter(({ name }) => plain.includes(name))
  assert.equal(vectors.length, plain.length)
  for (const { payload, prompt_hash_v2: v2, prompt_hash_v1_messages_only: v1 } of vectors) {
    assert.deepEqual([promptHash(payload), promptHash(payload.messages)], [v2, v1])
  }
  assert.equal(
    promptHash('{"messages": [], "model": "m", "temperature": 1.0}') === promptHash({ messages: [], model: 'm', temperature: 1 }),
    false,
  )
  assert.throws(() => promptHash(5), TypeError)
})

test('a log that is opened as a transcript is reported for what it is', () => {
  for (const [source, message, kind] of [
    [session('sess-jsonl-head'), 'this is a qbit session log', 'qbit-log'],
    [{ bytes: fixture('agentloom/v0.4.0/record_and_replay.json') }, 'this is an AgentLoom recording', 'agentloom-recording'],
    [
      { bytes: fixture('agentloom/v0.4.0/record_and_replay.result.json') },
      'this is the result of an AgentLoom workflow',
      'agentloom-result',
    ],
  ]) {
    const { diagnostics } = validate(source)
    assert.deepEqual(
      diagnostics.map(({ code, message }) => [code, message]),
      [['T101', message]],
    )
    assert.match(diagnostics[0].help, /transcript convert/)
    assert.deepEqual([detect(source).kind, detect(source).confidence], [kind, 'certain'])
  }
})

test('with --lenient, convert ends with 0 when a result is written, and says what is lost all the same', () => {
  const event = (type, more) => `${JSON.stringify({ _timestamp: '2026-01-14T03:00:00Z', type, ...more })}\n`
  write('lost.json', `${event('user_message', { content: 'Hi' })}oops\n${event('completed', { response: 'Hello!' })}`)
  for (const to of ['yaml', 'json', 'compact', 'openai', 'markdown', 'test-js', 'events']) {
    const strict = run(['convert', 'lost.json', '--to', to])
    const lenient = run(['convert', 'lost.json', '--to', to, '--lenient'])
    assert.equal(strict.status, 1, to)
    assert.match(
      strict.stderr,
      /^error\[T901\]: this is not a complete JSON value; it is skipped\n --> lost\.json:2:1\n[^]*lost\.json: 2 entries read, 1 piece lost\n/,
    )
    assert.deepEqual(lenient, { ...strict, status: 0 }, to)
  }
  assert.equal(run(['convert', 'lost.json', '-o', 'lost/']).status, 1)
  assert.equal(run(['convert', 'lost.json', '-o', 'lost/', '--lenient']).status, 0)
  // Nothing written is no success.
  write('nothing.json', '{"_timestamp": 5')
  for (const args of [['nothing.json'], ['lost.json', '--session', 'none'], ['qbit']]) {
    const { status, stdout } = run(['convert', ...args, '--lenient'])
    assert.deepEqual([status > 0, stdout], [true, ''], args.join(' '))
  }
})

test('convert makes a transcript of a file or of the folder of a session', () => {
  const one = run(['convert', 'qbit/sess-truncated/transcript.json'])
  assert.deepEqual([one.status, one.stdout.startsWith('version: "1.0"\n')], [0, true])
  assert.match(one.stderr, /warning\[T902\]: the log ends in the middle of an entry/)
  assert.match(one.stderr, /14 entries read, 1 piece lost, cut in line 15/)
  const joined = run(['convert', 'qbit/sess-jsonl-head', '--to', 'json', '-o', 'joined.json'])
  assert.deepEqual([joined.status, joined.stdout, joined.stderr], [0, '', ''])
  assert.match(read('joined.json'), /"nested_transcript"/)
  assert.equal(run(['validate', 'joined.json']).status, 0)
  const many = run(['convert', 'qbit'])
  assert.equal(many.status, 1)
  assert.match(many.stderr, /the files are of \d+ sessions: .*\n.*choose one with `--session`/)
  assert.equal(run(['convert', 'qbit', '--session', 'sess-legacy-array']).status, 0)
  const handlers = run(['convert', 'agentloom/repo_committed/tool_calling.json', '--to', 'handlers'])
  assert.deepEqual([handlers.status, handlers.stdout.startsWith('handlers:\n  ask:\n')], [0, true])
  assert.equal(run(['convert', 'qbit/sess-jsonl-head', '--to', 'handlers']).status, 2)
  const others = ['', '.mock_calls', '.result'].map((kind) => `agentloom/v0.4.0/router_support${kind}.json`)
  const paired = run(['convert', ...others])
  assert.deepEqual([paired.status, /messages_sent_to_llm/.test(paired.stdout)], [0, true])
  write('run.yaml', weather)
  // A transcript is converted too; two of them are not.
  assert.match(run(['convert', 'run.yaml', 'run.yaml']).stderr, /none of the files is a supported log/)
})

test('show lists the steps, and with --summary what qbit sends its summarizer', () => {
  const steps = run(['show', 'qbit/sess-jsonl-head'])
  assert.deepEqual([steps.status, steps.stderr], [0, ''])
  assert.match(steps.stdout, /read_file/)
  write('run.yaml', weather)
  assert.match(run(['show', 'run.yaml']).stdout, /weather/)
  const { status, stdout } = run(['show', 'qbit/sess-jsonl-head/transcript.json', '--summary'])
  assert.deepEqual([status, stdout], [0, fixture('qbit/format_for_summarizer.sess-jsonl-head.txt').toString()])
  assert.equal(run(['show', 'run.yaml', '--summary']).status, 1)
  assert.match(run(['detect', 'qbit/sess-legacy-array/transcript.json']).stdout, /^qbit-log: /)
})

test('show lists the answers of a recording alone, and its steps with its calls', () => {
  const alone = run(['show', 'agentloom/repo_committed/tool_calling.json'])
  const [head, first, second] = alone.stdout.split('\n')
  assert.equal(alone.status, 0)
  assert.match(head, /^ANSWER +MODEL +TOKENS +END +CONTENT$/)
  assert.match(first, /^ask 1 +gpt-4o-mini +\d+ +tool_calls +calls http_request\(/)
  assert.match(second, /^ask 2 +gpt-4o-mini +346 +stop +The \/get endpoint/)
  for (const flavour of ['v0.4.0', 'main-2026-05-17_v2', 'next_v2_request_hash']) {
    const { stdout } = run(['show', `agentloom/${flavour}/router_support.json`])
    assert.equal(stdout.trimEnd().split('\n').length, 3, flavour)
    assert.match(stdout, flavour.startsWith('next') ? /\nclassify +gpt-4o-mini/ : /\n[0-9a-f]{12}… +gpt-4o-mini/)
  }
  assert.match(run(['show', 'agentloom/repo_committed/embeddings.json']).stdout, /3 embeddings/)
  const paired = run(['show', ...['', '.mock_calls'].map((kind) => `agentloom/v0.4.0/router_support${kind}.json`)])
  assert.match(paired.stdout, /\n +1 +llm_call/)
})

const logs = join(folder, 'written')
const quiet = { onError: (error) => assert.fail(error) }
const linesOf = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('test_transcript_writer_creates_file', () => {
  const writer = new TranscriptWriter(logs, 'test-session-123', quiet)
  assert.equal(writer.path, join(logs, 'test-session-123', 'transcript.json'))
  assert.equal(existsSync(writer.path), true)
  const planned = new TranscriptWriter(logs, 'test-session-123', { ...quiet, format: 'plan' })
  assert.equal(existsSync(join(logs, 'transcript-test-session-123.jsonl')), true)
  assert.equal(planned.path, join(logs, 'transcript-test-session-123.jsonl'))
})

test('test_transcript_writer_appends_events', async () => {
  for (const format of ['lines', 'array', 'plan']) {
    const writer = new TranscriptWriter(logs, `appends-${format}`, { ...quiet, format })
    assert.equal(await writer.append({ type: 'started', turn_id: 'turn-1' }), true)
    assert.equal(await writer.append({ type: 'text_delta', delta: 'D', accumulated: 'D' }), false)
    assert.equal(
      await writer.append({ type: 'completed', response: 'Done', input_tokens: 100, output_tokens: 50, duration_ms: 1000 }),
      true,
    )
    const text = readFileSync(writer.path, 'utf8')
    const events = format === 'array' ? JSON.parse(text) : linesOf(writer.path)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['started', 'completed'],
      format,
    )
    const { ok, files } = importLog({ text, file: writer.path })
    assert.deepEqual(
      [ok, files[0].layout, files[0].used],
      [true, format === 'array' ? 'array' : 'lines', format === 'array' ? [2, 7] : [1, 2]],
    )
  }
})

test('test_transcript_writer_handles_concurrent_writes', async () => {
  for (const format of ['lines', 'array']) {
    // Two writers of one file, as two parts of a program may have.
    const writers = [0, 1].map(() => new TranscriptWriter(logs, `concurrent-${format}`, { ...quiet, format }))
    const long = 'x'.repeat(100_000)
    const all = Array.from({ length: 20 }, (_, at) => writers[at % 2].append({ type: 'started', turn_id: `turn-${at}`, long }))
    assert.deepEqual(await Promise.all(all), Array(20).fill(true))
    const text = readFileSync(writers[0].path, 'utf8')
    const events = format === 'array' ? JSON.parse(text) : linesOf(writers[0].path)
    assert.deepEqual(
      events.map(({ turn_id: turn }) => turn),
      Array.from({ length: 20 }, (_, at) => `turn-${at}`),
    )
  }
})

test('test_transcript_writer_includes_timestamp', async () => {
  const clock = () => new Date('2026-01-14T03:00:00Z')
  const writer = new TranscriptWriter(logs, 'timestamp', { ...quiet, clock })
  await writer.append({ type: 'started', turn_id: 'turn-1' })
  assert.equal(readFileSync(writer.path, 'utf8'), '{"_timestamp":"2026-01-14T03:00:00.000Z","type":"started","turn_id":"turn-1"}\n')
  const planned = new TranscriptWriter(logs, 'timestamp', { ...quiet, clock, format: 'plan' })
  await planned.append({ type: 'started', turn_id: 'turn-1' })
  assert.equal(linesOf(planned.path)[0]._timestamp, 1768359600000)
})

test('test_transcript_path_helper', () => {
  assert.equal(transcriptPath('/sessions', 'abc-123', { format: 'plan' }), '/sessions/transcript-abc-123.jsonl')
  assert.equal(transcriptPath('/sessions', 'abc-123'), '/sessions/abc-123/transcript.json')
  assert.equal(
    transcriptPath('/sessions', 'abc-123', { agent: 'coder', call: 'call_1' }),
    '/sessions/abc-123/subagents/coder-call_1/transcript.json',
  )
  assert.equal(transcriptFolder({ env: { VT_TRANSCRIPT_DIR: '/logs' } }), '/logs')
  assert.equal(transcriptFolder({ env: { VT_SESSION_DIR: '/logs' }, format: 'plan' }), '/logs')
  assert.match(transcriptFolder({ env: {} }), /\.qbit[/\\]transcripts$/)
  for (const session of ['../other', 'a/b', '', '..', 5]) assert.throws(() => transcriptPath('/sessions', session), TypeError)
})

test('the calls of an agent go to a log of its own, which is joined again', async () => {
  const writer = new TranscriptWriter(logs, 'joined', quiet)
  const at = { agent_id: 'coder', parent_request_id: 'call_1' }
  await Promise.all([
    writer.append({ type: 'tool_auto_approved', request_id: 'call_1', tool_name: 'sub_agent_coder', args: { task: 'Do' }, reason: 'ok' }),
    writer.append({ type: 'sub_agent_tool_request', ...at, tool_name: 'read', args: {}, request_id: 'r' }),
    writer.append({ type: 'sub_agent_tool_result', ...at, tool_name: 'read', success: true, result: 'x', request_id: 'r' }),
    writer.append({ type: 'tool_result', tool_name: 'sub_agent_coder', result: 'Done', success: true, request_id: 'call_1' }),
  ])
  await writer.flush()
  const agent = transcriptPath(logs, 'joined', { agent: 'coder', call: 'call_1' })
  const { transcript } = importLog([writer.path, agent].map((file) => ({ bytes: readFileSync(file), file })))
  assert.equal(transcript.execution[1].tool_call.result.nested_transcript.execution.length, 3)
})

test('a failing disk is reported and fails nothing', async () => {
  const reported = []
  const onError = (error, { path, event }) => {
    reported.push([error.code ?? error.message, event?.type])
    throw new Error(`and ${path} is lost`)
  }
  writeFileSync(join(folder, 'a-file'), '')
  const writer = new TranscriptWriter(join(folder, 'a-file'), 'abc', { onError })
  assert.equal(await writer.append({ type: 'started', turn_id: 't' }), false)
  assert.deepEqual(
    reported.map(([, type]) => type),
    [undefined, 'started'],
  )
  const fine = new TranscriptWriter(logs, 'odd', { onError })
  const cycle = { type: 'warning' }
  cycle.self = cycle
  assert.deepEqual(
    [await fine.append(cycle), await fine.append(5), await fine.append({ type: 'error', message: 'x' })],
    [false, false, true],
  )
  assert.equal(linesOf(fine.path).length, 1)
  // What has no type is no event.
  reported.length = 0
  for (const event of [{}, { type: 5 }, { type: null, message: 'z' }]) assert.equal(await fine.append(event), false)
  assert.deepEqual(
    reported.map(([, type]) => type),
    [undefined, 5, null],
  )
  assert.equal(linesOf(fine.path).length, 1)
  // The disk comes back.
  rmSync(join(logs, 'odd'), { recursive: true })
  assert.equal(await fine.append({ type: 'warning', message: 'y' }), true)
})

test('what stands in the file already is never lost', async () => {
  const path = join(logs, 'cut', 'transcript.json')
  mkdirSync(join(logs, 'cut'), { recursive: true })
  writeFileSync(path, '{"_timestamp":"2026-01-14T03:00:00Z","type":"comp')
  const writer = new TranscriptWriter(logs, 'cut', quiet)
  await writer.append({ type: 'completed', response: 'Hi' })
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 3)
  // Behind what is no list, or is cut, an event is a line.
  const list = new TranscriptWriter(logs, 'cut', { ...quiet, format: 'array' })
  const before = readFileSync(path, 'utf8')
  assert.equal(await list.append({ type: 'completed', response: 'Ho' }), true)
  const after = readFileSync(path, 'utf8')
  assert.deepEqual([after.startsWith(before), JSON.parse(after.trimEnd().split('\n').at(-1)).response], [true, 'Ho'])
})

test('a list has what other programs write to it, to the letter', async () => {
  const writer = new TranscriptWriter(logs, 'foreign', { ...quiet, format: 'array' })
  assert.equal(await writer.append({ type: 'started', turn_id: 'a' }), true)
  const foreign = '{"_timestamp": "2026-01-14T03:00:00Z", "type": "warning", "message": "b", "n": 12345678901234567890}'
  writeFileSync(writer.path, readFileSync(writer.path, 'utf8').replace(/\n\]$/, `,\n  ${foreign}\n]`))
  assert.equal(await writer.append({ type: 'started', turn_id: 'c' }), true)
  const text = readFileSync(writer.path, 'utf8')
  assert.deepEqual(
    JSON.parse(text).map(({ turn_id: id, message }) => id ?? message),
    ['a', 'b', 'c'],
  )
  assert.ok(text.includes(foreign))
  // A release after the change of formats adds lines to the list, and this one goes on behind them.
  writeFileSync(writer.path, `${text}\n${foreign}\n`)
  assert.equal(await writer.append({ type: 'started', turn_id: 'd' }), true)
  const { files } = importLog({ bytes: readFileSync(writer.path), file: writer.path })
  assert.deepEqual([files[0].layout, files[0].entries, files[0].lost], ['array and lines', 5, []])
})

test('writers of several programs lose nothing', async () => {
  const program = `
    import { TranscriptWriter } from 'transcript-workbench'
    const [folder, format, name] = process.argv.slice(2)
    const writer = new TranscriptWriter(folder, 'shared-' + format, { format })
    const all = Array.from({ length: 15 }, (_, at) => writer.append({ type: 'started', turn_id: name + at, long: 'x'.repeat(5000) }))
    if ((await Promise.all(all)).includes(false)) process.exit(1)`
  write('writes.mjs', program)
  for (const format of ['lines', 'array']) {
    const ends = ['a', 'b', 'c'].map(
      (name) =>
        new Promise((done) => {
          spawn(process.execPath, [join(folder, 'writes.mjs'), logs, format, name], { cwd: folder, stdio: 'inherit' }).on('close', done)
        }),
    )
    assert.deepEqual(await Promise.all(ends), [0, 0, 0])
    const path = transcriptPath(logs, `shared-${format}`)
    const events = format === 'array' ? JSON.parse(readFileSync(path, 'utf8')) : linesOf(path)
    const expected = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 15 }, (_, at) => name + at))
    assert.deepEqual(events.map(({ turn_id: id }) => id).sort(), expected.sort(), format)
  }
})

test('where no folder can be made, nothing waits', async () => {
  const reported = []
  const onError = (error) => reported.push(error.code)
  for (const format of ['lines', 'array']) {
    const writer = new TranscriptWriter('/proc/none/below', 's', { format, onError })
    assert.equal(await writer.append({ type: 'started' }), false)
  }
  // Only Linux has /proc; elsewhere the folder is one that may not be made.
  assert.equal(reported.length, 4)
})

test('a line that a failing disk wrote in part does not take the next one with it', async () => {
  // The writer alone, on a disk that breaks off in the middle of one line.
  const { TranscriptWriter: Writer, useLogs } = await importSource('api/writer')
  let text = ''
  let fails = false
  useLogs({
    begin() {},
    join,
    resolve: (path) => path,
    endsLine: async () => text === '' || text.endsWith('\n'),
    append: async (path, line) => {
      text += fails ? line.slice(0, 20) : line
      if (fails) throw new Error('no space left')
    },
  })
  const reported = []
  const log = new Writer('logs', 's', { clock: () => 0, onError: (error) => reported.push(error.message) })
  const other = new Writer('logs', 's', { clock: () => 0 })
  assert.equal(await log.append({ type: 'started' }), true)
  assert.equal(await other.append({ type: 'started' }), true)
  fails = true
  assert.equal(await log.append({ type: 'warning' }), false)
  fails = false
  assert.equal(await other.append({ type: 'completed', response: 'Hi' }), true)
  assert.deepEqual(reported, ['no space left'])
  const lines = text.trimEnd().split('\n')
  assert.equal(lines.length, 4)
  assert.equal(JSON.parse(lines[3]).response, 'Hi')
})

test('an event of an agent that does not say which one stays in the log of the session', async () => {
  const log = new TranscriptWriter(join(folder, 'unnamed'), 's')
  assert.equal(await log.append({ type: 'sub_agent_tool_request', tool_name: 'look' }), true)
  assert.equal(JSON.parse(readFileSync(log.path, 'utf8')).tool_name, 'look')
  assert.throws(() => log.forAgent(undefined, 'c1'), /the id of an agent is one name of a path, but got nothing/)
})

const conversation = (count) =>
  JSON.stringify({
    messages: Array.from({ length: count }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `This is message ${at}.` })),
  })

test('a transcript that is larger than its log needs no larger limit on the command line', () => {
  write('long.json', conversation(100))
  for (const command of [['show'], ['convert', '--to', 'openai'], ['convert', '--to', 'markdown']]) {
    const { status, stdout, stderr } = run([...command, 'long.json', '--max-bytes', '8000'])
    assert.equal(status, 0, stderr)
    assert.match(stdout, /This is message 99\./)
  }
  const { status, stderr } = run(['show', 'long.json', '--max-bytes', '4000'])
  assert.notEqual(status, 0)
  assert.match(stderr, /the limit is 4000\n[^]*raise `maxBytes` \(`--max-bytes` on the command line\)/)
})

test('a long chat opens within the limits, and its last step is there', () => {
  const log = conversation(20_000)
  const { text, transcript } = importLog({ text: log, file: 'chat.json' })
  assert.ok(text.length < 5 * log.length, `${text.length} of ${log.length}`)
  assert.equal(transcript.execution.at(-1).message_created.id, 'msg_20000')
  const document = parse(text)
  assert.deepEqual([document.ok, document.steps.length], [true, 20_000])
  assert.equal(document.step(document.steps.at(-1).path).flow.store.at(-1).id, 'msg_20000')
  document.free()
})

/** Content in a frame of Zstandard by RFC 8878 that is not compressed, which every Node.js can write. */
const zstandard = (content) => {
  const [size, block] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32LE(content.length)
  block.writeUInt32LE((content.length << 3) | 1)
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, block.subarray(0, 3), content])
}

test('a log in Zstandard is read where Node.js can unpack it, and else both ways out are reported', () => {
  const log = Buffer.from('{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello!"}\n')
  const source = { bytes: zstandard(log), file: 'chat.jsonl.zst' }
  write('chat.jsonl.zst', source.bytes)
  write('packed/chat.jsonl.zst', source.bytes)
  const { status, stdout, stderr } = run(['convert', 'chat.jsonl.zst'])
  if (zlib.zstdDecompressSync === undefined) {
    assert.throws(() => importLog(source), /`chat\.jsonl\.zst` is packed with Zstandard .*Node\.js 22\.15 or later; `zstd -d`/)
    assert.equal(status, 2)
    assert.match(stderr, /`chat\.jsonl\.zst` is in Zstandard, which Node\.js \S+ cannot read\n.*22\.15 or later, or .*`zstd -d`/)
  } else {
    assert.deepEqual(importLog(source).transcript, importLog({ bytes: log, file: source.file }).transcript)
    assert.deepEqual([status, stdout.includes('Hello!')], [0, true], stderr)
    assert.match(run(['convert', 'packed']).stdout, /Hello!/)
    assert.match(run(['convert', 'chat.jsonl.zst', '--max-bytes', '10']).stderr, /has more than 10 bytes/)
    write('cut.jsonl.zst', source.bytes.subarray(0, 30))
    assert.match(run(['convert', 'cut.jsonl.zst']).stderr, /begins like Zstandard, but cannot be decompressed/)
    assert.throws(() => importLog({ bytes: source.bytes.subarray(0, 30) }), /it is damaged/)
  }
  // Nothing is written that is not what its name says.
  write('chat.jsonl', log)
  const refused = run(['convert', 'chat.jsonl', '-o', 'out.yaml.zst'])
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /Zstandard is not supported/)
})

const cassette = (name) => ({ bytes: fixture(`vcr/${name}.yaml`), file: `${name}.yaml` })

test('a cassette of VCR.py becomes a transcript that answers its own requests', async () => {
  const found = importLog(cassette('llm_test_doc_example_tools_basic_definition.py'))
  assert.deepEqual([found.ok, found.kind, found.sessions], [true, 'http-recording', ['conversation-1']])
  assert.deepEqual(
    validate(found.text).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  const tape = await replay({ text: found.text })
  while (tape.replayNext() !== null);
  tape.assertComplete()
  const several = importLog(cassette('llm_test_doc_example_agent_forking.py'))
  assert.ok(several.sessions.length > 1 && several.transcript === null)
  assert.ok(several.firstWords.length === several.sessions.length && several.firstWords.every((words) => words !== ''))
  assert.match(several.problem.help, /choose one with `session`/)
  const [, second] = several.sessions
  assert.equal(importLog(cassette('llm_test_doc_example_agent_forking.py'), { session: second }).ok, true)
})

test('OpenAI Agents SDK traces become a transcript, on the command line as well', () => {
  const traces = { bytes: fixture('openai-agents-sdk-traces.jsonl'), file: 'traces.jsonl' }
  assert.equal(detect(traces).kind, 'openai-agents-traces')
  assert.equal(importLog(traces).transcript.execution[1].tool_call.result, 'order 4471')
  write('traces.jsonl', traces.bytes)
  const { status, stdout } = run(['convert', 'traces.jsonl', '--to', 'json'])
  assert.deepEqual([status, JSON.parse(stdout).metadata.name], [0, 'Agent workflow'])
})

test('a folder of cassettes becomes a folder of transcripts, which are valid and answer their own requests', async () => {
  cpSync(join(fixtures, 'vcr'), join(folder, 'vcr'), { recursive: true })
  const { status, stderr } = run(['convert', 'vcr', '-o', 'transcripts/'])
  assert.ok(status < 2, stderr)
  const made = readdirSync(join(folder, 'transcripts'))
  const converted = [...stderr.matchAll(/^(.*) -> (.*)$/gm)]
  assert.equal(converted.length, made.length)
  const cassettes = readdirSync(join(folder, 'vcr'), { recursive: true }).filter((name) => name.endsWith('.yaml'))
  assert.ok(cassettes.length >= 38)
  for (const name of cassettes) {
    const text = read(join('vcr', name))
    const stem = basename(name).replace(/\.[^.]+$/, '')
    const wanted = importLog({ text, file: name })
    // Of a cassette without a call of a model there is a run without steps.
    const count = Math.max(1, wanted.sessions.length)
    assert.equal(made.filter((one) => one === `${stem}.yaml` || one.startsWith(`${stem}-conversation-`)).length >= count, true, name)
  }
  for (const name of made) {
    const text = read(join('transcripts', name))
    assert.deepEqual(
      validate(text).diagnostics.filter(({ severity }) => severity === 'error'),
      [],
      name,
    )
    if (!/llm_response|llm_error/.test(text)) continue
    const tape = await replay({ text }, { unrecorded: 'allow' })
    while (tape.replayNext() !== null);
    tape.assertComplete()
  }
})

test('a cassette of which no request is understood is no success, in a program and on the command line', () => {
  const call = {
    scope: 'https://generativelanguage.googleapis.com:443',
    method: 'POST',
    path: '/v1beta/models/gemini:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    status: 200,
    response: { candidates: [] },
  }
  const text = JSON.stringify([call])
  const { ok, text: made, files } = importLog({ text, file: 'gemini.json' })
  assert.deepEqual([ok, files[0].diagnostics[0].code], [false, 'T907'])
  assert.match(files[0].diagnostics[0].message, /^0 of 1 requests understood: POST https:\/\/generativelanguage\.googleapis\.com/)
  assert.match(made, /text: Hi/)
  assert.deepEqual(
    validate(made).diagnostics.map(({ code }) => code),
    ['T907'],
  )
  write('gemini.json', text)
  for (const args of [
    ['show', 'gemini.json'],
    ['convert', 'gemini.json'],
  ]) {
    const { status, stderr } = run(args)
    assert.deepEqual([status, /0 of 1 requests understood/.test(stderr)], [1, true], args.join(' '))
  }
  assert.equal(run(['validate', 'gemini.json']).status, 1)
  assert.match(run(['detect', 'gemini.json']).stdout, /none of its 1 requests has a supported address/)
})

test('a call of which a log has no result is shown as not answered, and not as failed', () => {
  const user = (text) => ({ role: 'user', content: [{ type: 'text', text }] })
  const call = { type: 'tool_use', id: 't1', name: 'execute_command', input: { command: 'ls' } }
  const log = [
    user('List'),
    { role: 'assistant', content: [call] },
    user("[execute_command for 'ls'] Result:\nREADME.md"),
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]
  write('cline.json', JSON.stringify(log))
  const { status, stdout } = run(['show', 'cline.json'])
  assert.deepEqual(
    [status, /execute_command\(\{"command": "ls"\}\) \(not answered\)/.test(stdout), /failed/.test(stdout)],
    [0, true, false],
    stdout,
  )
})

test('a folder without a log in it is reported, and no folder is made', () => {
  write('none/run.yaml', weather)
  const { status, stderr } = run(['convert', 'none', '-o', 'nothing/'])
  assert.equal(status, 2)
  assert.match(stderr, /none of the files is a supported log/)
  assert.equal(existsSync(join(folder, 'nothing')), false)
})
