// The written types against real use, and against the checkers of packages.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install, tarball } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const tool = (name) => join(here, 'node_modules/.bin', name)
const folder = install()
symlinkSync(join(here, 'node_modules/@types'), join(folder, 'node_modules/@types'))

const tsc = (file, ...flags) =>
  spawnSync(tool('tsc'), ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', ...flags, file], {
    cwd: folder, encoding: 'utf8',
  })

const usage = (opening) => `${opening}
const source: Source = { text: 'messages: []', file: 'a.yaml' }
const { ok, diagnostics }: Validation = validate(source, { maxBytes: 1 })
const first: Diagnostic | undefined = diagnostics[0]
const place: string = first ? \`\${first.file}:\${first.line}:\${first.column} \${first.help ?? ''}\` : ''
const text: string | null = expand(new Uint8Array(), { format: 'json' }).text
const document = parse('x')
const kind: 'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown' | undefined = document.steps[0]?.kind
const sent: string | null | undefined = document.step('1').llm?.sent?.[0]?.content
async function main() {
  const tape: Tape = await replay('run.yaml', { mode: 'strict' })
  const model: AiSdkModel = aiSdkModel(tape)
  const old: 'v2' = aiSdkModel(tape, { specificationVersion: 'v2' }).specificationVersion
  try { tape.assertComplete() } catch (error) {
    if (error instanceof TranscriptDivergence) console.log(error.step, error.nearest[0]?.reason, error.name)
    if (error instanceof TranscriptError) console.log(error.rendered)
  }
  return [model, old, tape.state(1).visible, tape.calls[0]?.outcome]
}
console.log(ok, place, text, kind, sent, main)
`

const names = 'TranscriptDivergence, TranscriptError, expand, parse, replay, validate'
const types = 'Diagnostic, Source, Tape, Validation'
const esm = usage(`import { ${names}, type ${types.replaceAll(', ', ', type ')} } from 'transcript-workbench'
import { aiSdkModel, type AiSdkModel } from 'transcript-workbench/ai-sdk'
import { init, initSync, validate as slimValidate } from 'transcript-workbench/slim'
void [init, initSync, slimValidate]`)
const cjs = usage(`import workbench = require('transcript-workbench')
import ai = require('transcript-workbench/ai-sdk')
const { ${names} } = workbench
const { aiSdkModel } = ai
${types.split(', ').map((name) => `type ${name} = workbench.${name}`).join('\n')}
type AiSdkModel = ai.AiSdkModel
type TranscriptDivergence = workbench.TranscriptDivergence`)

test('real use compiles in both kinds of module and for bundlers', () => {
  writeFileSync(join(folder, 'use.mts'), esm)
  writeFileSync(join(folder, 'use.cts'), cjs)
  for (const [file, ...flags] of [
    ['use.mts', '--module', 'nodenext'],
    ['use.cts', '--module', 'nodenext'],
    ['use.mts', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const { status, stdout } = tsc(file, ...flags)
    assert.equal(stdout, '', `${file} ${flags.join(' ')}`)
    assert.equal(status, 0)
  }
})

test('wrong use does not compile', () => {
  const wrong = [
    'validate(5)',
    "expand('', { format: 'xml' })",
    "validate('', { maxByte: 1 })",
    "replay('', { mode: 'loose' })",
    "const tape: Tape = replay('')",
    "new TranscriptDivergence()",
    "parse('').steps = []",
  ]
  const lines = wrong.map((line) => `// @ts-expect-error\n${line}`).join('\n')
  writeFileSync(join(folder, 'wrong.mts'), `import { ${names}, type Tape } from 'transcript-workbench'\n${lines}\nexport const used = [${names}]\n`)
  assert.equal(tsc('wrong.mts', '--module', 'nodenext').stdout, '')
})

test('every name that the types declare is exported, and none beside', async () => {
  for (const entry of ['transcript-workbench', 'transcript-workbench/slim', 'transcript-workbench/ai-sdk']) {
    const code = `import * as all from '${entry}'; console.log(Object.keys(all).sort().join(' '))`
    const run = ['--input-type=module', '--eval', code]
    const exported = execFileSync(process.execPath, run, { cwd: folder, encoding: 'utf8' }).trim().split(' ')
    const given = exported.map((name) => `all.${name}`).join(', ')
    const known = exported.map((name) => `'${name}'`).join(' | ')
    writeFileSync(join(folder, 'names.mts'), `import * as all from '${entry}'
      export const values = [${given}]
      export const none: Exclude<keyof typeof all, ${known}> extends never ? true : false = true\n`)
    assert.equal(tsc('names.mts', '--module', 'nodenext').stdout, '', entry)
  }
})

test('publint has nothing to say', () => {
  const { status, stdout, stderr } = spawnSync(tool('publint'), [tarball(), '--strict'], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /All good!/)
})

test('the types resolve for every kind of importer', () => {
  const flags = ['--profile', 'node16', '--exclude-entrypoints', 'core.wasm', '--no-emoji', '--format', 'ascii']
  const { status, stdout, stderr } = spawnSync(tool('attw'), [tarball(), ...flags], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  // Four entries, each imported and required.
  assert.equal(stdout.match(/^node16 \(from (?:CJS|ESM)\): OK/gm)?.length, 8, stdout)
})
