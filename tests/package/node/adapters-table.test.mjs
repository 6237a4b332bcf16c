// The tables of the page about adapters name tests; each of them is there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CASES } from '../support/matrix.mjs'
import { repository } from '../support/tarball.mjs'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const page = readFileSync(join(repository, 'public/docs/adapters.md'), 'utf8')

/** The rows of the table below a heading, as lists of cells, the head first. */
const tableOf = (heading) => {
  const [, section] = page.split(`\n## ${heading}\n`)
  const lines = section.split('\n## ')[0].split('\n').filter((line) => line.startsWith('|'))
  return lines.filter((_, at) => at !== 1).map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim()))
}

const read = (file) => {
  assert.ok(existsSync(join(folder, file)), file)
  return readFileSync(join(folder, file), 'utf8')
}

test('every cell of the table of adapters names a test that there is', () => {
  const [head, ...rows] = tableOf('What is tested')
  assert.deepEqual(head.slice(2), CASES)
  assert.equal(new Set(rows.map(([adapter]) => adapter)).size, rows.length)
  assert.ok(rows.length >= 10)
  for (const [adapter, file, ...cells] of rows) {
    assert.deepEqual(cells, CASES.map((name) => `\`${adapter}: ${name}\``))
    const text = read(file.replaceAll('`', ''))
    assert.ok(text.includes(`adapter: '${adapter}'`) || text.includes(`suite('${adapter}'`), `${adapter} in ${file}`)
  }
})

test('every trap in the table names tests that there are', () => {
  const [, ...rows] = tableOf('Traps')
  assert.ok(rows.length >= 9)
  for (const [trap, named] of rows) {
    const tests = [...named.matchAll(/`([^`]+\.test\.mjs)`: "([^"]+)"/g)]
    assert.ok(tests.length > 0, trap)
    for (const [, file, name] of tests) {
      // A name may be made of the name of a way: what is fixed of it stands in the file.
      const text = read(file)
      const source = [...text.matchAll(/^\s*test\((?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/gm)].map(([, plain, template]) => plain ?? template)
      const isIt = (pattern) => new RegExp(`^${pattern.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`).test(name)
      assert.ok(source.some(isIt), `${file}: "${name}"`)
    }
  }
})
