// The examples of the page about MCP, run unchanged.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksOf, runProgram } from '../support/page.mjs'

test('the example of the page about MCP runs', () => {
  const programs = blocksOf('mcp', undefined, 'js')
  assert.equal(programs.length, 1)
  assert.ok(programs[0].includes('assert.'))
  const home = dirname(fileURLToPath(import.meta.url))
  runProgram(programs[0], { home, packages: ['@modelcontextprotocol', 'zod'] })
})
