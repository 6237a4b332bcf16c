// The example of the README in the real Vitest, with the agent of its first five minutes.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../support/page.mjs'
import { weather } from '../support/readme.mjs'
import { project } from '../support/runners.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const { write, read, run } = project(modules, ['vitest', 'vite', 'node', '@vitest'], { type: 'module' })
const vitest = () => run(join(modules, '.bin/node'), [join(modules, 'vitest/vitest.mjs'), 'run'])

const [program, ...more] = blocksOf('README', 'Vitest', 'js')
write('weather.yaml', weather())
write('agent.mjs', blocksOf('README', 'Five minutes', 'js')[0])

test('the example runs', () => {
  assert.deepEqual(more, [])
  write('agent.test.js', program)
  const { status, out } = vitest()
  assert.equal(status, 0, out)
  assert.match(out, /1 passed/)
  assert.equal(read('weather.yaml'), weather())
})

test('it fails when the question drifts', () => {
  write('agent.test.js', program.replace('NYC?', 'Rome?'))
  const { status, out } = vitest()
  assert.equal(status, 1)
  assert.match(out, /weather\.yaml: step 1: the request differs from the recording/)
  assert.match(out, /actual: +"What's the weather in Rome\?"/)
})
