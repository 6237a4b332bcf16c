// The first five minutes of the README: its commands and files, in an empty folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf } from '../support/page.mjs'
import { tarball } from '../support/tarball.mjs'

const folder = mkdtempSync(join(tmpdir(), 'transcript-minutes-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const [commands] = blocksOf('README', 'Five minutes', 'sh')
const [transcript] = blocksOf('README', 'Five minutes', 'yaml')
const [agent, program] = blocksOf('README', 'Five minutes', 'js')
const [failure] = blocksOf('README', 'Five minutes', 'text')

const environment = { ...process.env, NO_COLOR: '1' }
delete environment.OPENAI_API_KEY
// This program is a test itself; another one would use its variables.
delete environment.NODE_TEST_CONTEXT

const shell = (line) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8', env: environment })
  return { status, out: `${stdout}${stderr}` }
}

const succeeds = (line) => {
  const { status, out } = shell(line)
  assert.equal(status, 0, `${line}\n${out}`)
  return out
}

test('the steps run as they are reported, without a key', () => {
  for (const line of commands.trim().split('\n')) {
    // What is not published yet is installed from the file that will be; nothing else needs a registry.
    succeeds(line.replace('transcript-workbench', `--offline --no-audit --no-fund ${tarball()}`))
  }
  writeFileSync(join(folder, 'weather.yaml'), transcript)
  writeFileSync(join(folder, 'agent.mjs'), agent)
  writeFileSync(join(folder, 'agent.test.mjs'), program)
  assert.match(succeeds('npx transcript test weather.yaml'), /2 of 2 tests passed/)
  assert.match(succeeds('node --test'), /pass 1\n/)
})

test('an agent that drifts fails with the words of the README', () => {
  const drifting = agent.replace("condition: 'sunny'", "condition: 'cloudy'")
  assert.notEqual(drifting, agent)
  writeFileSync(join(folder, 'agent.mjs'), drifting)
  const { status, out } = shell('node --test')
  assert.equal(status, 1)
  assert.match(out, /fail 1\n/)
  for (const line of failure.trimEnd().split('\n')) assert.ok(out.includes(line.trim()), `${line}\n${out}`)
})

test('a question that drifts fails at the first step', () => {
  writeFileSync(join(folder, 'agent.mjs'), agent)
  writeFileSync(join(folder, 'agent.test.mjs'), program.replace('NYC?', 'Rome?'))
  const { status, out } = shell('node --test')
  assert.equal(status, 1)
  assert.match(out, /weather\.yaml: step 1: the request differs from the recording/)
  assert.match(out, /expected: "What's the weather in NYC\?"\s+actual: +"What's the weather in Rome\?"/)
})
