// The commands that write documents: fix, fmt, compact, redact, expand, and files in gzip.
import assert from 'node:assert/strict'
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { compact, expand, format, redact } = await load(folder, 'transcript-workbench')
const { bytes, read, run, write } = programIn(folder)

const OLD = 'version: 1.0 # ours\nexecution: []\n'
const NEW = 'version: "1.0" # ours\nexecution: []\n'
const UNTIDY = 'messages: ["user: Hi"]\nname:   run # ours\n'
const TIDY = 'name: run  # ours\nmessages: ["user: Hi"]\n'
const noLeftovers = () =>
  assert.deepEqual(
    readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.new') && !name.startsWith('node_modules')),
    [],
  )

test('fix rewrites files in their places and says what it did', () => {
  write('fix/a.yaml', OLD)
  write('fix/b.yaml', weather)
  const { status, stdout, stderr } = run(['fix', 'fix'])
  assert.deepEqual([status, stdout], [0, ''])
  assert.match(stderr, /^fix\/a\.yaml:1: .+ \[T102\]\n1 fix applied in 1 file, 0 errors left\n$/)
  assert.deepEqual([read('fix/a.yaml'), read('fix/b.yaml')], [NEW, weather])
  assert.deepEqual(run(['fix', 'fix']), { status: 0, stdout: '', stderr: '0 fixes applied in 0 files, 0 errors left\n' })
  noLeftovers()
})

test('fix --check writes nothing and ends with 1 when there is anything to fix', () => {
  write('check.yaml', OLD)
  const { status, stdout, stderr } = run(['fix', '--check', 'check.yaml'])
  assert.equal(status, 1)
  assert.match(stdout, /^check\.yaml:1: .+ \[T102\]\n$/)
  assert.equal(stderr, '1 fix can be applied in 1 file, 0 errors left\n')
  assert.equal(read('check.yaml'), OLD)
  assert.equal(run(['fix', '--check', '-'], { input: NEW }).status, 0)
})

test('fix shows guesses and does not apply them', () => {
  write('guess.yaml', unknownRef)
  const { status, stderr } = run(['fix', 'guess.yaml'])
  assert.equal(status, 1)
  assert.match(stderr, /^guess\.yaml:11: not applied, because it is a guess: .*`msg_00\d`.* \[T201\]$/m)
  assert.match(stderr, /\n0 fixes applied in 0 files, 1 error left\n$/)
  assert.equal(read('guess.yaml'), unknownRef)
})

test('fix and fmt pass the standard input on', () => {
  assert.deepEqual(run(['fix', '-'], { input: OLD }).stdout, NEW)
  assert.deepEqual(run(['fmt', '-'], { input: UNTIDY }).stdout, TIDY)
  // What cannot be formatted goes through as it is.
  const broken = run(['fmt', '-'], { input: 'name: [' })
  assert.deepEqual([broken.status, broken.stdout], [1, 'name: ['])
  assert.match(broken.stderr, /error\[T001\]/)
})

test('fmt formats files and folders; what is refused stays, and the others are formatted all the same', () => {
  write('fmt/a.yaml', UNTIDY)
  write('fmt/b.yaml', TIDY)
  const check = run(['fmt', 'fmt', '--check'])
  assert.deepEqual([check.status, check.stdout, check.stderr], [1, 'fmt/a.yaml\n', '1 file would be formatted, 1 file unchanged\n'])
  assert.equal(read('fmt/a.yaml'), UNTIDY)
  write('fmt/broken.yaml', 'name: [\n')
  const { status, stdout, stderr } = run(['fmt', 'fmt'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /error\[T001\][^]* --> fmt\/broken\.yaml:1:\d+[^]*\n1 file formatted, 1 file unchanged\n$/)
  assert.deepEqual([read('fmt/a.yaml'), read('fmt/broken.yaml')], [TIDY, 'name: [\n'])
  assert.equal(run(['fmt', 'fmt/a.yaml', 'fmt/none.yaml']).status, 2)
  assert.equal(run(['fmt', '--check', 'fmt/a.yaml']).status, 0)
  noLeftovers()
})

test('a rewritten file keeps its mode, and a link stays a link', () => {
  write('mode.yaml', UNTIDY)
  chmodSync(join(folder, 'mode.yaml'), 0o640)
  symlinkSync('mode.yaml', join(folder, 'link.yaml'))
  assert.equal(run(['fmt', 'link.yaml']).status, 0)
  assert.equal(lstatSync(join(folder, 'link.yaml')).isSymbolicLink(), true)
  assert.deepEqual([read('mode.yaml'), statSync(join(folder, 'mode.yaml')).mode & 0o777], [TIDY, 0o640])
})

test('a binary file is never rewritten', () => {
  const binary = Buffer.from([0x66, 0xff, 0x00])
  write('binary.yaml', binary)
  for (const command of ['fix', 'fmt']) {
    const { status, stderr } = run([command, 'binary.yaml'])
    assert.equal(status, 2)
    assert.match(stderr, /error\[T003\]/)
    assert.deepEqual(bytes('binary.yaml'), binary)
  }
})

test('compact writes the short form of what was expanded', () => {
  const full = expand(weather).text
  write('full.yaml', full)
  assert.deepEqual(run(['compact', 'full.yaml']), { status: 0, stdout: compact(full).text, stderr: '' })
  assert.equal(run(['compact', '-', '-o', 'short.yaml'], { input: full }).status, 0)
  assert.deepEqual(expand(read('short.yaml')).transcript, expand(weather).transcript)
})

test('compact refuses losses, with their places, until they are accepted', () => {
  write('lossy.yaml', 'execution:\n  - type: llm_call\n    llm_response: {content: Hi}\n')
  write('out.yaml', 'kept\n')
  const refused = run(['compact', 'lossy.yaml', '-o', 'out.yaml'])
  assert.deepEqual([refused.status, refused.stdout], [1, ''])
  assert.equal(
    refused.stderr,
    `lossy.yaml:2:5: the compact form would lose the absence of \`messages_sent_to_llm\` in turn 1
error: the compact form would lose 1 thing
  = help: \`--force\` writes it despite losses
`,
  )
  assert.equal(read('out.yaml'), 'kept\n')
  const forced = run(['compact', 'lossy.yaml', '--force'])
  assert.deepEqual([forced.status, forced.stdout], [0, 'messages:\n  - "assistant: Hi"\n'])
  assert.match(run(['compact', '-'], { input: 'messages: [' }).stderr, /error\[T001\]/)
})

test('redact replaces secrets, and reports them without showing them', () => {
  const key = 'sk-proj-q7Zr2mKd91xTbV4nLw8Hs3Jc'
  const text = `messages:\n  - "user: ${key} hush"\n  - "assistant: ${key}"\n`
  write('secret.yaml', text)
  const { status, stdout, stderr } = run(['redact', 'secret.yaml'])
  assert.deepEqual([status, stdout], [0, redact(text).text])
  assert.doesNotMatch(stdout + stderr, /q7Zr2mKd91/)
  assert.match(stderr, /^<secret-1> {2}[\w-]+, 2 places\n1 secret replaced in 2 places\n$/)
  const more = run(['redact', 'secret.yaml', '--literals', 'hush', '-o', 'shared.yaml'])
  assert.deepEqual([more.status, more.stdout], [0, ''])
  assert.doesNotMatch(read('shared.yaml'), /hush|q7Zr2/)
  assert.equal(read('secret.yaml'), text)
  const json = run(['redact', '-', '--kinds', 'email', '--format', 'json'], { input: 'messages: ["user: ann@acme.io"]\n' })
  const report = JSON.parse(json.stderr)
  assert.deepEqual(Object.keys(report), ['count', 'items', 'staleBlobs', 'formChanged', 'diagnostics'])
  assert.deepEqual([report.count, report.items[0].placeholder, json.stdout], [1, '<email-1>', 'messages: ["user: <email-1>"]\n'])
  const unknown = run(['redact', '-', '--kinds', 'emial'], { input: text })
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
  assert.match(unknown.stderr, /unknown kind `emial`; did you mean `email`\?/)
  assert.equal(run(['redact', '-'], { input: Buffer.from([0xff, 0]) }).status, 2)
})

test('expand writes what repeats once, and runs of other agents where they are wanted', () => {
  const large = 'x'.repeat(400)
  const text = `messages:\n  - "user: Hi"\n  - "assistant:call f(a='${large}')"\n  - "tool:f: ${large}"\n  - "assistant: ok"\n`
  write('large.yaml', text)
  assert.equal(run(['expand', 'large.yaml', '--dedupe']).stdout, expand(text, { dedupe: true }).text)
  assert.equal(run(['expand', 'large.yaml', '--dedupe-above', '10000']).stdout, expand(text).text)
  assert.match(run(['expand', 'large.yaml', '--nested', 'outside']).stderr, /`--nested` does not take `outside`/)
})

test('files in gzip are read by every command, and written where the name says so', () => {
  write('run.yaml.gz', gzipSync(weather))
  write('packed/deep/run.yml.gz', gzipSync(weather))
  assert.equal(run(['validate', 'run.yaml.gz', 'packed']).stdout, '0 errors, 0 warnings in 2 files\n')
  assert.equal(run(['validate', '-'], { input: gzipSync(weather) }).status, 0)
  assert.equal(run(['expand', 'run.yaml.gz']).stdout, expand(weather).text)
  assert.match(run(['replay', 'run.yaml.gz']).stdout, /2 of 2 model calls/)
  assert.equal(run(['expand', 'run.yaml.gz', '-o', 'full.yaml.gz']).status, 0)
  assert.equal(gunzipSync(bytes('full.yaml.gz')).toString(), expand(weather).text)
  const first = bytes('full.yaml.gz')
  run(['expand', 'run.yaml.gz', '-o', 'full.yaml.gz'])
  assert.deepEqual(bytes('full.yaml.gz'), first)
  // The header names neither a time nor a system.
  assert.deepEqual([...first.subarray(4, 8), first[9]], [0, 0, 0, 0, 255])
  write('fmt.yaml.gz', gzipSync(UNTIDY))
  assert.equal(run(['fmt', 'fmt.yaml.gz']).status, 0)
  assert.equal(gunzipSync(bytes('fmt.yaml.gz')).toString(), format(UNTIDY).text)
})

test('a file in gzip cannot fill the memory, and one that is broken is reported', () => {
  write('bomb.yaml.gz', gzipSync(Buffer.alloc(64 << 20, 0x20)))
  const { status, stdout, stderr } = run(['validate', 'bomb.yaml.gz', 'run.yaml.gz'])
  assert.deepEqual([status, stdout], [2, '0 errors, 0 warnings in 1 file\n'])
  assert.match(stderr, /`bomb\.yaml\.gz` has more than 33554432 bytes/)
  const small = run(['expand', 'run.yaml.gz', '--max-bytes', '20'])
  assert.equal(small.status, 2)
  assert.equal(small.stderr, 'error: `run.yaml.gz` has more than 20 bytes\n  = help: raise the limit with --max-bytes\n')
  write('cut.yaml.gz', gzipSync(weather).subarray(0, 30))
  const cut = run(['fmt', 'cut.yaml.gz'])
  assert.equal(cut.status, 2)
  assert.match(cut.stderr, /`cut\.yaml\.gz` begins like gzip, but cannot be decompressed/)
  assert.equal(bytes('cut.yaml.gz').length, 30)
})
