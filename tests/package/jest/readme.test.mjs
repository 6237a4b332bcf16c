// The example of the README in the real Jest, with the agent of its first five minutes.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksOf, pageText } from '../support/page.mjs'
import { weather } from '../support/readme.mjs'
import { project } from '../support/runners.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const [, setting] = /Add `("setupFilesAfterEnv": \[.*?\])` to your Jest config/.exec(pageText('README'))
const jestSettings = { testEnvironment: 'node', transform: {}, watchman: false, ...JSON.parse(`{${setting}}`) }
const { write, run } = project(modules, [], { jest: jestSettings })
const jest = () => run(process.execPath, [join(modules, 'jest/bin/jest.js')])

const [program, ...more] = blocksOf('README', 'Jest', 'js')
write('weather.yaml', weather())
// The agent as Jest reads it without a transform.
write('agent.cjs', blocksOf('README', 'Five minutes', 'js')[0].replace('export const ask', 'const ask = exports.ask'))

test('the example runs', () => {
  assert.deepEqual(more, [])
  write('agent.test.js', program)
  const { status, out } = jest()
  assert.equal(status, 0, out)
  assert.match(out, /1 passed/)
})

test('it fails when the question drifts', () => {
  write('agent.test.js', program.replace('NYC?', 'Rome?'))
  const { status, out } = jest()
  assert.equal(status, 1)
  assert.match(out, /weather\.yaml: step 1: the request differs from the recording/)
  assert.match(out, /actual: +"What's the weather in Rome\?"/)
})
