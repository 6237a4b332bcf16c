// Every fixture of tests/suite through the packed package, in Node and in a browser: the same bytes as natively.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { launch, serve } from '../support/browser.mjs'
import { fixtures, outcome, readFixture } from '../support/fixtures.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const workbench = await load(folder, 'transcript-workbench')
const all = fixtures()

const page = `<!doctype html><meta charset="utf-8"><title>fixtures</title><script type="module">
import * as workbench from '/node_modules/transcript-workbench/dist/index.inline.js'
window.run = (fixture) => (${outcome})(workbench, fixture)
</script>`

let browser
let server
let inBrowser

before(async () => {
  server = await serve(folder, { '/fixtures.html': page })
  browser = await launch(chromium)
  const tab = await browser.newPage()
  await tab.goto(`${server.origin}/fixtures.html`)
  await tab.waitForFunction(() => window.run !== undefined)
  inBrowser = await tab.evaluate((args) => args.map((fixture) => window.run(fixture)), all)
})

after(async () => {
  await browser?.close()
  server?.close()
})

test('there are fixtures, and they are read as their folder says', () => {
  assert.ok(all.length >= 40, `${all.length} fixtures`)
  for (const section of ['expand', 'format', 'compact']) {
    assert.ok(
      all.some(({ expected }) => section in expected),
      section,
    )
  }
  assert.deepEqual(readFixture('==== input a.yaml\nx: 1\n\n==== end\n==== diagnostics\nd\n\n==== expand\ne\n'), {
    file: 'a.yaml',
    input: 'x: 1',
    expected: { diagnostics: 'd\n\n', expand: 'e\n' },
  })
})

all.forEach((fixture, at) => {
  test(`${fixture.name}, in Node`, () => {
    assert.deepEqual(outcome(workbench, fixture), fixture.expected)
  })
  test(`${fixture.name}, in a browser`, () => {
    assert.deepEqual(inBrowser[at], fixture.expected)
  })
})
