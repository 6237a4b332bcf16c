// The programs of the page about coming from other mocks: those before as those after.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, runProgram } from './page.mjs'

/** Tests the programs of the section about a framework; there are two of them, before and after. */
export const testMigration = (section, args) => {
  const [weather] = blocksOf('migrate', 'Step by step', 'yaml')
  const [before, after, ...more] = blocksOf('migrate', section, 'js')
  test(`the double of before runs, whatever the prompt: ${section}`, () => {
    assert.deepEqual(more, [])
    assert.ok(before.includes('Whatever is asked') && before.includes('assert.'))
    assert.doesNotMatch(before, /transcript-workbench/)
    runProgram(before, args)
  })
  test(`the tape of after runs: ${section}`, () => {
    assert.match(after, /transcript-workbench[^]*assert/)
    runProgram(after, { ...args, files: { 'weather.yaml': weather } })
  })
}
