// Two documents side by side: their rows, what differs in them, and the ways to them.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const rows = ({ page }) => page.getByRole('listbox', { name: 'Steps of both runs' })
const selected = (bench) => rows(bench).getByRole('option', { selected: true })
const detail = ({ page }) => page.getByRole('region', { name: 'Differences in this row' })
const summary = ({ page }) => page.getByRole('status').filter({ hasText: 'Tool calls' })
const marks = async (bench) => (await rows(bench).getByRole('option').locator('.compare-mark').allInnerTexts()).map((text) => text.trim())
const plain = (text) => text.replaceAll(/\s+/g, ' ').trim()

const LEFT = `name: weather
messages:
  - "user: What's the weather?"
  - "assistant:call weather(city='Rome')"
  - "tool:weather: {temp: 21}"
  - "assistant: It's 21°C in Rome."
`
const RIGHT = `name: weather
messages:
  - "user: What's the weather?"
  - "assistant:call weather(city='Rome')"
  - "tool:weather: {temp: 24}"
  - "user: Quickly, please."
  - "assistant: It's 24°C in Rome."
`

/** Drops both, the right one first, and chooses it to be compared with. */
async function both(bench, left, right) {
  const { page } = bench
  for (const [name, text] of [
    ['right.yaml', right],
    ['left.yaml', left],
  ]) {
    await page.keyboard.press('v')
    await page.keyboard.press('g')
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    await bench.drop(name, [...Buffer.from(text)])
    await page.locator('.bar').getByText(name, { exact: true }).waitFor()
    await page.getByText(/^Saved on this device/).waitFor()
  }
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('heading', { name: 'Compare left.yaml with' }).waitFor()
  await page.getByRole('link', { name: /^right\.yaml/ }).click()
  await rows(bench).waitFor()
}

journey('two runs stand side by side, row by row, with what differs', {}, async (bench) => {
  const { page } = bench
  await both(bench, LEFT, RIGHT)
  await eventually(() => marks(bench), ['= Same', '= Same', '~ Changed', '+ Added', '~ Changed'])
  assert.match(plain(await summary(bench).innerText()), /^1 same, 2 changed, 1 added, 0 removed Steps 3 → 4 \(\+1\) Tool calls 1 → 1$/)
  // The first difference is selected.
  assert.match(plain(await selected(bench).innerText()), /^~ Changed 2 Tool call weather .*21.* 2 Tool call weather .*24/)
  const changes = detail(bench).getByRole('article')
  await eventually(
    () => changes.getByRole('heading').allInnerTexts(),
    ['execution[1].tool_call.result.temp', 'execution[1].message_created.content'],
  )
  assert.deepEqual((await changes.first().locator('.compare-line').allInnerTexts()).map(plain), ['− Removed 21', '+ Added 24'])
  // Keys go from difference to difference, and stop at the ends.
  await page.keyboard.press('j')
  await eventually(async () => plain(await selected(bench).innerText()), '+ Added not here 3 Message Quickly, please.')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await eventually(
    () =>
      detail(bench)
        .locator('.compare-line')
        .allInnerTexts()
        .then((lines) => lines.map(plain)),
    ["− Removed It's 21°C in Rome.", "+ Added It's 24°C in Rome."],
  )
  assert.deepEqual(
    await detail(bench)
      .locator('del')
      .allInnerTexts()
      .then((words) => words.map((word) => /21/.test(word))),
    [true],
  )
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await eventually(async () => /^~ Changed 2 Tool call/.test(plain(await selected(bench).innerText())), true)
  // What is selected here is selected in the other views.
  await page.keyboard.press('v')
  await page.keyboard.press('e')
  await eventually(async () => /weather/.test(await bench.selected.innerText()), true)
  await page.waitForURL(/s=t2/)
})

journey('only what differs, the sides swapped, by keys', {}, async (bench) => {
  const { page } = bench
  await both(bench, LEFT, RIGHT)
  await page.getByRole('checkbox', { name: 'Only differences' }).focus()
  await page.keyboard.press('Space')
  await eventually(() => marks(bench), ['~ Changed', '+ Added', '~ Changed'])
  await page.getByRole('button', { name: 'Swap the sides' }).focus()
  await page.keyboard.press('Enter')
  await eventually(() => marks(bench), ['~ Changed', '− Removed', '~ Changed'])
  await page.locator('.bar').getByText('right.yaml', { exact: true }).waitFor()
  await rows(bench).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await eventually(() => detail(bench).evaluate((pane) => pane === document.activeElement), true)
  await page.goBack()
  await eventually(() => marks(bench), ['~ Changed', '+ Added', '~ Changed'])
})

journey('what is left out is reported, and stands in the address', { fragment: '#/edit?d=ex:weather_query_with_tools' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const text = await bench.text()
  const times = text.match(/timestamp: .*$/gm).length
  assert.ok(times > 1)
  await page.keyboard.press('v')
  await page.keyboard.press('g')
  await bench.drop('later.yaml', [
    ...Buffer.from(text.replace(/timestamp: "?20(\d\d)/g, (all, year) => all.replace(`20${year}`, `20${Number(year) + 1}`))),
  ])
  await page.locator('.bar').getByText('later.yaml', { exact: true }).waitFor()
  await page.getByText(/^Saved on this device/).waitFor()
  await page.keyboard.press('v')
  await page.keyboard.press('c')
  await page.getByRole('link', { name: /^weather_query_with_tools\.yaml/ }).click()
  await rows(bench).waitFor()
  assert.ok((await marks(bench)).includes('~ Changed'))
  const chip = page.getByRole('button', { name: /^(✓ )?times/ })
  assert.equal(await chip.getAttribute('aria-pressed'), 'false')
  await chip.click()
  await page.getByText('No differences.').waitFor()
  await eventually(async () => new Set(await marks(bench)).size, 1)
  await page.waitForURL(/b=ex:weather_query_with_tools&ig=timestamps$/)
  assert.match(await chip.innerText(), /^times · \d+$/)
  await page.reload()
  await page.getByText('No differences.').waitFor()
  assert.equal(await chip.getAttribute('aria-pressed'), 'true')
})

journey('a file is chosen to compare with, and is kept', { fragment: '#/compare?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Compare weather_query.yaml with' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^weather_query\.yaml/ }).count(), 0)
  const choose = page.getByRole('main').getByRole('button', { name: 'Open a file' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.click()])
  await chooser.setFiles({ name: 'other.yaml', mimeType: 'text/yaml', buffer: Buffer.from(RIGHT) })
  await rows(bench).waitFor()
  assert.match(bench.fragment(), /^#\/compare\?d=ex:weather_query.*&b=l:\w{26}$/)
  await page.getByRole('link', { name: 'Choose another' }).click()
  await page.getByRole('link', { name: /^other\.yaml/ }).waitFor()
})

journey('what cannot be compared says why, and an edit is followed', {}, async (bench) => {
  const { page } = bench
  const text = "messages:\n  - 'usr: Hi'\n"
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  await bench.drop('mine.yaml', [...Buffer.from(text)])
  await page.locator('.bar').getByText('mine.yaml', { exact: true }).waitFor()
  await page.goto(bench.page.url().replace('/edit?', '/compare?') + '&b=ex:simple_greeting')
  const alert = page.getByRole('alert').filter({ hasText: 'cannot be compared' })
  await alert.waitFor()
  assert.match(await alert.innerText(), /^mine\.yaml cannot be compared: line 2: .*usr/)
  await page.keyboard.press('v')
  await page.keyboard.press('e')
  await bench.typeOver('usr', 'user')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Compare' }).click()
  await rows(bench).waitFor()
  await page.goto(`${bench.url}#/compare?d=ex:simple_greeting&b=ex:nothing`)
  await page.getByRole('alert').filter({ hasText: 'There is no example named nothing.' }).waitFor()
})

journey('ten thousand steps are compared with few elements on the page', {}, async (bench) => {
  const { page } = bench
  const run = (last) =>
    `messages:\n${Array.from({ length: 5000 }, (_, at) => `  - "user: question ${at}"\n  - "assistant: answer ${at === 4000 ? last : at}"\n`).join('')}`
  await both(bench, run('one'), run('two'))
  await page.getByText('9 998 same, 1 changed'.replace(' ', '\u202f')).waitFor({ timeout: 60_000 })
  await eventually(async () => plain(await detail(bench).getByRole('heading').first().innerText()), '1 difference')
  await eventually(async () => /answer one/.test(await selected(bench).innerText()), true)
  assert.ok((await page.locator('*').count()) < 2500)
})

for (const [what, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['at 800 pixels', { viewport: { width: 800, height: 700 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
]) {
  journey(
    `axe finds nothing serious next to another run, ${what}`,
    { ...options, fragment: '#/compare?d=ex:weather_query' },
    async (bench) => {
      const { page } = bench
      await page.getByRole('heading', { name: 'Compare weather_query.yaml with' }).waitFor()
      assert.deepEqual(await complaints(page), [])
      await page.getByRole('link', { name: /^error_handling\.yaml/ }).click()
      await rows(bench).waitFor()
      await detail(bench).getByRole('article').first().waitFor()
      assert.deepEqual(await complaints(page), [])
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0)
    },
  )
}

const CHAT = JSON.stringify([
  { role: 'user', content: 'Is it warm in Oslo?' },
  { role: 'assistant', content: 'No, it is cold there, and it snows.' },
])

journey('a comparison with the log of another program leaves a log alone that is being read', {}, async (bench) => {
  const { page, context } = bench
  await bench.drop('right.yaml', [...Buffer.from(RIGHT)])
  await bench.settled()
  await bench.typeOver(RIGHT, CHAT)
  await page.getByText(/^Saved on this device/).waitFor()
  const [, right] = /d=([^&]+)/.exec(bench.fragment())
  await page.evaluate(() => (location.hash = '#/edit?d=ex:weather_query'))
  await bench.address('#/edit?d=ex:weather_query')
  await bench.selected.waitFor()

  let release
  const held = new Promise((resolve) => (release = resolve))
  let requests = 0
  await context.route('**/engine_logs-*.wasm', async (route) => {
    requests += 1
    if (requests === 1) await held
    await route.continue()
  })
  await page.evaluate((chat) => {
    const dataTransfer = new DataTransfer()
    for (const city of ['Bern', 'Rome']) dataTransfer.items.add(new File([chat.replaceAll('Oslo', city)], `${city}.json`))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }, CHAT)
  await page.getByText('Reading the logs…').waitFor()
  await page.evaluate((right) => (location.hash = `#/compare?d=ex:weather_query&b=${right}`), right)
  await rows(bench).getByRole('option').filter({ hasText: 'Is it warm in Oslo?' }).first().waitFor()
  release()
  await page.locator('.bar').getByText('Bern.json', { exact: true }).waitFor()
  assert.equal(await page.getByText('Reading the logs…').count(), 0)
})

journey('what is made of a log serves each comparison with it', {}, async (bench) => {
  const { page } = bench
  const workers = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await bench.drop('right.yaml', [...Buffer.from(RIGHT)])
  await bench.settled()
  await bench.typeOver(RIGHT, CHAT)
  await page.getByText(/^Saved on this device/).waitFor()
  const [, right] = /d=([^&]+)/.exec(bench.fragment())
  await page.evaluate((right) => (location.hash = `#/compare?d=ex:weather_query&b=${right}`), right)
  await rows(bench).getByRole('option').filter({ hasText: 'Is it warm in Oslo?' }).first().waitFor()
  // Times are ignored when one side is a log.
  for (const pressed of ['false', 'true']) {
    const chip = page.locator('.compare-chip').first()
    await chip.click()
    await rows(bench).getByRole('option').filter({ hasText: 'Is it warm in Oslo?' }).first().waitFor()
    assert.equal(await chip.getAttribute('aria-pressed'), pressed)
  }
  assert.equal(workers.filter((url) => url.includes('/logs-')).length, 1, workers.join(' '))
})

journey('of a log with several sessions, the one that ended last is compared', {}, async (bench) => {
  const { page } = bench
  const line = (minute, sessionId, type, content) =>
    JSON.stringify({ type, sessionId, uuid: `${minute}`, timestamp: `2026-03-02T09:0${minute}:00Z`, message: { role: type, content } })
  const log = [
    line(1, 'one', 'user', 'Is it warm in Oslo?'),
    line(2, 'one', 'assistant', 'No.'),
    line(3, 'two', 'user', 'Is it warm in Rome?'),
    line(4, 'two', 'assistant', 'Yes.'),
  ]
  await bench.drop('right.yaml', [...Buffer.from(RIGHT)])
  await bench.settled()
  await bench.typeOver(RIGHT, `${log.join('\n')}\n`)
  await page.getByText(/^Saved on this device/).waitFor()
  const [, right] = /d=([^&]+)/.exec(bench.fragment())
  await page.evaluate((right) => (location.hash = `#/compare?d=ex:weather_query&b=${right}`), right)
  await rows(bench).getByRole('option').filter({ hasText: 'Is it warm in Rome?' }).first().waitFor()
  assert.equal(await rows(bench).getByRole('option').filter({ hasText: 'Is it warm in Oslo?' }).count(), 0)
})
