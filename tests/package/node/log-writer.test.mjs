// Logs that a program writes, and reads again.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { install, load } from '../support/tarball.mjs'
import { importSource } from './source.mjs'

const folder = install()
const { TranscriptWriter, importLog, transcriptFolder, transcriptPath } = await load(folder, 'transcript-workbench')
const { write } = programIn(folder)

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
