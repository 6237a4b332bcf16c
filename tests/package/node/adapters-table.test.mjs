// The tables of `tests/package/ADAPTERS.md` name tests; each of them is there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CASES } from '../support/matrix.mjs'
import { repository } from '../support/tarball.mjs'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const page = readFileSync(join(repository, 'tests/package/ADAPTERS.md'), 'utf8')

/** The rows of the table below a heading, as lists of cells, the head first. */
const tableOf = (heading) => {
  const [, section] = page.split(`\n## ${heading}\n`)
  const lines = section
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return lines
    .filter((_, at) => at !== 1)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

const read = (file) => {
  assert.ok(existsSync(join(folder, file)), file)
  return readFileSync(join(folder, file), 'utf8')
}

/** Whether a file has a test of this name. A name may be a template: then the file has its fixed part. */
const hasTest = (file, name) => {
  const source = [...read(file).matchAll(/^\s*test\((?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/gm)].map(
    ([, plain, template]) => plain ?? template,
  )
  const isIt = (pattern) =>
    new RegExp(
      `^${pattern
        .split(/\$\{[^}]*\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.+')}$`,
    ).test(name)
  return source.some(isIt)
}

test('every cell of the table of adapters names a test that there is', () => {
  const [head, ...all] = tableOf('Cases')
  assert.deepEqual(head.slice(2), CASES)
  const [mcp] = all.filter(([adapter]) => adapter === 'MCP')
  const [, file, ...named] = mcp
  for (const [at, cell] of named.entries()) {
    // It has no model that would stream, or have a schema.
    if (['stream', 'structured output', 'handlers'].includes(CASES[at])) assert.equal(cell, '—')
    else assert.ok(hasTest(file.replaceAll('`', ''), cell.replaceAll('`', '')), cell)
  }
  const rows = all.filter((row) => row !== mcp)
  assert.equal(new Set(rows.map(([adapter]) => adapter)).size, rows.length)
  assert.ok(rows.length >= 10)
  for (const [adapter, file, ...cells] of rows) {
    assert.deepEqual(
      cells,
      CASES.map((name) => `\`${adapter}: ${name}\``),
    )
    // A long call has its arguments on lines of their own.
    const text = read(file.replaceAll('`', '')).replace(/\(\s+/g, '(')
    const named = [`adapter: '${adapter}'`, `suite('${adapter}'`, `matrixOf('${adapter}'`]
    assert.ok(
      named.some((words) => text.includes(words)),
      `${adapter} in ${file}`,
    )
  }
})

test('every trap in the table names tests that there are', () => {
  const [, ...rows] = tableOf('Traps')
  assert.ok(rows.length >= 9)
  for (const [trap, named] of rows) {
    const tests = [...named.matchAll(/`([^`]+\.test\.mjs)`: "([^"]+)"/g)]
    assert.ok(tests.length > 0, trap)
    for (const [, file, name] of tests) {
      assert.ok(hasTest(file, name), `${file}: "${name}"`)
    }
  }
})
