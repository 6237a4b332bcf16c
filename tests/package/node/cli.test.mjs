// The command line, as a shell runs it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { expand } = await load(folder, 'transcript-workbench')
const write = (name, text) => writeFileSync(join(folder, name), text)
for (const name of ['runs/deep', 'runs/node_modules', 'runs/.hidden', 'bare']) {
  mkdirSync(join(folder, name), { recursive: true })
}
write('weather.yaml', weather)
write('bad.yaml', unknownRef)
write('warned.yaml', 'messages:\n  - "user: Hi"\n  - "assistant:call f(x=1)"\n')
write('runs/one.yaml', weather)
write('runs/two.json', '{"messages": ["user: Hi", "assistant: Hello!"]}')
write('runs/deep/three.yml', weather)
write('runs/notes.txt', 'no transcript')
write('runs/node_modules/other.yaml', 'nothing')
write('runs/.hidden/other.yaml', 'nothing')

const environment = { ...process.env, NO_COLOR: '' }
const program = join(folder, 'node_modules/.bin/transcript')

/** Runs the program: exit code, output, errors. */
const run = (args, { input = '', env = {} } = {}) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    input,
    env: { ...environment, ...env },
    maxBuffer: 1 << 28,
  })
  return { status, stdout, stderr }
}

/** Where one may read on, on the standard error. */
const MORE = (what, codes) => `more about ${what}: transcript explain ${codes}\n`

const fine = (files) => ({ status: 0, stdout: `0 errors, 0 warnings in ${files}\n`, stderr: '' })

test('npx finds the program', () => {
  const { status, stdout } = spawnSync('npx', ['--no-install', 'transcript', 'validate', 'weather.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout], [0, fine('1 file').stdout])
})

test('validate: fine is 0 and a closing line', () => {
  assert.deepEqual(run(['validate', 'weather.yaml']), fine('1 file'))
  assert.deepEqual(run(['validate', 'weather.yaml', 'runs/one.yaml']), fine('2 files'))
  assert.deepEqual(run(['validate', '-'], { input: weather }), fine('1 file'))
})

test('validate: a problem is 1, with its place, a caret and a remedy', () => {
  const { status, stdout, stderr } = run(['validate', 'bad.yaml', 'weather.yaml'])
  assert.deepEqual([status, stderr], [1, MORE('it', 'T201')])
  const line = unknownRef.split('\n').findIndex((text) => text.includes('msg_009')) + 1
  assert.match(stdout, /^error\[T201\]: .*`msg_009`/m)
  assert.match(stdout, new RegExp(`--> bad\\.yaml:${line}:14\n`))
  assert.match(stdout, /\| {14}\^{7}/)
  assert.match(stdout, /= help: did you mean `msg_00\d`\?/)
  assert.match(stdout, /\n\d+ errors?, \d+ warnings? in 2 files\n$/)
})

test('validate: warnings alone are fine', () => {
  const { status, stdout } = run(['validate', 'warned.yaml'])
  assert.equal(status, 0)
  assert.match(stdout, /^warning\[T204\]/)
  assert.match(stdout, /\n0 errors, 1 warning in 1 file\n$/)
})

test('validate: json is the contract', () => {
  const { status, stdout, stderr } = run(['validate', '--format', 'json', 'bad.yaml', 'weather.yaml'])
  assert.deepEqual([status, stderr], [1, ''])
  const { diagnostics, ...rest } = JSON.parse(stdout)
  assert.deepEqual(rest, {})
  const found = diagnostics.find(({ code }) => code === 'T201')
  for (const key of ['file', 'code', 'severity', 'message', 'line', 'column', 'endLine', 'endColumn', 'offset', 'help', 'fixes']) {
    assert.ok(key in found, key)
  }
  assert.deepEqual([found.file, found.column, found.offset], ['bad.yaml', 14, unknownRef.indexOf('msg_009')])
  assert.deepEqual(JSON.parse(run(['validate', 'weather.yaml', '--format=json']).stdout), { diagnostics: [] })
})

test('validate: folders and patterns stand for their files, each once', () => {
  assert.deepEqual(run(['validate', 'runs']), fine('3 files'))
  assert.deepEqual(run(['validate', 'runs', './runs/one.yaml']), fine('3 files'))
  assert.deepEqual(run(['validate', 'runs/*.yaml']), fine('1 file'))
  assert.deepEqual(run(['validate', 'runs/**/*.{yml,json}']), fine('2 files'))
  assert.deepEqual(run(['validate', 'r[!x]ns/o?e.yaml']), fine('1 file'))
})

test('a file that cannot be read is 2, by name, and the others are checked all the same', () => {
  const { status, stdout, stderr } = run(['validate', 'none.yaml', 'weather.yaml'])
  assert.equal(status, 2)
  assert.equal(stdout, fine('1 file').stdout)
  assert.equal(stderr, 'error: cannot read `none.yaml`: there is no such file\n')
  for (const command of ['expand', 'replay']) {
    assert.deepEqual(run([command, 'none.yaml']), { status: 2, stdout: '', stderr })
  }
  assert.match(run(['validate', 'bare']).stderr, /no \.yaml, \.yml or \.json file below `bare`/)
  assert.match(run(['validate', '*.toml']).stderr, /no file matches `\*\.toml`/)
})

test('a folder that may not be looked into is reported, and the rest is checked all the same', () => {
  mkdirSync(join(folder, 'shut/in'), { recursive: true })
  write('shut/one.yaml', weather)
  chmodSync(join(folder, 'shut/in'), 0)
  chmodSync(folder, 0o755)
  // An administrator may look into any folder, so that somebody else has to.
  const somebody = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {}
  for (const files of ['shut', 'shut/**/*.yaml']) {
    const { status, stdout, stderr } = spawnSync(program, ['validate', files], { cwd: folder, encoding: 'utf8', ...somebody })
    assert.deepEqual([status, stdout, stderr], [2, fine('1 file').stdout, 'error: cannot read `shut/in`: permission denied\n'])
  }
  chmodSync(join(folder, 'shut/in'), 0o755)
})

test('output that cannot be written is reported', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(program, ['validate', 'weather.yaml'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  assert.deepEqual([status, stderr], [2, 'error: cannot write to stdout: the disk is full\n'])
})

test('misuse is 2 and says what was meant', () => {
  const cases = [
    [[], /usage:\n  transcript COMMAND/],
    [['validat', 'x'], /unknown command `validat`\n  = help: did you mean `validate`\?/],
    [
      ['frobnicate'],
      /unknown command `frobnicate`\n  = help: commands: validate, explain, fix, fmt, repair, expand, compact, test, replay, check, simulate, generate, recover, state, fork, diff, coverage, redact, order, verify-determinism, nest-events, detect, convert, show, open, schema, serve, record, completions\n/,
    ],
    [['validate'], /`validate` needs a file/],
    [['expand'], /`expand` needs a file/],
    [['expand', 'weather.yaml', 'bad.yaml'], /takes one file, but got 2/],
    [['validate', '--formt', 'json', 'x'], /unknown option `--formt`\n  = help: did you mean `--format`\?/],
    [['validate', '--format', 'jso', 'x'], /does not take `jso`\n  = help: did you mean `json`\?/],
    [['validate', 'x', '--format'], /`--format` needs a value/],
    [['validate', '--max-depth', 'many', 'x'], /`--max-depth` takes an integer, but got `many`/],
    [['validate', '--help=yes'], /`--help` takes no value/],
    [['validate', '-x'], /unknown option `-x`/],
    [['--vers'], /unknown option `--vers`/],
    [['-v'], /unknown option `-v` before a command\n  = help: options: --help \(-h\), --version \(-V\)/],
    [['validate', ''], /a file name is empty/],
  ]
  for (const [args, words] of cases) {
    const { status, stdout, stderr } = run(args)
    assert.deepEqual([status, stdout], [2, ''], args.join(' '))
    assert.match(stderr, words)
  }
})

test('the words of other tools lead to a command or an option', () => {
  write('own.yaml', weather)
  const cases = [
    ['format weather.yaml', 'did you mean `fmt`?'],
    ['fromat', 'did you mean `fmt`?'],
    ['import', 'did you mean `convert`?'],
    ['export', 'did you mean `convert`?'],
    ['proxy', 'did you mean `record`?'],
    ['travel', 'did you mean `fork` or `state`?'],
    ['lint', 'did you mean `validate`?'],
    ['Verify', 'did you mean `verify-determinism` or `validate`?'],
    ['verify-det', 'did you mean `verify-determinism`?'],
    ['init', 'did you mean `record` or `generate`?'],
    ['run', 'did you mean `replay` or `test` or `simulate`?'],
    ['watch', 'did you mean `test --watch`?'],
    ['version', 'did you mean `--version`?'],
    ['hlep', 'did you mean `help`?'],
    ['recrod', 'did you mean `record`?'],
    ['own.yaml', 'files follow a command: transcript show own.yaml'],
    ['validate --json x', 'did you mean `--format json`?'],
    ['expand --out=x', 'did you mean `--output`?'],
    ['convert --format yaml x', 'did you mean `--to`?'],
    ['fmt --dry-run x', 'did you mean `--check`?'],
    ['record --base-url x', 'did you mean `--upstream`?'],
    ['generate --base-url x', 'did you mean `--endpoint`?'],
    ['serve --host x', 'did you mean `--listen`?'],
    ['replay --strict x', 'did you mean `--mode strict`?'],
    ['fmt --frobnicate x', 'see `transcript fmt --help`; file names that begin with a dash follow `--`'],
    ['test --constructor x', 'see `transcript test --help`; file names that begin with a dash follow `--`'],
  ]
  for (const [line, help] of cases) {
    const { status, stdout, stderr } = run(line.split(' '))
    assert.deepEqual([status, stdout, stderr.split('\n')[1]], [2, '', `  = help: ${help}`], line)
  }
})

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/transcript-workbench/package.json'), 'utf8'))
  assert.deepEqual(run(['--version']), { status: 0, stdout: `transcript ${version}\n`, stderr: '' })
})

test('expand writes the full form to the standard output or to a file', () => {
  const yaml = run(['expand', 'weather.yaml'])
  assert.deepEqual(yaml, { status: 0, stdout: expand(weather).text, stderr: '' })
  const json = run(['expand', '-', '--format', 'json'], { input: weather })
  assert.deepEqual(JSON.parse(json.stdout), expand(weather).transcript)
  assert.deepEqual(run(['expand', 'weather.yaml', '-o', 'full.yaml']), { status: 0, stdout: '', stderr: '' })
  assert.equal(readFileSync(join(folder, 'full.yaml'), 'utf8'), yaml.stdout)
  assert.deepEqual(run(['validate', 'full.yaml']), fine('1 file'))
})

test('expand reports problems on the standard error and leaves a file alone that it has nothing for', () => {
  const known = run(['expand', 'bad.yaml'])
  assert.equal(known.status, 1)
  assert.match(known.stderr, /error\[T201\]/)
  assert.match(known.stdout, /^version: "1\.0"\n/)
  write('kept.yaml', 'kept\n')
  const unreadable = run(['expand', '-', '-o', 'kept.yaml'], { input: 'messages: [' })
  assert.deepEqual([unreadable.status, unreadable.stdout], [1, ''])
  assert.match(unreadable.stderr, /--> <stdin>:1:\d+/)
  assert.equal(readFileSync(join(folder, 'kept.yaml'), 'utf8'), 'kept\n')
  const itself = run(['expand', 'weather.yaml', '-o', './weather.yaml'])
  assert.equal(itself.status, 2)
  assert.match(itself.stderr, /is the input file/)
  assert.deepEqual(run(['validate', 'weather.yaml']).status, 0)
  const nowhere = run(['expand', 'weather.yaml', '-o', 'none/full.yaml'])
  assert.deepEqual([nowhere.status, nowhere.stderr], [2, 'error: cannot write `none/full.yaml`: its folder does not exist\n'])
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.new')),
    [],
  )
})

test('replay plays a recording against itself, a line for each step', () => {
  const { status, stdout, stderr } = run(['replay', 'weather.yaml'])
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(
    stdout,
    `weather.yaml: weather_query
  0  initial    What's the weather?
  1  llm_call   calls weather({"location": "NYC"})
  2  tool_call  weather({"location": "NYC"}) = {"temp": 72, "condition": "sunny"}
  3  llm_call   It's 72°F and sunny!
2 of 2 model calls match the recording, nothing left over
`,
  )
})

test('replay: json', () => {
  const { status, stdout } = run(['replay', 'weather.yaml', '--format', 'json'])
  assert.equal(status, 0)
  assert.deepEqual(JSON.parse(stdout), {
    file: 'weather.yaml',
    ok: true,
    calls: 2,
    leftover: [],
    steps: [
      { path: '0', kind: 'initial', outcome: null },
      { path: '1', kind: 'llm_call', outcome: 'response' },
      { path: '2', kind: 'tool_call', outcome: null },
      { path: '3', kind: 'llm_call', outcome: 'response' },
    ],
    divergence: null,
    diagnostics: [],
  })
})

test('replay: what cannot be replayed is 1, with the reason', () => {
  const bad = run(['replay', 'bad.yaml'])
  assert.equal(bad.status, 1)
  assert.match(bad.stdout, /error\[T201\]/)
  assert.match(bad.stderr, /^error: bad\.yaml cannot be replayed: it has \d error/)
  const silent = run(['replay', '-'], { input: "messages:\n  - 'user: Hi'\n" })
  assert.deepEqual([silent.status, silent.stderr], [0, ''])
  assert.match(silent.stdout, /the run has no model calls, so there is nothing to replay\n$/)
  const json = run(['replay', 'bad.yaml', '--format', 'json'])
  assert.equal(json.status, 1)
  assert.equal(JSON.parse(json.stdout).ok, false)
})

test('colors are for terminals, and for whoever asks', () => {
  const escapes = /\u001b\[/
  assert.doesNotMatch(run(['validate', 'bad.yaml']).stdout, escapes)
  assert.match(run(['validate', '--color', 'always', 'bad.yaml']).stdout, escapes)
  assert.match(run(['validate', '--color=always', 'bad.yaml'], { env: { NO_COLOR: '1' } }).stdout, escapes)
  const inTerminal = (command, env = {}) =>
    spawnSync('script', ['-qec', `${program} ${command}`, '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, TERM: 'xterm', ...env },
    }).stdout
  assert.match(inTerminal('validate bad.yaml'), escapes)
  assert.doesNotMatch(inTerminal('validate bad.yaml', { NO_COLOR: '1' }), escapes)
  assert.doesNotMatch(inTerminal('validate --color never bad.yaml'), escapes)
})

test('a terminal is never made to obey a transcript', () => {
  const hostile =
    'name: "\\e[31mred\\u202e"\nmessages:\n  - "user: \\e]0;title\\a"\n  - "assistant:call f(x=\'\\e[2J\')"\n  - "tool:f: \\u009b1m"\n  - "assistant: ok"\n'
  const { status, stdout } = run(['replay', '-'], { input: hostile })
  assert.equal(status, 0)
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  assert.match(stdout, /␛\[31mred<U\+202E>/)
})

test('large input and output pass through pipes whole', () => {
  const large = `messages:\n${'  - "user: Hi there, how are you?"\n  - "assistant: Fine!"\n'.repeat(500)}`
  const { status, stdout } = run(['expand', '-', '--format', 'json'], { input: large })
  assert.equal(status, 0)
  // The pipes hold 64 KiB; what a model was sent is spelled out again for each call.
  assert.ok(stdout.length > 5_000_000, `${stdout.length} characters`)
  assert.equal(JSON.parse(stdout).execution.length, 1_000 - 1)
  const refused = run(['validate', '-', '--max-bytes', '1000'], { input: large })
  assert.equal(refused.status, 1)
  assert.match(refused.stdout, new RegExp(`T004.*${large.length} bytes; the limit is 1000`))
})

test('a reader that goes away is no error', async () => {
  const wrong = 'version: "1.0"\nexecution:\n' + '  - {turn: 1, type: nonsense}\n'.repeat(5_000)
  write('wrong.yaml', wrong)
  const child = spawn(program, ['validate', 'wrong.yaml'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (data) => (errors += data))
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((done) => child.on('close', done))
  assert.deepEqual([errors, code], [MORE('them', 'T107 T205'), 1])
})

test('binary files, empty files and other kinds are reported, not crashed on', () => {
  for (const [name, content, words] of [
    ['image.yaml', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]), /T003.*not UTF-8/],
    ['utf16.yaml', Buffer.from('\ufeffmessages: []', 'utf16le'), /T003.*UTF-16/],
    ['empty.yaml', '', /T007/],
    ['list.yaml', '- 1\n- 2\n', /T111/],
    ['deep.json', '['.repeat(10_000), /T005/],
  ]) {
    write(name, content)
    const { status, stdout, stderr } = run(['validate', name])
    assert.equal(status, content instanceof Buffer ? 2 : 1, name)
    assert.match(stderr, /^more about (it|them): transcript explain T[\dT ]+\n$/)
    assert.match(stdout, words)
  }
})

test('what the package refuses of its arguments is misuse, in its words', () => {
  const patched = install()
  const dist = join(patched, 'node_modules/transcript-workbench/dist')
  const pattern = /maxBytes: ?\w+\["max-bytes"\](?=, ?maxDepth)/
  const parts = readdirSync(dist)
    .filter((name) => name.startsWith('cli-'))
    .map((name) => join(dist, name))
  const part = parts.find((path) => pattern.test(readFileSync(path, 'utf8')))
  const code = readFileSync(part, 'utf8')
  const run = (replacement) => {
    writeFileSync(part, code.replace(pattern, replacement))
    return spawnSync(join(patched, 'node_modules/.bin/transcript'), ['validate', '-'], { encoding: 'utf8', input: weather })
  }
  const unknown = run('maxByte: 5')
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
  assert.equal(unknown.stderr, 'error: parse() has no option `maxByte`; did you mean `maxBytes`?\n  = help: transcript validate --help\n')
  assert.match(run('maxBytes: "5"').stderr, /^error: the option `maxBytes` of parse\(\) takes an integer/)
  // A slip of the program is a TypeError too.
  assert.match(run('maxBytes: null.x').stderr, /this is a bug/)
})

test('a fault of the program itself is a sentence, not a stack', () => {
  const broken = install()
  const core = join(broken, 'node_modules/transcript-workbench/dist/core.js')
  const call = 'handle[method](...args)'
  const code = readFileSync(core, 'utf8')
  assert.ok(code.includes(call))
  writeFileSync(core, code.replace(call, "(() => { throw new WebAssembly.RuntimeError('unreachable') })()"))
  const { status, stdout, stderr } = spawnSync(join(broken, 'node_modules/.bin/transcript'), ['validate', '-'], {
    encoding: 'utf8',
    input: weather,
  })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^error: internal error of transcript-workbench, .*: unreachable\n  = help: .*report.*\n$/)
})
