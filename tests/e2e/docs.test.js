// The documentation of the site: its search, its links that open an example, and how its pages look.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync, inflateRawSync } from 'node:zlib'
import { manifest } from '../../wasm-pkg/manifest.mjs'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const SITE = process.env.TRANSCRIPT_SITE ?? fileURLToPath(new URL('../../dist/site', import.meta.url))
const DOCS = fileURLToPath(new URL('../../public/docs', import.meta.url))
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const names = readdirSync(DOCS, { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replaceAll('\\', '/'))
/** The pages of the API reference, which have no source in `public/docs`. */
const reference = readdirSync(`${SITE}/docs/reference`).map((name) => `reference/${name.replace(/html$/, 'md')}`)
const pages = [...names, ...reference]
const htmlOf = (name) => readFileSync(`${SITE}/docs/${name.replace(/md$/, 'html')}`, 'utf8')
const unescape = (html) => html.replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name])
const index = () => {
  const [file] = readdirSync(SITE).filter((name) => /^docs-search-.*\.json$/.test(name))
  return readFileSync(`${SITE}/${file}`)
}

const field = (page) => page.getByRole('combobox', { name: 'Search the documentation' })
const results = (page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const chosen = (page) => page.getByRole('option', { selected: true })
const status = (page) => page.locator('search').getByRole('status')

journey(
  'the search is loaded when its field is first used, and leads to a section by keys',
  { fragment: 'docs/index.html' },
  async ({ page, url }) => {
    const requested = []
    page.on('request', (request) => {
      const file = request
        .url()
        .slice(url.length)
        .replace(/-[\da-f]{16}/, '')
      if (file !== 'favicon.svg') requested.push(file)
    })
    await page.goto(`${url}docs/compact.html`)
    await field(page).waitFor()
    assert.deepEqual(requested.splice(0).sort(), ['docs.css', 'docs.js', 'docs/compact.html'])
    await page.keyboard.press('/')
    await eventually(() => requested.sort(), ['docs-search.js', 'docs-search.json'])
    assert.equal(await field(page).inputValue(), '')
    await page.keyboard.type('unknown-ref')
    await results(page).first().waitFor()
    assert.match(await results(page).first().innerText(), /^T201: unknown-ref\s/)
    assert.equal(await chosen(page).count(), 0)
    await page.keyboard.press('ArrowUp')
    assert.equal(await chosen(page).innerText(), await results(page).last().innerText())
    await page.keyboard.press('ArrowDown')
    assert.equal(await chosen(page).innerText(), await results(page).first().innerText())
    assert.equal(await field(page).getAttribute('aria-activedescendant'), await chosen(page).getAttribute('id'))
    await page.keyboard.press('Escape')
    await eventually(() => results(page).count(), 0)
    assert.equal(await field(page).inputValue(), '')
    await page.keyboard.type('strategies')
    await results(page).first().waitFor()
    assert.match(await results(page).first().innerText(), /^Strategies Handlers\s/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}docs/handlers.html#strategies`)
    await page.getByRole('heading', { name: 'Strategies' }).waitFor()
  },
)

journey(
  'a result has its page, its heading and the words around its matches, as text alone',
  { fragment: 'docs/redaction.html' },
  async ({ page }) => {
    await field(page).fill('<secret-1>')
    await results(page).first().waitFor()
    assert.equal(await results(page).first().locator('mark').first().innerText(), '<secret-1>')
    assert.match(await results(page).first().locator('.search-excerpt').innerText(), /\S+ .*<secret-1>/)
    const query = '<img src=x onerror=alert(1)>'
    await field(page).fill(query)
    await eventually(() => status(page).innerText(), `Nothing found for “${query}”`)
    assert.equal(await page.locator('search img').count(), 0)
    await field(page).fill('placeholder')
    await results(page).first().waitFor()
    await page.keyboard.press('Tab')
    await eventually(() => results(page).count(), 0)
    assert.equal(await status(page).innerText(), '')
  },
)

journey('a search that does not come says so', { fragment: 'docs/compact.html' }, async ({ page, context }) => {
  await context.route(/docs-search.*json/, (route) => route.fulfill({ status: 200, body: 'not JSON' }))
  await page.keyboard.press('/')
  await eventually(() => status(page).innerText(), 'The search could not be loaded.')
})

journey(
  'without scripts a page of the documentation has no search field',
  { fragment: 'docs/compact.html', javaScriptEnabled: false },
  async ({ page }) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.locator('search').isVisible(), false)
  },
)

journey('an example opens in the workbench', { fragment: 'docs/handlers.html' }, async (bench) => {
  const { page, url } = bench
  const block = await page.locator('pre').first().innerText()
  await page.getByRole('link', { name: 'Try it in the workbench' }).first().click()
  await page.waitForURL((address) => address.href.startsWith(`${url}index.html#/handlers?d=z1:`))
  await page.getByText('This is a shared copy').waitFor()
  assert.equal((await bench.text()).trimEnd(), block.trimEnd())
  await page.locator('.bar-document h1', { hasText: 'handlers.yaml' }).waitFor()
  await page.goto(`${url}docs/diagnostics/T201.html`)
  await page.getByRole('link', { name: 'Try it in the workbench' }).first().click()
  await bench.problems.getByRole('link', { name: 'T201' }).waitFor()
})

test('every example that is a whole document has a link with that very text, and no other block has one', () => {
  let count = 0
  for (const name of names) {
    for (const [, language, code, address] of htmlOf(name).matchAll(
      /<code class="language-(\w*)">([^<]*)<\/code><\/pre>\n(?:<p class="try"><a href="([^"]+)">)?/g,
    )) {
      const isData = ['yaml', 'json', 'jsonl'].includes(language)
      if (isData && name.startsWith('diagnostics/')) assert.ok(address, `${name} has an example without a link`)
      if (!address) continue
      assert.ok(isData, `${name} has a link for a block in ${language}`)
      const [, up, payload] = /^((?:\.\.\/)+)index\.html#\/(?:edit|handlers|agents)\?d=z1:([\w-]+)$/.exec(address)
      assert.equal(up.length / 3, name.split('/').length)
      const link = inflateRawSync(Buffer.from(payload, 'base64url')).toString()
      const text = link.slice(link.indexOf('\n') + 1)
      assert.equal(text, unescape(code))
      const [, kind, length] = /^([yjl])([\da-z]+)\.[\da-z]+ \S+\n/.exec(link)
      assert.deepEqual([kind, Number.parseInt(length, 36)], [{ yaml: 'y', json: 'j', jsonl: 'l' }[language], Buffer.byteLength(text)])
      count += 1
    }
  }
  assert.ok(count > 200, `${count} links`)
  // A document, handlers and a log of events; part of a document and the settings of an editor.
  const linked = (name) => htmlOf(name).split('class="try"').length - 1
  assert.ok(linked('compact.md') >= 2 && linked('handlers.md') >= 6)
  assert.match(htmlOf('record-replay-spec.md'), /class="try"><a href="\.\.\/index\.html#\/agents\?/)
  assert.equal(linked('time-travel.md'), 0)
})

test('every link of a page to another leads to its heading', () => {
  const anchors = new Map(
    pages.map((name) => [name.replace(/md$/, 'html'), [...htmlOf(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
  )
  for (const [file, ids] of anchors) {
    assert.equal(new Set(ids).size, ids.length, `${file} has an id twice`)
    for (const [, address] of htmlOf(file).matchAll(/<a href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(unescape(address), `http://site/docs/${file}`)
      if (origin !== 'http://site' || pathname === '/index.html') continue
      const found = anchors.get(pathname.slice('/docs/'.length))
      assert.ok(found, `${file} links to ${address}`)
      if (hash) assert.ok(found.includes(decodeURIComponent(hash.slice(1))), `${file} links to ${address}`)
    }
  }
})

test('the search knows every page and heading, and stays small', () => {
  const bytes = index()
  assert.ok(gzipSync(bytes).length < 130_000, `${gzipSync(bytes).length} bytes`)
  const { pages: indexed, sections } = JSON.parse(bytes)
  assert.deepEqual(
    indexed.map(([file]) => file).sort(),
    pages
      .filter((name) => name !== 'index.md')
      .map((name) => name.replace(/md$/, 'html'))
      .sort(),
  )
  for (const [at, anchor, heading] of sections) {
    const html = htmlOf(indexed[at][0])
    if (anchor) assert.ok(html.includes(`id="${anchor}"><a href="#${anchor}">`), `${indexed[at][0]} has no heading ${heading}`)
  }
  assert.ok(sections.some(([at, , heading]) => indexed[at][0] === 'handlers.html' && heading === 'Strategies'))
})

journey('the list of all pages leads to each of them, grouped by task', { fragment: 'docs/index.html' }, async ({ page, url }) => {
  const [listed, beside] = await page.evaluate(() =>
    ['main li a', 'nav li a'].map((selector) => [...document.querySelectorAll(selector)].map(({ href }) => href).sort()),
  )
  const all = pages.filter((name) => !name.startsWith('diagnostics/') && name !== 'index.md')
  assert.deepEqual(listed, all.map((name) => `${url}docs/${name.replace(/md$/, 'html')}`).sort())
  assert.deepEqual(beside, listed)
  for (const group of ['Write a transcript', 'Test an agent', 'Reference', 'Package reference'])
    await page.getByRole('heading', { level: 2, name: group, exact: true }).waitFor()
})

journey(
  'the API reference opens from the list of all pages, and the search finds an export in it',
  { fragment: 'docs/index.html' },
  async ({ page, url }) => {
    await page.locator('main').getByRole('link', { name: 'transcript-workbench/fetch' }).click()
    await page.waitForURL(`${url}docs/reference/fetch.html`)
    await page.getByRole('heading', { level: 1, name: 'transcript-workbench/fetch' }).waitFor()
    assert.equal(await page.locator('nav [aria-current=page]').innerText(), 'transcript-workbench/fetch')
    await page.locator('#replayfetch + pre').getByRole('link', { name: 'ReplaySource' }).first().click()
    await page.waitForURL(/#replaysource$/)
    await field(page).fill('replayFetch')
    await results(page).first().waitFor()
    assert.match(await results(page).first().innerText(), /^replayFetch transcript-workbench\/fetch\s/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/reference\/fetch\.html#replayfetch$/)
    await page.getByRole('link', { name: 'guide' }).click()
    await page.waitForURL(`${url}docs/fetch.html`)
    await page.locator('main').getByRole('link', { name: 'transcript-workbench/fetch' }).first().click()
    await page.waitForURL(`${url}docs/reference/fetch.html`)
  },
)

test('every entry point with types has a page, and every export a description', () => {
  const paths = Object.entries(manifest('1').exports).filter(([, target]) => JSON.stringify(target).includes('"types"'))
  const titles = reference.map((name) => /<h1[^>]*>([^<]*)/.exec(htmlOf(name))[1])
  assert.deepEqual(titles.sort(), paths.map(([path]) => `transcript-workbench${path.slice(1)}`).sort())
  const { pages: indexed, sections } = JSON.parse(index())
  const described = new Set(sections.map(([at, anchor]) => `${indexed[at][0]}#${anchor}`))
  let count = 0
  for (const name of reference) {
    for (const [, anchor] of htmlOf(name).matchAll(/<h3 id="([^"]+)"/g)) {
      count += 1
      assert.ok(described.has(`${name.replace(/md$/, 'html')}#${anchor}`), `${name} says nothing about ${anchor}`)
    }
  }
  assert.ok(count > 250, `${count} exports`)
})

for (const [what, options] of [
  ['in light', { colorScheme: 'light' }],
  ['in dark', { colorScheme: 'dark' }],
  ['on a phone', PHONE],
]) {
  journey(
    `axe finds nothing in the documentation ${what}, and nothing sticks out`,
    { ...options, fragment: 'docs/index.html' },
    async ({ page, url }) => {
      for (const name of ['index', 'handlers', 'keys', 'cli', 'diagnostics/T201', 'reference/fetch', 'reference/worker']) {
        await page.goto(`${url}docs/${name}.html`)
        assert.deepEqual(await complaints(page), [], name)
        const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
        assert.equal(width, window, name)
      }
      await field(page).fill('replay')
      await results(page).first().waitFor()
      assert.deepEqual(await complaints(page), [])
    },
  )
}

journey(
  'a page has the palette of the workbench, and a link past its navigation',
  { fragment: '#/gallery', colorScheme: 'light' },
  async ({ page, url }) => {
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    await page.evaluate(() => localStorage.setItem('transcript-workbench.theme', 'dark'))
    await page.goto(`${url}docs/compact.html`)
    await eventually(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(18, 22, 27)')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    assert.ok((await skip.boundingBox()).x >= 0)
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate(() => document.activeElement.id), 'content')
    await page.getByRole('heading', { level: 2 }).first().getByRole('link').click()
    await page.waitForURL(/#strings$/)
  },
)
