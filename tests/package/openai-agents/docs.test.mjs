// The example of the page about adapters, run unchanged.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksOf, runProgram } from '../support/page.mjs'

test('the example of the page about adapters runs', () => {
  const [weather] = blocksOf('adapters', undefined, 'yaml')
  const programs = blocksOf('adapters', 'OpenAI Agents SDK', 'js')
  assert.equal(programs.length, 1)
  assert.ok(programs[0].includes('assert.'))
  const home = dirname(fileURLToPath(import.meta.url))
  runProgram(programs[0], { files: { 'weather.yaml': weather }, home, packages: ['@openai', 'zod'] })
})
