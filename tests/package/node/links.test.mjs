// The links of the README and of the pages in the package: each leads to a file of the package, and to a heading in it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { install, repository } from '../support/tarball.mjs'

/** The text without its blocks and spans of code, in which brackets are no links. */
const prose = (text) => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '')

const linksIn = (text) => [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)

/** The names of the headings, as GitHub makes them. */
const headings = (text) =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** What is wrong with the links of the pages in `folder`. */
const broken = (folder, pages) =>
  pages.flatMap((page) =>
    linksIn(readFileSync(join(folder, page), 'utf8')).flatMap((target) => {
      if (/^https?:/.test(target)) return []
      const [name, anchor] = target.split('#')
      const path = name === '' ? join(folder, page) : join(folder, dirname(page), name)
      const report = `${page}: ${target}`
      if (relative(folder, path).startsWith('..') || !existsSync(path)) return [report]
      if (anchor === undefined || statSync(path).isDirectory()) return []
      return headings(readFileSync(path, 'utf8')).includes(anchor) ? [] : [report]
    }),
  )

test('every link in the package leads somewhere', () => {
  const folder = join(install(), 'node_modules/transcript-workbench')
  const docs = readdirSync(join(folder, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
  assert.ok(docs.length > 100)
  assert.deepEqual(broken(folder, ['README.md', ...docs]), [])
  assert.ok(linksIn(readFileSync(join(folder, 'README.md'), 'utf8')).length > 5)
})

test('every link in the README of the repository leads somewhere', () => {
  assert.deepEqual(broken(repository, ['README.md']), [])
})

test('a link that leads nowhere is found, and code is none', () => {
  assert.deepEqual(linksIn('[a](b.md#c) `[x](y)`\n```js\n[x](y)\n```\n[d](e)'), ['b.md#c', 'e'])
  assert.deepEqual(headings('# The `a b`, and c\n## D_e-f\n```\n# no\n```\n'), ['the-a-b-and-c', 'd_e-f'])
})
