// What lies around a document: the settings of the project, and the files that it names.
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { install } from '../support/tarball.mjs'

const folder = install()
const { run, write } = programIn(folder)

/** Has a warning, T204: a call without its result. */
const warned = 'messages:\n  - "user: Hi"\n  - "assistant:call f(x=1)"\n'
const codes = (args, options) =>
  JSON.parse(run(['validate', '--format', 'json', ...args], options).stdout).diagnostics.map(({ code, severity }) => `${code} ${severity}`)

test('the settings are found upwards from each file, the nearest ones first', () => {
  write('project/transcript.config.json', '{"rules": {"T204": "error"}}')
  write('project/deep/er/run.yaml', warned)
  write('project/own/transcript.config.json', '{"rules": {"T204": "off"}}')
  write('project/own/run.yaml', warned)
  write('outside/run.yaml', warned)
  assert.deepEqual(codes(['project/deep/er/run.yaml']), ['T204 error'])
  assert.equal(run(['validate', 'project/deep/er/run.yaml']).status, 1)
  assert.deepEqual(codes(['project/own/run.yaml']), [])
  assert.deepEqual(codes(['outside/run.yaml']), ['T204 warning'])
  assert.deepEqual(codes(['-'], { input: warned, cwd: 'project/deep' }), ['T204 error'])
  assert.deepEqual(codes(['../../own/run.yaml'], { cwd: 'project/deep/er' }), [])
})

test('the settings of a folder are no transcript', () => {
  assert.deepEqual(codes(['project']), ['T204 error'])
})

test('a comment turns a rule off where it stands', () => {
  write('outside/quiet.yaml', warned.replace('f(x=1)"', 'f(x=1)" # transcript: off=T204'))
  assert.deepEqual(codes(['outside/quiet.yaml']), [])
})

test('a mistake in the settings is reported once, with its place, and nothing is checked by them', () => {
  write('slip/transcript.config.json', '{\n  "rules": {"unknown-reff": "off"}\n}\n')
  write('slip/a.yaml', weather)
  write('slip/b.yaml', weather)
  const { status, stderr } = run(['validate', 'slip'])
  const place = join(folder, 'slip/transcript.config.json')
  assert.equal(stderr.split(`--> ${place}:2:13`).length, 2, stderr)
  assert.match(stderr, /unknown rule `unknown-reff`/)
  assert.match(stderr, /did you mean `unknown-ref`\?/)
  assert.ok([0, 2].includes(status), String(status))
  write('slip/transcript.config.json', '{"rules": ')
  const broken = run(['fmt', 'slip/a.yaml'])
  assert.equal(broken.status, 2)
  assert.match(broken.stderr, /error: the settings in `.*transcript\.config\.json` cannot be used\n/)
})

const naming = (path) =>
  `execution:\n  - type: tool_call\n    tool_call: {tool_name: ask, result: {response: Fine, nested_transcript_ref: ${path}}}\n`
const inner = "messages: ['user: Hi', 'assistant: Hello!']\n"

test('files below the folder of a document are read, through others too', () => {
  write('nested/run.yaml', naming('runs/middle.yaml'))
  write('nested/runs/middle.yaml', naming('inner.yaml'))
  write('nested/runs/inner.yaml', inner)
  assert.deepEqual(codes(['nested/run.yaml']), [])
  assert.match(run(['expand', 'nested/run.yaml', '--nested', 'inline']).stdout, /content: Hello!/)
  assert.match(run(['expand', 'nested/run.yaml', '--nested', 'reference']).stdout, /\nnested:\n {2}nested_001:/)
  assert.match(run(['state', 'nested/run.yaml']).stdout, /^context: 0 keys\n/)
})

test('a file outside is never read, whatever a document names', () => {
  write('secret.yaml', "messages: ['user: top secret', 'assistant: yes']\n")
  write('nested/other/run.yaml', naming('../../secret.yaml'))
  const { status, stdout } = run(['expand', 'run.yaml', '--nested', 'inline'], { cwd: 'nested/other' })
  assert.equal(status, 0)
  assert.doesNotMatch(stdout, /top secret/)
  assert.deepEqual(codes(['run.yaml'], { cwd: 'nested/other' }), ['T714 warning'])
  const secret = '../../secret.yaml'
  symlinkSync(secret, join(folder, 'nested/other/link.yaml'))
  write('nested/other/by-link.yaml', naming('link.yaml'))
  assert.doesNotMatch(run(['expand', 'by-link.yaml', '--nested', 'inline'], { cwd: 'nested/other' }).stdout, /top secret/)
  // From the folder around both, it is one of one's own.
  assert.match(run(['expand', 'nested/other/run.yaml', '--nested', 'inline']).stdout, /top secret/)
  write('nested/other/absolute.yaml', naming(join(folder, 'secret.yaml')))
  assert.doesNotMatch(run(['expand', 'nested/other/absolute.yaml', '--nested', 'inline']).stdout, /top secret/)
})
