import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from './harness.js'
import { browser, serve } from './site.js'

let site
let chrome
before(async () => {
  site = await serve()
  chrome = await browser()
})
after(async () => {
  await chrome?.close()
  await site?.close()
})

test('when the module does not come, the page says so, offers Reload, and gives out the last document', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`${site.url}#/edit?d=ex:weather_query`)
  const source = page.getByRole('textbox', { name: 'Source text of the transcript' })
  await settled(page)
  await source.fill("messages: ['user: Keep me']")
  await page.getByText(/^Saved on this device/).waitFor()

  await page.route('**/*.wasm', (route) => route.abort())
  await page.reload()
  const failure = page.getByRole('alert').filter({ hasText: 'The workbench has stopped' })
  await failure.waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    failure.getByRole('button', { name: 'Download my document' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'weather_query.yaml')
  await page.unroute('**/*.wasm')
  await failure.getByRole('button', { name: 'Reload' }).click()
  await settled(page)
  assert.equal(await source.evaluate((field) => field.value), "messages: ['user: Keep me']")
  await context.close()
})

/** Waits until the editor has taken the place of the plain text area. */
const settled = (page) => page.locator('#source-field[contenteditable]').waitFor()

const LOST_READERS = {
  'does not come': ['**/engine_bg-*.wasm', { status: 404 }, 'could not be loaded'],
  stops: [
    '**/reader-*.js',
    { contentType: 'text/javascript', body: "addEventListener('message', () => { throw new Error('no memory') })" },
    'stopped (Uncaught Error: no memory)',
  ],
}
for (const [fate, [files, answer, reason]] of Object.entries(LOST_READERS)) {
  test(`when the reader ${fate}, what is typed is kept, and it is read when the reader comes`, async () => {
    const context = await chrome.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    let requests = 0
    await context.route(files, (route) => {
      requests += 1
      return route.fulfill(answer)
    })
    await page.goto(`${site.url}#/edit?d=ex:weather_query`)
    const banner = page.getByRole('alert').filter({
      hasText: `The source cannot be read: the part of the workbench that reads transcripts ${reason}.`,
    })
    await banner.waitFor()
    const source = page.getByRole('textbox', { name: 'Source text of the transcript' })
    const typed = "messages: ['user: Keep me', 'assistant: Kept']"
    await settled(page)
    const before = requests
    await source.fill(typed)
    await page.getByText(/^Saved on this device/).waitFor()
    // What was typed is asked about as well; without that it would be read as soon as the reader can come.
    await eventually(() => requests > before, true)
    await page.getByRole('button', { name: 'Not read' }).waitFor()
    const steps = page.getByRole('listbox', { name: 'Steps of the run' }).getByRole('option')
    assert.equal(await steps.count(), 0)

    await context.unroute(files)
    await banner.getByRole('button', { name: 'Try again' }).click()
    await steps.filter({ hasText: 'Kept' }).waitFor()
    await page.getByRole('button', { name: 'Valid' }).waitFor()
    assert.equal(await banner.count(), 0)
    assert.equal(await source.evaluate((field) => field.value), typed)
    await context.close()
  })
}

const REST = '**/engine_rest-*.wasm'

test('when the rest of the reader does not come, the page says so, and the tab that needs it comes with it', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await context.route(REST, (route) => route.abort())
  await page.goto(`${site.url}#/edit?d=ex:weather_query`)
  await settled(page)
  await page.getByRole('button', { name: 'Valid' }).waitFor()
  const banner = page.getByRole('alert').filter({ hasText: 'The source cannot be read' })
  assert.equal(await banner.count(), 0)
  await page.getByRole('tab', { name: 'Messages', exact: true }).click()
  await banner.filter({ hasText: 'could not be loaded' }).waitFor()

  await context.unroute(REST)
  await banner.getByRole('button', { name: 'Try again' }).click()
  await page.locator('#inspector-body').getByText('You are helpful').first().waitFor()
  await page.getByRole('button', { name: 'Valid' }).waitFor()
  assert.equal(await banner.count(), 0)
  await context.close()
})

for (const [what, files] of [
  ['module', '**/engine_authoring-*.wasm'],
  ['file', '**/author-*.js'],
]) {
  test(`when the ${what} of the worker for writing does not come, the page says so, and what needs it works when it comes`, async () => {
    const context = await chrome.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    await context.route(files, (route) => route.fulfill({ status: 404 }))
    await page.goto(`${site.url}#/edit?d=ex:weather_query`)
    await settled(page)
    const full = page.getByRole('button', { name: 'Full', exact: true })
    await full.click()
    await page.getByText('The form is unchanged: a part of the workbench could not be loaded').first().waitFor()
    await context.unroute(files)
    const source = page.getByRole('textbox', { name: 'Source text of the transcript' })
    assert.match(await source.evaluate((field) => field.value), /^messages:|^name:/m)
    await full.click()
    await eventually(async () => /^execution:/m.test(await source.evaluate((field) => field.value)), true)
    await context.close()
  })
}

test('while the rest of the reader is under way, steps can be walked through, and what waits for it comes', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  let release
  const released = new Promise((resolve) => (release = resolve))
  await context.route(REST, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${site.url}#/edit?d=ex:weather_query`)
  await settled(page)
  const selected = page.getByRole('listbox', { name: 'Steps of the run' }).locator('[aria-selected=true]')
  await selected.filter({ hasText: 'Initial state' }).waitFor()
  await page.getByRole('tab', { name: 'Messages', exact: true }).click()
  await selected.focus()
  await page.keyboard.press('j')
  await selected.filter({ hasText: 'Turn 1' }).waitFor()
  const inspector = page.locator('#inspector-body')
  await page.getByRole('tab', { name: 'Step', exact: true }).click()
  await page.locator('#pane-inspector').getByText('Turn 1 ·').first().waitFor()
  await page.getByRole('tab', { name: 'Messages', exact: true }).click()
  assert.equal(await inspector.getByText("What's the weather").count(), 0)
  release()
  await inspector.getByText("What's the weather").first().waitFor()
  await context.close()
})

test("when the rest of the page's module does not come, a run is opened and walked through, and what needs it asks to reload", async () => {
  const REST_OF_PAGE = '**/transcript-web_rest-*.wasm'
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await context.route(REST_OF_PAGE, (route) => route.abort())
  await page.goto(site.url)
  await page.getByRole('link', { name: /^weather_query_with_tools/ }).click()
  await settled(page)
  const selected = page.getByRole('listbox', { name: 'Steps of the run' }).locator('[aria-selected=true]')
  await selected.filter({ hasText: 'Initial state' }).waitFor()
  await page.keyboard.press('j')
  await selected.filter({ hasText: 'Turn 1' }).waitFor()
  await page.waitForURL(/&s=t1$/)
  const failure = page.getByRole('alert').filter({ hasText: 'The workbench has stopped' })
  assert.equal(await failure.count(), 0)

  await page.keyboard.press('Control+Shift+S')
  await failure.waitFor()
  await context.unroute(REST_OF_PAGE)
  await failure.getByRole('button', { name: 'Reload' }).click()
  await selected.filter({ hasText: 'Turn 1' }).waitFor()
  await page.keyboard.press('Control+Shift+S')
  await page.getByRole('dialog', { name: 'Share or export' }).getByText('Link').first().waitFor()
  assert.equal(await failure.count(), 0)
  await context.close()
})

test('no address starts with a request that blocks the page', async () => {
  const requests = []
  for (const address of [
    '#/gallery',
    '#/edit?d=ex:error_handling&s=t3',
    '#/edit?d=ex:weather_query_with_tools&embed=1&ro=1',
    '#/edit?d=ex:nothing_here',
    '#/edit?d=l:01HQ0000000000000000000000',
    '#/edit?d=u:https%3A%2F%2Fhost.invalid%2Frun.yaml',
    '#/handlers?d=ex:handler_fsm',
    '#/agents?d=ex:event_log_dag',
    '#/compare',
  ]) {
    const context = await chrome.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    page.on('request', (request) => requests.push([request.resourceType(), address, request.url()]))
    await page.goto(site.url + address)
    await page.locator('main, .screen').first().waitFor()
    await page.waitForLoadState('networkidle')
    await context.close()
  }
  const blocking = requests.filter(([type, , url]) => type === 'xhr' && /transcript-web_rest/.test(url))
  assert.deepEqual(blocking, [])
  assert.equal(requests.filter(([, , url]) => /transcript-web_rest/.test(url)).length, 9)
})

test('without any document the failure says so, and leaves the storage as it was', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.route('**/*.wasm', (route) => route.abort())
  await page.goto(site.url)
  const failure = page.getByRole('alert').filter({ hasText: 'The workbench has stopped' })
  await failure.getByRole('button', { name: 'Download my document' }).click()
  await failure.getByText('no document is kept on this device').waitFor()
  await page.unroute('**/*.wasm')
  await page.goto(`${site.url}#/edit?d=ex:weather_query`)
  await page.reload()
  await settled(page)
  await page.getByRole('textbox', { name: 'Source text of the transcript' }).fill("messages: ['user: Keep me']")
  await page.getByText(/^Saved on this device/).waitFor()
  await context.close()
})

test('the policy of the page allows nothing from outside and nothing inline', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(site.url)
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
  assert.match(policy, /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/)
  assert.match(policy, /connect-src 'self';/)
  assert.match(policy, /frame-src 'self'; manifest-src 'self'; base-uri 'none'/)
  const blocked = await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
        const inline = document.createElement('script')
        inline.textContent = 'window.ran = true'
        document.body.append(inline)
      }),
  )
  assert.equal(blocked, 'script-src-elem')
  assert.equal(await page.evaluate(() => window.ran ?? null), null)
  await context.close()
})

/** The files of what is hidden at first. */
const PARTS = /\/transcript-web-[^/]*\.wasm$/
const isIdle = (page) => page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve())))

test('a view that does not come says so in its place, and comes when it is tried again', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  const thrown = []
  page.on('pageerror', (error) => thrown.push(error.message))
  await page.route(PARTS, (route) => route.fulfill({ status: 404 }))
  await page.goto(`${site.url}#/edit?d=ex:handler_fsm`)
  await settled(page)
  await page.getByRole('link', { name: 'Handlers' }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'This part of the workbench could not be loaded.' })
  await failure.waitFor()
  // The rest works on.
  await page.getByRole('textbox', { name: 'Source text of the transcript' }).waitFor()

  await failure.getByRole('button', { name: 'Try again' }).click()
  await failure.waitFor()
  await page.unroute(PARTS)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Handlers', exact: true }).waitFor()
  assert.equal(await failure.count(), 0)
  assert.deepEqual(thrown, [])
  await context.close()
})

test('a pane that is opened before it has come shows that it is under way, takes keys, and has the focus in the end', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  let release
  const held = new Promise((resolve) => (release = resolve))
  await page.route(PARTS, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${site.url}#/edit?d=ex:weather_query`)
  await settled(page)
  await page.getByRole('option', { selected: true }).first().focus()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Loading this part of the workbench…').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Determinism: run twice')
  await page.keyboard.press('Enter')
  const dock = page.getByRole('region', { name: 'Problems' })
  await dock.getByText('Loading this part of the workbench…').waitFor()

  release()
  await page.getByRole('region', { name: 'Determinism' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'determinism')
  assert.equal(await page.getByText('Loading this part of the workbench…').count(), 0)
  await context.close()
})

test('what is not in sight at first comes when the page is idle, so that it is there without a network', async () => {
  const context = await chrome.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  const parts = []
  page.on('requestfinished', (request) => PARTS.test(request.url()) && parts.push(request.url()))
  await page.goto(site.url)
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  await isIdle(page)
  assert.deepEqual(parts, [])

  await page.goto(`${site.url}#/edit?d=ex:handler_fsm`)
  await settled(page)
  const files = ['dialogs', 'panes', 'views']
  await eventually(async () => files.filter((file) => parts.some((part) => part.includes(`-${file}-`))), files)
  assert.deepEqual(parts, [...new Set(parts)])
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Handlers' }).click()
  await page.getByRole('region', { name: 'Handlers', exact: true }).waitFor()
  await page.keyboard.press('Control+Shift+S')
  await page.getByRole('dialog', { name: 'Share or export' }).getByRole('radio', { name: 'Markdown' }).waitFor()
  await context.close()
})
