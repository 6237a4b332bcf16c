// Files that are rewritten in their places: what stays of them, and which are left alone.
import assert from 'node:assert/strict'
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { bytes, read, run, write } = programIn(folder)

const UNTIDY = 'messages: ["user: Hi"]\nname:   run # ours\n'
const TIDY = 'name: run  # ours\nmessages: ["user: Hi"]\n'
const modeOf = (name) => statSync(join(folder, name)).mode & 0o777
const isLink = (name) => lstatSync(join(folder, name)).isSymbolicLink()

test('a mode stays, wide or narrow', () => {
  for (const mode of [0o600, 0o640, 0o664, 0o755]) {
    write('mode.yaml', UNTIDY)
    chmodSync(join(folder, 'mode.yaml'), mode)
    assert.equal(run(['fmt', 'mode.yaml']).status, 0)
    assert.deepEqual([read('mode.yaml'), modeOf('mode.yaml')], [TIDY, mode])
  }
  chmodSync(join(folder, 'mode.yaml'), 0o600)
  assert.equal(run(['redact', '-', '-o', 'mode.yaml'], { input: weather }).status, 0)
  assert.equal(modeOf('mode.yaml'), 0o600)
})

test('what a link leads to is written, through several links and also when it does not exist yet', () => {
  write('real/run.yaml', UNTIDY)
  symlinkSync('real/run.yaml', join(folder, 'one.yaml'))
  symlinkSync('one.yaml', join(folder, 'two.yaml'))
  symlinkSync('real/new.yaml', join(folder, 'new-link.yaml'))
  assert.equal(run(['fmt', 'two.yaml']).status, 0)
  assert.equal(read('real/run.yaml'), TIDY)
  assert.equal(run(['compact', '-', '-o', 'new-link.yaml'], { input: weather }).status, 0)
  assert.match(read('real/new.yaml'), /messages:/)
  assert.ok(['one.yaml', 'two.yaml', 'new-link.yaml'].every(isLink))
})

test('a read-only file is refused and stays, and no file of ours is left next to it', () => {
  write('locked/run.yaml', UNTIDY)
  chmodSync(join(folder, 'locked/run.yaml'), 0o444)
  for (const args of [
    ['fmt', 'locked/run.yaml'],
    ['redact', '-', '-o', 'locked/run.yaml'],
  ]) {
    const { status, stderr } = run(args, { input: weather })
    assert.equal(status, 2)
    assert.match(stderr, /`locked\/run\.yaml` is read-only and was not changed/)
    assert.deepEqual([read('locked/run.yaml'), modeOf('locked/run.yaml')], [UNTIDY, 0o444])
  }
  assert.deepEqual(readdirSync(join(folder, 'locked')), ['run.yaml'])
})

test('in a folder only transcripts and handlers are rewritten; a file that is named is formatted', () => {
  const settings = '{"name":"x",   "version":"1.0.0"}\n'
  const manifests = 'apiVersion:   v1\nkind: Pod\n---\napiVersion:   v1\nkind: Pod\n'
  write('mixed/package.json', settings)
  write('mixed/pod.yaml', manifests)
  write('mixed/run.yaml', UNTIDY)
  write('mixed/handlers.yaml', 'handlers:\n    a:   Hello\n')
  const { status, stderr } = run(['fmt', 'mixed'])
  assert.deepEqual([status, stderr], [0, '2 files skipped: not transcripts\n2 files formatted, 0 files unchanged\n'])
  assert.match(run(['fix', 'mixed']).stderr, /^2 files skipped/m)
  assert.deepEqual([read('mixed/package.json'), read('mixed/pod.yaml')], [settings, manifests])
  assert.deepEqual([read('mixed/run.yaml'), read('mixed/handlers.yaml')], [TIDY, 'handlers:\n  a: {type: queue, responses: [Hello]}\n'])
  assert.equal(run(['fmt', 'mixed/package.json']).status, 0)
  assert.equal(read('mixed/package.json'), '{\n  "name": "x",\n  "version": "1.0.0"\n}\n')
})

test('what was in gzip is written in gzip, whatever its name', () => {
  write('zipped.yaml', gzipSync(UNTIDY))
  assert.equal(run(['fmt', 'zipped.yaml']).status, 0)
  assert.equal(gunzipSync(bytes('zipped.yaml')).toString(), TIDY)
})

test('input that is no text ends with 2 in every command, and documents with errors with 1', () => {
  write('binary.yaml', Buffer.from([0x6e, 0x61, 0xff, 0x0a]))
  write('cut.yaml', gzipSync(weather).subarray(0, 40))
  write('broken.yaml', 'messages: [\n')
  write('fine.yaml', weather)
  for (const command of ['fmt', 'fix', 'expand', 'compact', 'validate', 'replay', 'coverage', 'diff', 'redact']) {
    const more = command === 'diff' ? ['fine.yaml'] : []
    const codes = ['binary.yaml', 'cut.yaml', 'broken.yaml'].map((name) => run([command, name, ...more]).status)
    // `redact` too: it writes any text without its secrets, but one that cannot be read is not ready to be shared.
    assert.deepEqual(codes, [2, 2, 1], command)
  }
  assert.doesNotMatch(run(['validate', 'cut.yaml']).stdout, /errors/)
})

test('coverage shows the diagnostics of a document with errors', () => {
  write('unknown.yaml', unknownRef)
  const { status, stderr } = run(['coverage', 'unknown.yaml'])
  assert.equal(status, 1)
  assert.match(stderr, /error\[T201\]/)
})

test('fix shows what it leaves, and where to read on', () => {
  write('guess.yaml', unknownRef)
  const { status, stderr } = run(['fix', 'guess.yaml'])
  assert.equal(status, 1)
  assert.match(stderr, /error\[T201\][^]* --> guess\.yaml:11:[^]*transcript validate/)
})

test('options that the core refuses are misuse, in its words', () => {
  write('fine.yaml', weather)
  const { status, stderr } = run(['redact', 'fine.yaml', '--kinds', 'nonsense'])
  assert.equal(status, 2)
  assert.match(stderr, /unknown kind `nonsense`/)
  assert.doesNotMatch(stderr, /this is a bug/)
  assert.match(run(['redact', '--help']).stdout, /password[^]*email/)
})

test('diff reads the standard input once', () => {
  const twice = run(['diff', '-', '-'], { input: weather })
  assert.equal(twice.status, 2)
  assert.match(twice.stderr, /stdin can be read only once/)
})

test('diff matches ids that differ alone, and with --literal-ids distinguishes them', () => {
  write('left.yaml', unknownRef.replace('msg_009', 'msg_002'))
  write('right.yaml', unknownRef.replace('msg_009', 'msg_002').replaceAll('msg_002', 'question'))
  assert.deepEqual(run(['diff', 'left.yaml', 'right.yaml']), { status: 0, stdout: '', stderr: '' })
  const { status, stdout } = run(['diff', 'left.yaml', 'right.yaml', '--literal-ids'])
  assert.equal(status, 1)
  assert.match(stdout, /msg_002[^]*question/)
  assert.equal(run(['diff', 'left.yaml', 'left.yaml', '--literal-ids']).status, 0)
})

test('settings that cannot be used end a command, with nothing counted', () => {
  write('set/transcript.config.json', '{"rules": ')
  write('set/a.yaml', weather)
  write('set/b.yaml', weather)
  const { status, stdout, stderr } = run(['validate', 'set'])
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /the settings in .* cannot be used/)
})

test('a file that is called JSON becomes JSON, and one with comments is refused', () => {
  write('a.json', "{'messages': ['user: hi'],}")
  assert.equal(run(['fmt', 'a.json']).status, 0)
  assert.equal(read('a.json'), '{\n  "messages": [\n    "user: hi"\n  ]\n}\n')
  const commented = '{\n  // c\n  "messages": ["user: hi"]\n}\n'
  write('b.json', commented)
  const { status, stderr } = run(['fmt', 'b.json'])
  assert.equal(status, 1)
  assert.match(stderr, /T010|JSON has no comments/)
  assert.equal(read('b.json'), commented)
})

test('coverage takes what a test saw in use, and refuses what the file does not have', async () => {
  write('fine.yaml', weather)
  assert.match(run(['coverage', 'fine.yaml', '--consumed', '1']).stdout, /^recordings used: 1 of \d+$/m)
  const unknown = run(['coverage', 'fine.yaml', '--consumed', '1,99'])
  assert.equal(unknown.status, 2)
  assert.match(unknown.stderr, /fine\.yaml has no step `99`/)
  assert.equal(run(['coverage', 'fine.yaml', 'left.yaml', '--consumed', '1']).status, 2)
  write('rules.yaml', 'handlers:\n  a: {type: queue, responses: [Hi, Bye]}\n')
  assert.match(run(['coverage', 'rules.yaml']).stdout, /`handlers\.a\.responses\[1\]` of rules\.yaml/)
  assert.match(run(['coverage', 'rules.yaml', '--fired', 'handlers.b']).stderr, /rules\.yaml has no rule `handlers\.b`/)
  const { coverage } = await load(folder, 'transcript-workbench')
  assert.throws(() => coverage({ text: weather, consumed: ['99'] }), TypeError)
  assert.throws(() => coverage({ text: weather, consumed: 3 }), { name: 'TypeError', message: /`consumed`.*a list of strings/ })
})

test('an expansion beyond the limit, or that no memory could hold, is refused beforehand', () => {
  const messages = Array.from({ length: 9000 }, (_, at) => `  - "${at % 2 === 0 ? 'user' : 'assistant'}: ${at}"\n`)
  write('short.yaml', `messages:\n${messages.slice(0, 100).join('')}`)
  const { status, stderr } = run(['expand', 'short.yaml', '--max-expanded', '100'])
  assert.equal(status, 1)
  assert.match(stderr, /error\[T013\].* the limit is 100\n[^]*--max-expanded/)
  write('long.yaml', `messages:\n${messages.join('')}`)
  const full = run(['expand', 'long.yaml', '--max-expanded', '999999999'])
  assert.deepEqual([full.status, full.stdout], [1, ''])
  assert.match(full.stderr, /error\[T013\].* MiB of memory; 3072 are available\n/)
})

test('line ends stay, and a byte order mark stays or is reported', () => {
  const windows = (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`
  write('crlf.yaml', windows(UNTIDY))
  const formatted = run(['fmt', 'crlf.yaml'])
  assert.deepEqual([formatted.status, read('crlf.yaml')], [0, TIDY.replaceAll('\n', '\r\n')])
  assert.equal(formatted.stderr, 'crlf.yaml: byte order mark removed\n1 file formatted, 0 files unchanged\n')
  assert.deepEqual(run(['fmt', 'crlf.yaml']).stderr, '0 files formatted, 1 file unchanged\n')
  write('old.yaml', windows('version: 1.0 # ours\nexecution: []\n'))
  assert.equal(run(['fix', 'old.yaml']).status, 0)
  assert.equal(read('old.yaml'), windows('version: "1.0" # ours\nexecution: []\n'))
  write('mail.yaml', windows('messages:\n  - "user: ann@acme.io"\n'))
  assert.equal(run(['redact', 'mail.yaml', '-o', 'hidden.yaml']).status, 0)
  assert.equal(read('hidden.yaml'), windows('messages:\n  - "user: <email-1>"\n'))
  // All but the secrets stays byte for byte, a missing line end included.
  assert.equal(run(['redact', '-'], { input: 'a: [ann@acme.io]\r\nb: 1' }).stdout, 'a: [<email-1>]\r\nb: 1')
  // A file that is as it should be is not touched, whatever its line ends.
  write('tidy.yaml', TIDY.replaceAll('\n', '\r\n'))
  assert.equal(run(['fmt', '--check', 'tidy.yaml']).status, 0)
})

test('redact writes a broken text without its secrets, and says what is wrong with it', () => {
  write('leaky.yaml', 'messages: [ann@acme.io\n')
  const { status, stdout, stderr } = run(['redact', 'leaky.yaml'])
  assert.deepEqual([status, stdout], [1, 'messages: [<email-1>\n'])
  assert.match(stderr, /error\[T001\][^]*1 secret replaced in 1 place\n$/)
  assert.doesNotMatch(stderr, /ann@acme/)
  const json = run(['redact', 'leaky.yaml', '--format', 'json'])
  assert.deepEqual([json.status, JSON.parse(json.stderr).diagnostics[0].code], [1, 'T001'])
})

test('redact says that its placeholders change the form', () => {
  write('tagged.yaml', "messages:\n  - !https://ann:q7Zr2mKd91@acme.io/t 'user: Hi'\n")
  const { status, stdout, stderr } = run(['redact', 'tagged.yaml'])
  assert.deepEqual([status, stdout], [1, "messages:\n  - !https://ann:<secret-1>@acme.io/t 'user: Hi'\n"])
  assert.match(stderr, /error: the placeholders change the structure of the document[^]*= help: check the text/)
  assert.doesNotMatch(stderr, /q7Zr2/)
  const json = run(['redact', 'tagged.yaml', '--format', 'json'])
  assert.deepEqual([json.status, JSON.parse(json.stderr).formChanged], [1, true])
})
