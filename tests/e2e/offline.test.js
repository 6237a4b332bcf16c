// The site without a network, and one version of it after another.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from './harness.js'
import { browser, serve } from './site.js'

let chrome
before(async () => {
  chrome = await browser()
})
after(() => chrome?.close())

/** Runs `steps` on a page that may be cached, and with the site that it came from. */
function journey(name, steps) {
  test(name, { timeout: 120_000 }, async () => {
    const changed = new Map()
    const site = await serve('/some/where/', changed)
    const context = await chrome.newContext()
    try {
      await steps({ site, changed, context, page: await context.newPage() })
    } finally {
      await context.close()
      await site.close()
    }
  })
}

/** The site is kept a few seconds after the first screen. */
const PATIENCE = 20_000

const caches = (page) => page.evaluate(async () => (await window.caches.keys()).sort())
const isKept = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.active?.state ?? null
  })
const examples = (page) => page.getByRole('heading', { name: 'Examples' }).waitFor()

journey('after the first visit everything works without a network', async ({ site, page, context }) => {
  await page.goto(site.url)
  await examples(page)
  await eventually(() => isKept(page), 'activated', PATIENCE)
  const [name] = await caches(page)
  assert.ok(name.startsWith(`transcript-workbench ${site.url} `), name)
  await site.close()
  await page.close()

  const again = await context.newPage()
  const complaints = []
  again.on('pageerror', (error) => complaints.push(error.message))
  await again.goto(site.url)
  await again.getByRole('link', { name: 'weather_query_with_tools' }).click()
  await again.getByRole('listbox', { name: 'Steps of the run' }).getByRole('option').first().waitFor()
  // The editor, and what writes, come from here as well.
  await again.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
  await again.keyboard.press('Control+Shift+S')
  const dialog = again.getByRole('dialog', { name: 'Share or export' })
  await dialog.getByRole('radio', { name: 'Markdown' }).check()
  await dialog.getByRole('button', { name: 'Download weather_query_with_tools.md' }).waitFor()
  assert.deepEqual(complaints, [])
})

journey('a file of another version of the page is a new version, which waits until a person wants it', async ({ site, changed, page }) => {
  await page.goto(`${site.url}#/edit?d=ex:weather_query`)
  await eventually(() => isKept(page), 'activated', PATIENCE)
  await page.reload()
  await page.getByRole('listbox', { name: 'Steps of the run' }).waitFor()
  await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null), true)
  const before = await caches(page)
  const worker = await (await fetch(`${site.url}service-worker.js`)).text()
  const [style] = /style-[\da-f]{16}\.css/.exec(worker)
  const other = style.replace(/[\da-f]{16}/, '0123456789abcdef')
  changed.set(other, await (await fetch(site.url + style)).text())
  changed.set('index.html', (await (await fetch(site.url)).text()).replaceAll(style, other))
  changed.set('service-worker.js', worker.replaceAll(style, other).replace(/[\da-f]{16}(?=['"`])/, 'fedcba9876543210'))
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update())
  const banner = page.getByRole('status').filter({ hasText: 'A new version of the workbench is available.' })
  await banner.waitFor()
  assert.equal(await page.locator(`link[href$="${style}"]`).count(), 1)
  await banner.getByRole('button', { name: 'Reload' }).click()
  await page.locator(`link[href$="${other}"]`).waitFor({ state: 'attached' })
  // What the version before had is gone.
  await eventually(() => caches(page).then((names) => names.length === 1 && names[0] !== before[0]), true)
  await banner.waitFor({ state: 'detached' })
})

journey('a page that came new from the network does not say that it is old', async ({ site, changed, page }) => {
  await page.goto(site.url)
  await eventually(() => isKept(page), 'activated', PATIENCE)
  const worker = await (await fetch(`${site.url}service-worker.js`)).text()
  const [style] = /style-[\da-f]{16}\.css/.exec(worker)
  const other = style.replace(/[\da-f]{16}/, '0123456789abcdef')
  changed.set(other, await (await fetch(site.url + style)).text())
  changed.set('index.html', (await (await fetch(site.url)).text()).replaceAll(style, other))
  changed.set('service-worker.js', worker.replaceAll(style, other))
  await page.reload()
  await page.locator(`link[href$="${other}"]`).waitFor({ state: 'attached' })
  await eventually(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? null), 'installed')
  await examples(page)
  assert.equal(await page.getByText('A new version of the workbench is available.').count(), 0)
})

journey('the page can be installed, and its icons are there', async ({ site, page }) => {
  await page.goto(site.url)
  await page.locator('link[rel="manifest"]').waitFor({ state: 'attached' })
  const wire = await page.context().newCDPSession(page)
  const { errors, data } = await wire.send('Page.getAppManifest')
  assert.deepEqual(errors, [])
  const { name, start_url: start, scope, display, icons } = JSON.parse(data)
  assert.deepEqual([name, start, scope, display], ['Transcript Workbench', './', './', 'standalone'])
  const sizes = await page.evaluate(
    (icons) =>
      Promise.all(
        icons.map(async ({ src }) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return image.naturalWidth
        }),
      ),
    icons.filter(({ type }) => type === 'image/png'),
  )
  assert.deepEqual(sizes, [192, 512, 512])
})

journey('a page inside another one keeps nothing', async ({ site, page }) => {
  await page.goto(`${site.url}#/edit?d=ex:weather_query&embed=1`)
  await page.getByRole('listbox', { name: 'Steps of the run' }).getByRole('option').first().waitFor()
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 6_000)))
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0)
  assert.equal(await page.locator('link[rel="manifest"]').count(), 0)
})
