// What the command line writes for other programs: annotations, code scanning, shells, and settings that are a module.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { unknownRef } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { formats } = await load(folder, 'transcript-workbench')
const { commands: known, run, write } = programIn(folder)

/** Has a warning, T204: a call without its result. */
const warned = 'messages:\n  - "user: Hi"\n  - "assistant:call f(x=1)"\n'

test('annotations for GitHub name the place, and hold on one line', () => {
  write('50%,a:b/run.yaml', unknownRef)
  const { status, stdout } = run(['validate', '--format', 'github', '50%,a:b'])
  assert.equal(status, 1)
  const lines = stdout.trimEnd().split('\n')
  const [found] = lines.filter((line) => line.startsWith('::error '))
  assert.match(found, /^::error file=50%25%2Ca%3Ab\/run\.yaml,line=11,endLine=11,col=\d+,endColumn=\d+,title=T201::/)
  assert.match(found, /%0Ahelp: did you mean/)
  assert.ok(
    lines.every((line) => /^::(error|warning|notice) file=/.test(line)),
    stdout,
  )
})

test('a file without problems has no annotations', () => {
  write('fine.yaml', 'messages: ["user: Hi", "assistant: Hello!"]\n')
  assert.deepEqual(run(['validate', '--format', 'github', 'fine.yaml']), { status: 0, stdout: '', stderr: '' })
})

test('the log for code scanning has a rule for every code, and every place and fix', () => {
  write('s/run.yaml', unknownRef)
  write('s/call.yaml', warned)
  const { status, stdout } = run(['validate', '--format', 'sarif', 's'])
  assert.equal(status, 1)
  const {
    version,
    runs: [
      {
        tool: { driver },
        results,
        columnKind,
      },
    ],
  } = JSON.parse(stdout)
  assert.deepEqual([version, driver.name, columnKind], ['2.1.0', 'transcript', 'unicodeCodePoints'])
  for (const { ruleId, ruleIndex } of results) assert.equal(driver.rules[ruleIndex].id, ruleId)
  const reported = JSON.parse(run(['validate', '--format', 'json', 's']).stdout).diagnostics
  assert.deepEqual(
    results.map(({ ruleId }) => ruleId),
    reported.map(({ code }) => code),
  )
  const at = results.findIndex(({ ruleId }) => ruleId === 'T201')
  const { artifactLocation, region } = results[at].locations[0].physicalLocation
  assert.deepEqual(artifactLocation, { uri: 's/run.yaml', uriBaseId: '%SRCROOT%' })
  assert.deepEqual([region.startLine, region.startColumn], [reported[at].line, reported[at].column])
  const [
    {
      artifactChanges: [
        {
          replacements: [{ deletedRegion, insertedContent }],
        },
      ],
    },
  ] = results[at].fixes
  const text = Buffer.from(unknownRef)
  const { byteOffset, byteLength } = deletedRegion
  assert.match(text.subarray(byteOffset, byteOffset + byteLength).toString(), /msg_009/)
  assert.match(insertedContent.text, /msg_00\d/)
  assert.equal(results.find(({ ruleId }) => ruleId === 'T204').level, 'warning')
})

test('a log for code scanning says when a file could not be read', () => {
  const { status, stdout } = run(['validate', '--format', 'sarif', 's', 'gone.yaml'])
  assert.equal(status, 2)
  assert.deepEqual(JSON.parse(stdout).runs[0].invocations, [{ executionSuccessful: false }])
})

test('settings may be a module, which may say what it likes', () => {
  write('m/run.yaml', warned)
  write('m/transcript.config.js', 'console.log("noise"); export default async () => ({ rules: { T204: "error" } })')
  const { status, stdout } = run(['validate', '--format', 'json', 'm/run.yaml'])
  assert.equal(status, 1)
  assert.equal(JSON.parse(stdout).diagnostics[0].severity, 'error')
})

test('a module of settings that cannot be used is reported with its line', () => {
  write('n/run.yaml', warned)
  write('n/transcript.config.mjs', 'export default {\n  rules: \n')
  const broken = run(['validate', 'n'])
  assert.equal(broken.status, 2)
  assert.match(broken.stderr, /the settings in `.*transcript\.config\.mjs:\d+` cannot be used: SyntaxError: /)
  write('n/transcript.config.mjs', 'export default 5')
  assert.match(run(['validate', 'n']).stderr, /its default export is not an object/)
  write('n/transcript.config.mjs', 'export default { rules: { T204: "of" } }')
  assert.match(run(['validate', 'n']).stderr, /^warning\[T109\]: .*`of`.*\n --> .*transcript\.config\.mjs\n {2}= help: did you mean `off`/)
  write('n/transcript.config.json', '{}')
  assert.match(run(['validate', 'n']).stderr, /there are settings in .* and in /)
})

const complete = (words) => {
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `
    source <("$1" completions bash); shift
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _transcript; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      `${folder}/node_modules/.bin/transcript`,
      ...words,
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(stderr, '')
  return stdout
    .trimEnd()
    .split('\n')
    .filter((word) => word !== '')
}

/** What `convert` reads of other programs, by the names of `--from`. */
const PROGRAMS = formats().flatMap(({ names }) => names.slice(0, 1))

test('bash completes commands, options, their values, and names of files', () => {
  assert.deepEqual(complete(['transcript', 'va']), ['validate'])
  assert.ok(complete(['transcript', '']).includes('verify-determinism'))
  assert.deepEqual(complete(['transcript', 'validate', '--fo']), ['--format'])
  assert.deepEqual(complete(['transcript', 'validate', '--format', '']), ['text', 'json', 'github', 'sarif'])
  assert.deepEqual(complete(['transcript', 'validate', '--format', '=', 'gi']), ['github'])
  assert.deepEqual(complete(['transcript', 'convert', '--from', '']), PROGRAMS)
  assert.deepEqual(complete(['transcript', 'convert', '--to', 'test-']), ['test-js', 'test-vitest', 'test-python'])
  assert.deepEqual(complete(['transcript', 'show', '--from', 'agent']), ['agentloom'])
  assert.deepEqual(complete(['transcript', 'completions', 'z']), ['zsh'])
  assert.deepEqual(complete(['transcript', 'help', 'ord']), ['order'])
  write('with blank.yaml', warned)
  assert.deepEqual(complete(['transcript', 'validate', 'with']), ['with blank.yaml'])
})

test('the completions of every shell know every command and its options', () => {
  const commands = known()
  assert.ok(commands.length > 20 && commands.includes('completions'), String(commands))
  for (const [shell, option] of [
    ['bash', '--junit'],
    ['zsh', '--junit='],
    ['fish', '-l junit'],
  ]) {
    const { status, stdout } = run(['completions', shell])
    assert.equal(status, 0)
    for (const name of commands) assert.ok(stdout.includes(name), `${shell} knows ${name}`)
    assert.ok(stdout.includes(option), shell)
  }
  const programs = PROGRAMS.join(' ')
  for (const [shell, option] of [
    ['zsh', `:value:(${programs})`],
    ['fish', `-l from -x -a '${programs}'`],
  ]) {
    assert.ok(run(['completions', shell]).stdout.includes(option), shell)
  }
  const unknown = run(['completions', 'fis'])
  assert.deepEqual([unknown.status, unknown.stderr], [2, 'error: there are no completions for `fis`\n  = help: did you mean `fish`?\n'])
})
