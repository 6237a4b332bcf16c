// Logs of qbit that were cut or mixed: `repairLog` and `transcript repair`.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { importLog, repairLog } = await load(folder, 'transcript-workbench')
const { run, write, read, bytes } = programIn(folder)

const session = (name) => readFileSync(join(repository, 'tests/imports/fixtures/qbit/transcripts', name, 'transcript.json'), 'utf8')
const lineOf = (time, type, more = {}) => `${JSON.stringify({ _timestamp: time, type, ...more })}\n`
const whole =
  lineOf('2026-01-14T03:00:00Z', 'started', { turn_id: 't' }) + lineOf('2026-01-14T03:00:01Z', 'user_message', { content: 'Hi' })

test('the library gives the clean log, and what it has done', () => {
  const repaired = repairLog(`${whole}{"_timestamp":"2026-01-14T03:00:02Z","type":"comp`)
  const cut = {
    line: 3,
    endLine: 3,
    message: 'the log ends in the middle of it',
    text: '{"_timestamp":"2026-01-14T03:00:02Z","type":"comp',
  }
  assert.deepEqual(repaired, { ok: false, text: whole, events: 2, layout: 'lines', omitted: [cut], changed: [], problem: null })
  assert.deepEqual(repairLog(Buffer.from(whole)), {
    ok: true,
    text: whole,
    events: 2,
    layout: 'lines',
    omitted: [],
    changed: [],
    problem: null,
  })
  const other = repairLog('messages: []')
  assert.deepEqual(
    { ...other, problem: null },
    { ok: false, text: null, events: 0, layout: 'empty', omitted: [], changed: [], problem: null },
  )
  assert.match(other.problem.message, /^this is not a log of qbit but compact: /)
  assert.match(repairLog(whole, { maxBytes: 5 }).problem.help, /`maxBytes`/)
  assert.throws(() => repairLog(5), { name: 'TypeError', message: /repairLog\(\) takes a string/ })
})

test('the command writes clean lines and lists what it leaves out, with its line', () => {
  for (const name of ['sess-upgraded-mixed', 'sess-legacy-array', 'sess-truncated', 'sess-removed-variant']) {
    const log = session(name)
    write(`${name}/transcript.json`, log)
    const { status, stdout, stderr } = run(['repair', `${name}/transcript.json`])
    const { text, omitted } = repairLog(log)
    assert.deepEqual([status, stdout], [omitted.length === 0 ? 0 : 1, text], name)
    assert.equal(read(`${name}/transcript.json`), log)
    // What it wrote is read without a word, and needs no repair.
    assert.deepEqual(run(['repair', '-'], { input: stdout }), {
      status: 0,
      stdout,
      stderr: stderr.split('\n').at(-2).replace(/,.*/, '') + '\n',
    })
    assert.deepEqual(importLog({ text: stdout, file: 'abc/transcript.json' }).files[0].diagnostics, [], name)
  }
  const { stderr } = run(['repair', 'sess-truncated/transcript.json'])
  assert.match(
    stderr,
    /^sess-truncated\/transcript\.json:15: left out: the log ends in the middle of it: \{"_timestamp":[^\n]{1,60}\n14 events written, 1 part left out\n$/,
  )
})

test('the log itself changes only when that is requested', () => {
  const cut = `${whole}{"_time`
  write('cut.json', cut)
  assert.deepEqual([run(['repair', 'cut.json', '-o', 'clean.jsonl']).status, read('clean.jsonl'), read('cut.json')], [1, whole, cut])
  assert.deepEqual([run(['repair', 'cut.json', '--write']).status, read('cut.json')], [1, whole])
  assert.deepEqual([run(['repair', 'cut.json', '--write']).status, read('cut.json')], [0, whole])
  write('cut.json.gz', gzipSync(cut))
  assert.equal(run(['repair', 'cut.json.gz', '--write']).status, 1)
  assert.equal(gunzipSync(bytes('cut.json.gz')).toString(), whole)
})

test('what cannot be repaired is left as it is, and reported', () => {
  write('run.yaml', "messages: ['user: Hi']\n")
  const cases = [
    [
      ['repair', 'run.yaml', '--write'],
      /^error: cannot repair `run\.yaml`: this is not a log of qbit but compact: [^]*= help: a qbit log has one event per line/,
    ],
    [['repair', 'nowhere.json'], /^error: cannot read `nowhere\.json`/],
    [['repair', 'run.yaml', '--write', '-o', 'x'], /`--write` and `--output` cannot be used together/],
    [['repair', '-', '--write'], /`--write` cannot write to stdin/],
    [['repair'], /`repair` needs a file/],
  ]
  for (const [args, words] of cases) {
    const { status, stdout, stderr } = run(args)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, words)
  }
  assert.equal(read('run.yaml'), "messages: ['user: Hi']\n")
})

test('bytes that are no text are reported at their lines, and spoil nothing else', () => {
  const log = Buffer.concat([
    Buffer.from(whole),
    Buffer.from([0xff, 0x0a]),
    Buffer.from(lineOf('2026-01-14T03:00:02Z', 'completed', { response: 'x' })),
  ])
  write('bytes.json', log)
  const { status, stdout, stderr } = run(['repair', 'bytes.json'])
  assert.deepEqual([status, stdout], [1, whole + lineOf('2026-01-14T03:00:02Z', 'completed', { response: 'x' })])
  assert.match(stderr, /^bytes\.json:3: left out: it is not a complete JSON value: /)
})
