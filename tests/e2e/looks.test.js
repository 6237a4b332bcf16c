import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const LIGHT = 'rgb(255, 255, 255)'
const DARK = 'rgb(18, 22, 27)'

journey('the palette follows the system until one is chosen, which a reload keeps', { colorScheme: 'dark' }, async ({ page }) => {
  const theme = page.getByRole('button', { name: /^Theme/ })
  await theme.waitFor()
  assert.equal(await background(page), DARK)
  await theme.click()
  await page.getByRole('button', { name: 'Theme: light' }).waitFor()
  await eventually(() => background(page), LIGHT)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: light' }).waitFor()
  assert.equal(await background(page), LIGHT)
  await page.emulateMedia({ colorScheme: 'light' })
  await theme.click()
  await eventually(() => background(page), DARK)
})

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const fits = (page) => eventually(() => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]), [390, 390])
/** What can be tapped and is lower than a finger needs. */
const small = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, a[href]')]
      .filter((element) => element.checkVisibility() && !element.matches('.gutter-mark'))
      .map((element) => ({ name: element.textContent || element.ariaLabel, height: element.getBoundingClientRect().height }))
      .filter(({ height }) => height > 0 && height < 44),
  )

journey('on a phone there is one pane at a time, nothing sticks out, and targets are large', phone, async (bench) => {
  const { page } = bench
  await page.getByRole('link', { name: 'context_management' }).waitFor()
  await fits(page)
  await page.getByRole('link', { name: 'context_management' }).tap()
  await page.getByRole('listbox', { name: 'Messages and turns' }).waitFor()
  await fits(page)
  await bench.asText()
  await fits(page)
  const tabs = page.getByRole('navigation', { name: 'Panes' })
  for (const name of ['Steps', 'Inspect', 'Problems', 'Source']) {
    await tabs.getByRole('button', { name }).tap()
    await fits(page)
    await eventually(() => page.locator('section.pane:visible').count(), 1)
    await eventually(() => small(page), [])
  }
  await tabs.getByRole('button', { name: 'Steps' }).tap()
  await page
    .getByRole('button', { name: /^Next step/ })
    .first()
    .tap()
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
})

journey(
  'on a phone a problem leads to its place in the source',
  { ...phone, fragment: '#/edit?d=ex:weather_query_with_tools' },
  async (bench) => {
    const { page } = bench
    await bench.asText()
    await bench.typeOver('ref: msg_001', 'ref: msg_801')
    const tabs = page.getByRole('navigation', { name: 'Panes' })
    await tabs.getByRole('button', { name: 'Problems 1' }).tap()
    await bench.problems.getByText('unknown message').tap()
    await bench.source.waitFor()
    await eventually(async () => (await bench.caret()).selected, 'msg_801')
    await eventually(async () => (await bench.caret()).focused, true)
  },
)

journey(
  'at twice the text size nothing sticks out of the page',
  { viewport: { width: 720, height: 450 }, fragment: '#/edit?d=ex:error_handling&s=t3' },
  async (bench) => {
    await bench.source.waitFor()
    const [wide, window] = await bench.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    assert.equal(wide, window)
  },
)

journey('the page has text before any script has run', { javaScriptEnabled: false }, async ({ page }) => {
  await page.getByRole('heading', { name: 'Write, check and replay an agent run. Nothing leaves this page.' }).waitFor()
  // No script knows which language is requested.
  const report = await page.locator('noscript').innerHTML()
  assert.match(report, /needs JavaScript and WebAssembly/)
  assert.match(report, /braucht JavaScript und WebAssembly/)
})
