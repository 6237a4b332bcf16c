// The manual of the command line: the help, the man page, the page of the documentation, and all their examples.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { installWithSite } from '../support/site.mjs'
import { weather } from '../support/samples.mjs'
import { load, repository } from '../support/tarball.mjs'

const folder = installWithSite()
const { expand } = await load(folder, 'transcript-workbench')
const { commands, run, write } = programIn(folder)
const inPackage = (name) => join(folder, 'node_modules/transcript-workbench', name)

/** The help of a command in a width; it is requested once. */
const pages = new Map()
const help = (command, columns = '80') => {
  const key = `${command} ${columns}`
  if (!pages.has(key)) pages.set(key, run([command, '--help'], { env: { COLUMNS: columns } }))
  return pages.get(key).stdout
}

/** The lines of a section of a help text. */
const section = (text, title) => (text.split(`\n${title}:\n`)[1] ?? '').split('\n\n')[0].trimEnd().split('\n').filter(Boolean)

const examples = (text) =>
  section(text, 'examples')
    .filter((line) => line.startsWith('  transcript '))
    .map((line) => line.trim())

test('the help of the program names every command, in groups', () => {
  const { status, stdout, stderr } = run(['--help'])
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^transcript: \S[^]*\nusage:\n {2}transcript COMMAND /)
  for (const same of [['help'], ['-h'], ['help', '--help']]) assert.equal(run(same).stdout, stdout)
  const names = commands()
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.length >= 25)
  assert.ok(section(stdout, 'check and fix').some((line) => line.startsWith('  validate ')))
  // Without a command it is a misuse, and the help says what to do.
  assert.deepEqual(run([]), { status: 2, stdout: '', stderr: stdout })
})

test('the help of a command has all that a manual has', () => {
  for (const command of commands()) {
    const stdout = help(command)
    const { status, stderr } = pages.get(`${command} 80`)
    assert.deepEqual([status, stderr], [0, ''], command)
    assert.match(stdout, new RegExp(`^transcript ${command}: .+\n\nusage:\n  transcript ${command}( |$)`, 'm'))
    assert.ok(examples(stdout).length >= 2, `${command} has two examples or more`)
    for (const line of examples(stdout)) assert.ok(line.startsWith(`transcript ${command}`), line)
    assert.match(section(stdout, 'exit code').join('\n'), /^ {2}0 [^]*\n {2}2 /, command)
    assert.match(stdout, /\n {2}NO_COLOR /, command)
    for (const name of section(stdout, 'see also')
      .join(' ')
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean)) {
      const page = name.startsWith('docs/') ? inPackage(name) : undefined
      assert.ok(page ? existsSync(page) : commands().includes(name.replace('transcript ', '')), `${command}: ${name}`)
    }
  }
})

test('options say what holds without them', () => {
  assert.match(help('validate'), /--format text\|json\|github\|sarif\n[^-]*\[default: text\]/)
  assert.match(help('validate', '100'), /--max-bytes SIZE .*\n? *.*\[default: 32 MiB\]/)
})

test('the help is as wide as the terminal, from 40 to 100 letters, save for what is typed', () => {
  const widest = (columns) => {
    const lines = help('serve', columns).split('\n')
    return Math.max(...lines.filter((line) => !line.startsWith('  ') && !line.startsWith('transcript')).map(({ length }) => length))
  }
  assert.ok(widest('60') <= 60 && widest('60') > 45)
  assert.ok(widest('1') <= 40)
  assert.ok(widest('2000') <= 100 && widest('2000') > 85)
  for (const invalid of ['', 'wide', '-5']) assert.equal(help('serve', invalid), help('serve'))
  for (const command of commands()) {
    for (const line of help(command).split('\n')) {
      assert.ok(line.length <= 80 || /^ {2}(transcript |[a-z-]+ [a-z-]+ [a-z-]+ )|^transcript /.test(line), line)
    }
  }
})

test('headings are bold where colors are wanted, and nowhere else', () => {
  assert.doesNotMatch(help('fmt'), /\u001b/)
  assert.match(run(['fmt', '--help', '--color', 'always']).stdout, /\n\u001b\[1musage:\u001b\[22m\n/)
  assert.equal(run(['fmt', '--help', '--color', 'never'], { env: { COLUMNS: '80' } }).stdout, help('fmt'))
  assert.equal(run(['help', 'fmt'], { env: { COLUMNS: '80' } }).stdout, help('fmt'))
})

test('what is no command or form of the manual is reported', () => {
  const cases = [
    [['help', 'validat'], 'error: unknown command `validat`\n  = help: did you mean `validate`?\n'],
    [['help', '--mann'], 'error: unknown option `--mann` of help\n  = help: did you mean `--man`?\n'],
    [['help', '--pdf'], 'error: unknown option `--pdf` of help\n  = help: there are --man and --markdown\n'],
    [['help', 'fmt', 'fix'], 'error: `help` takes one command, but got 2\n  = help: transcript help COMMAND\n'],
  ]
  for (const [args, words] of cases) assert.deepEqual(run(args), { status: 2, stdout: '', stderr: words })
})

test('the man page is in the package, and is roff that nothing of the texts can break', () => {
  const page = readFileSync(inPackage('man/transcript.1'), 'utf8')
  assert.deepEqual(run(['help', '--man']), { status: 0, stdout: page, stderr: '' })
  const manifest = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'))
  assert.deepEqual(manifest.man, ['./man/transcript.1'])
  assert.match(page, new RegExp(`^\\.TH TRANSCRIPT 1 "" "transcript\\\\-workbench ${manifest.version.replaceAll('-', '\\\\-')}"`, 'm'))
  assert.match(page, /^[\x00-\x7f]*$/)
  // The requests of man(7) that it uses; no other line may begin with what roff takes for one.
  const known = ['\\"', 'TH', 'SH', 'SS', 'PP', 'TP', 'B', 'I', 'RS', 'RE', 'nf', 'fi', 'nh', 'ad']
  for (const line of page.split('\n').filter((text) => /^[.']/.test(text))) {
    assert.ok(known.includes(line.slice(1).split(' ')[0]), line)
  }
  assert.equal(page.match(/^\.RS/gm).length, page.match(/^\.RE/gm).length)
  assert.equal(page.match(/^\.nf/gm).length, page.match(/^\.fi/gm).length)
  for (const name of ['NAME', 'SYNOPSIS', 'ENVIRONMENT', 'SEE ALSO']) assert.match(page, new RegExp(`^\\.SH "?${name}"?$`, 'm'))
  for (const command of commands()) assert.ok(page.includes(`.SS "transcript ${command.replaceAll('-', '\\-')}"`), command)
})

test('docs/cli.md is the manual; `transcript help --markdown > public/docs/cli.md` writes it', () => {
  const { status, stdout } = run(['help', '--markdown'])
  assert.equal(status, 0)
  assert.ok(stdout === readFileSync(join(repository, 'public/docs/cli.md'), 'utf8'), 'public/docs/cli.md is out of date')
})

/** What there is where the examples run. */
const prepare = () => {
  for (const name of ['run.yaml', 'before.yaml', 'transcripts/run.yaml']) write(name, weather)
  write('after.yaml', weather.replace('temp: 72', 'temp: 75'))
  write('run.full.yaml', expand(weather).text)
  write(
    'actual.json',
    JSON.stringify({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello!' },
      ],
    }),
  )
  write('handlers.yaml', 'handlers: {bot: {type: queue, responses: [Hello, Goodbye]}}\n')
  write('response.md', `Here it is:\n\n\`\`\`yaml\n${weather}\`\`\`\n`)
  write('run.journal', '{"v":1,"seq":1,"fact":"message_appended","id":"m1","role":"user","content":"Hi"}\n')
  write('logs/abc/transcript.json', '{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hi"}\n')
  const events = readFileSync(join(repository, 'tests/events/samples/multi_agent.jsonl'))
  write(
    'cassettes/weather.yaml',
    readFileSync(
      join(repository, 'tests/imports/fixtures/vcr/llm_TestAgentMessageStoreIntegration_test_agent_execute_iteration_indices.yaml'),
    ),
  )
  write('fixtures.json', '{"fixtures": [{"match": {"userMessage": "hi"}, "response": {"content": "Hello!"}}]}')
  write('events.jsonl', events)
  write('recording.json', '{\n  "_version": 2\n}\n')
  write('run.json', events)
  write('tools.mjs', 'export const lookup = () => "found"\n')
  write(
    'agent.mjs',
    `export default (tape) => {
    for (let messages; (messages = tape.expectedMessages) !== null;) tape.request({ format: 'canonical', messages })
  }`,
  )
}

const environment = { ...process.env, NO_COLOR: '1', PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}` }

/** Runs a line as a shell does. */
const shell = (line) => spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8', env: environment })

/** Starts a command that listens, stops it once it does, and gives the outcome. */
const listen = async (line) => {
  const child = spawn('transcript', line.split(' ').slice(1), { cwd: folder, env: environment })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.stdout.once('data', () => child.kill('SIGINT'))
  const [status] = await once(child, 'exit')
  return { status, stderr }
}

/** The examples that end otherwise than with 0, as the exit codes of their commands say. */
const OTHERWISE = {
  // The two runs differ.
  'transcript diff before.yaml after.yaml': 1,
  'transcript diff before.yaml after.yaml --ignore ids,timestamps': 1,
  'transcript diff before.yaml after.yaml --format json': 1,
  // The recorder was not called.
  'transcript record --upstream https://api.openai.com -o run.yaml': 1,
  'transcript record --upstream https://api.anthropic.com -o claude.yaml --journal claude.journal': 1,
}

for (const command of commands()) {
  test(`the examples of ${command} run`, async () => {
    prepare()
    for (const line of examples(help(command))) {
      const { status, stderr } = await (['open', 'serve', 'record'].includes(command) ? listen : shell)(line)
      assert.equal(status, OTHERWISE[line] ?? 0, `${line}\n${stderr}`)
      if (command !== 'record') assert.doesNotMatch(stderr, /^error/m, line)
      else assert.match(stderr, /error: no model calls were received, so nothing was written\n/)
    }
  })
}
