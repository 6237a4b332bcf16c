import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { eventually, journey } from './harness.js'

const FULL = '#/edit?d=ex:weather_query_with_tools&s=t1'

journey('a broken reference is a problem with its place, and goes when it is mended', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await page.getByText('No problems').waitFor()
  await bench.typeOver('ref: msg_002', 'ref: msg_009')
  // What is only half typed has problems of its own.
  await bench.problems.getByRole('row', { name: /unknown message `msg_009`/ }).waitFor()
  const problem = bench.problems.getByRole('row')
  const lines = (await bench.text()).split('\n')
  const line = lines.findIndex((text) => text.includes('ref: msg_009')) + 1
  const column = lines[line - 1].indexOf('msg_009') + 1
  assert.match(await problem.innerText(), new RegExp(`Error\\s+${line}:${column}\\s+unknown message`))
  await page.getByRole('button', { name: `Error in line ${line}` }).waitFor()
  await page.getByRole('button', { name: '1 error' }).waitFor()

  // Away, and back by F8.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await eventually(() => bench.caret(), { focused: true, line, selected: 'msg_009' })
  await page.keyboard.type('msg_002')
  await page.getByText('No problems').waitFor()
  assert.equal(await problem.count(), 0)
})

journey('a fix is offered, applied, and undone by Ctrl+Z', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const before = await bench.text()
  await bench.typeOver('ref: msg_002', 'ref: msg_009')
  const broken = await bench.text()
  await page.getByRole('button', { name: /^Fix: .*msg_002/ }).click()
  await eventually(() => bench.text(), before)
  await page.getByText('No problems').waitFor()
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), broken)
  await bench.problems.getByRole('row').waitFor()
  // The same from the keyboard, at the caret.
  await page.keyboard.press('Control+.')
  await page.getByRole('dialog', { name: 'Fixes' }).waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => bench.text(), before)
  await page.getByText('No problems').waitFor()
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), broken)
  await bench.problems.getByRole('row').waitFor()
})

journey(
  'all safe fixes are applied at once, and taken back at once',
  { fragment: '#/edit?d=ex:weather_query_with_tools' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const apply = page.getByRole('button', { name: /^Apply \d+ safe fix/ })
    assert.equal(await apply.isVisible(), false)
    await bench.typeOver('version: "1.0"', 'version: 1.0')
    await page.getByRole('button', { name: 'Apply 1 safe fix', exact: true }).waitFor()
    await bench.typeOver('ref: msg_002', 'ref: msg_009')
    await eventually(() => bench.problems.getByRole('row').count(), 2)
    const broken = await bench.text()
    await apply.click()
    // The guess is left to the author.
    await eventually(() => bench.text(), broken.replace('version: 1.0', 'version: "1.0"'))
    await eventually(() => bench.problems.getByRole('row').count(), 1)
    await apply.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), broken)
    await apply.waitFor()
  },
)

journey('the code of a problem leads to its page', { fragment: FULL }, async (bench) => {
  const { context } = bench
  await bench.selected.waitFor()
  await bench.typeOver('ref: msg_002', 'ref: msg_009')
  const link = bench.problems.getByRole('link', { name: /T201/ })
  await link.waitFor()
  const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
  await opened.getByRole('heading', { level: 1, name: /T201/ }).waitFor()
  assert.equal(await opened.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
  await bench.selected.waitFor()
})

journey('every code has its page next to the workbench, without an inline script', {}, async (bench) => {
  const pages = readdirSync(new URL('../../public/docs/diagnostics/', import.meta.url))
  assert.ok(pages.length > 60, `${pages.length} pages`)
  for (const name of pages) {
    const address = new URL(`docs/diagnostics/${name.replace(/md$/, 'html')}`, bench.url)
    const answer = await bench.page.request.get(address.href)
    assert.equal(answer.status(), 200, address.pathname)
    const html = await answer.text()
    assert.match(html, new RegExp(`<h1[^>]*>${name.slice(0, 4)}`))
    assert.deepEqual(
      html.match(/<script[^]*?<\/script>/gi).map((script) => script.replace(/-[\da-f]{16}/, '')),
      ['<script src="../../docs.js"></script>'],
    )
    assert.doesNotMatch(html, /\son\w+=|javascript:/i)
  }
})

journey('a syntax error keeps the last good view and says so', { fragment: '#/edit?d=ex:weather_query&s=t2' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await bench.typeOver('"tool:weather', 'tool:weather')
  const stale = page.getByText(/^Showing the last readable version, from \d\d:\d\d:\d\d: line \d+ does not parse\.$/).first()
  await stale.waitFor()
  assert.match(await bench.selected.innerText(), /Tool call/)
  assert.equal(await bench.steps.getByRole('option').count(), 4)
  assert.match(await bench.problems.getByRole('row').first().innerText(), /^Error\s+\d+:\d+/)
  // The browser decides how many keystrokes one undo takes back.
  for (let times = 0; times < 20 && !(await bench.text()).includes('"tool:weather'); times += 1) {
    await page.keyboard.press('Control+z')
  }
  await stale.waitFor({ state: 'hidden' })
})

journey('F8 goes round all problems and Shift+F8 back', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await bench.typeOver('ref: msg_001', 'ref: msg_801')
  await bench.typeOver('ref: msg_002', 'ref: msg_802')
  await eventually(() => bench.problems.getByRole('row').count(), 2)
  await page.keyboard.press('Control+Home')
  const caretOn = (selected) => eventually(async () => (await bench.caret()).selected, selected)
  await page.keyboard.press('F8')
  await caretOn('msg_801')
  await page.keyboard.press('F8')
  await caretOn('msg_802')
  await page.keyboard.press('F8')
  await caretOn('msg_801')
  await page.keyboard.press('Shift+F8')
  await caretOn('msg_802')
})

journey('a problem far to the right comes into sight', { fragment: FULL }, async (bench) => {
  await bench.selected.waitFor()
  await bench.typeOver('      - ref: msg_001', `      - {content: "${'wide '.repeat(60)}", ref: msg_801}`)
  await bench.problems.getByRole('row').first().waitFor()
  await bench.page.keyboard.press('Control+Home')
  await bench.scroller.evaluate((frame) => frame.scrollTo(0, 0))
  await bench.page.keyboard.press('F8')
  await eventually(async () => (await bench.caret()).selected, 'msg_801')
  await eventually(() => bench.scroller.evaluate((frame) => frame.scrollLeft > 500), true)
})

journey(
  'an edited example becomes a document of this device; the example stays as it was',
  { fragment: '#/edit?d=ex:weather_query&s=t3' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const example = await bench.text()
    await bench.typeOver('72°F', '71°F')
    await page.waitForURL(/#\/edit\?d=l:[0-9A-HJKMNP-TV-Z]{26}&s=t3$/)
    await bench.selected.filter({ hasText: '71°F' }).waitFor()
    await page.getByText(/^Saved on this device/).waitFor()
    const edited = await bench.text()

    await page.reload()
    await bench.selected.waitFor()
    assert.equal(await bench.text(), edited)
    assert.match(await bench.selected.innerText(), /Turn 3/)

    await page.keyboard.press('v')
    await page.keyboard.press('g')
    await page.getByRole('heading', { name: /^Recent/ }).waitFor()
    await page.getByRole('link', { name: /^weather_query A/ }).click()
    await bench.selected.waitFor()
    assert.equal(await bench.text(), example)

    await page.keyboard.press('v')
    await page.keyboard.press('g')
    await page.getByRole('link', { name: /^weather_query\.yaml/ }).click()
    await eventually(() => bench.text(), edited)
  },
)

journey('what was typed survives a tab that crashes at once', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  await bench.selected.waitFor()
  await bench.typeOver('You are helpful', 'You are')
  await bench.page.waitForURL(/d=l:/)
  // The first text creates the database, which takes the browser as long as the disk needs.
  await bench.page.getByText(/Saved on this device/).waitFor()
  await bench.page.keyboard.type(' terse')
  const fragment = bench.fragment()
  const wire = await bench.context.newCDPSession(bench.page)
  // The answer never comes, since the page is gone.
  wire.send('Page.crash').catch(() => {})
  await bench.page.waitForEvent('crash')
  const again = await bench.reopened(fragment)
  await again.selected.waitFor()
  assert.match(await again.text(), /system: You are terse/)
})

journey('a document is started blank, removed only after a second press', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('button', { name: /^Start blank/ }).click()
  await page.getByText('No steps yet').waitFor()
  assert.ok((await bench.caret()).focused)
  await page.keyboard.type("messages: ['user: Hi', 'assistant: Hello!']")
  await eventually(() => bench.steps.getByRole('option').count(), 2)
  await page.goBack()
  const row = page.getByRole('link', { name: /^untitled\.yaml/ })
  await row.waitFor()
  await page.getByRole('button', { name: 'Remove untitled.yaml from this device' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await row.count(), 1)
  await page.getByRole('button', { name: 'Remove untitled.yaml from this device' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await row.waitFor({ state: 'detached' })
})

journey('two tabs on one document keep both texts', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.source.waitFor()
  await bench.settled()
  await bench.source.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# one\n')
  await page.getByText(/Saved on this device/).waitFor()
  const address = new URL(page.url()).hash
  const other = await bench.reopened(address)
  await eventually(() => other.text().then((text) => text.startsWith('# one\n')), true)
  await other.source.focus()
  await other.page.keyboard.press('Control+Home')
  await other.page.keyboard.type('# two\n')
  await page.getByText('changed in another tab').waitFor()
  await bench.source.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# three\n')
  await eventually(() => new URL(page.url()).hash !== address, true)
  await page.getByText(/Saved on this device/).waitFor()
  const first = await bench.reopened(address)
  await eventually(() => first.text().then((text) => text.startsWith('# two\n# one\n')), true)
  const second = await bench.reopened(new URL(page.url()).hash)
  await eventually(() => second.text().then((text) => text.startsWith('# three\n# one\n')), true)
})
