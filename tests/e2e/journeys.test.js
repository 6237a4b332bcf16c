// What an expert tries in the first ten minutes, from the design of the workbench: counts are asserted, times measured elsewhere
// (`cargo xtask bench`).
import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { complaints } from './axe.js'
import { Workbench, eventually, journey } from './harness.js'
import { SITE } from './site.js'

const { bytes: budget } = JSON.parse(await readFile(new URL('../budgets.json', import.meta.url), 'utf8'))
const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length)
const line = async (bench, found) => (await bench.text()).split(found)[0].split('\n').length

journey(
  'J1 cold open: one screen of at most 500 kB with the editor, of this origin alone, and one press to the first step',
  {},
  async (bench) => {
    const { page } = bench
    await page.goto('about:blank')
    const fetched = []
    page.on('response', (response) => fetched.push(response))
    await page.goto(bench.url)
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    await page.waitForLoadState('networkidle')
    // The rest of the page's module comes after the first screen.
    const first = fetched.filter((response) => !/_rest-/.test(response.url()))
    const bytes = async (responses) => {
      const sizes = await Promise.all(responses.map(async (response) => brotliCompressSync(await response.body()).length))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    const total = await bytes(first)
    assert.ok(total <= budget['first load of the site, brotli'], `${total} bytes in ${first.map((response) => response.url()).join(', ')}`)

    await page.getByRole('link', { name: /^weather_query_with_tools/ }).click()
    await bench.selected.filter({ hasText: 'Initial state' }).waitFor()
    // What is cached needs no network.
    await page.getByText('No problems').waitFor()
    await bench.settled()
    // The budget has room for the editor, which comes with the first document.
    const editor = fetched.filter((response) => /\/editor-[^/]*\.js$/.test(response.url()))
    assert.equal(editor.length, 1)
    const both = total + (await bytes(editor))
    assert.ok(both <= budget['first load with the editor, brotli'], `${both} bytes with the editor`)
    // The worker that completes has two of these files, too. They come from the cache of a browser where the host allows it.
    const reader = new Map(
      fetched.map((response) => [response.url(), response]).filter(([url]) => /\/(reader|engine|engine_bg)-[^/]*$/.test(url)),
    )
    assert.equal(reader.size, 3)
    const open = both + (await bytes([...reader.values()]))
    assert.ok(open <= budget['until the first document is open, brotli'], `${open} bytes until the first document is open`)
    // A usual document needs nothing of the rest of the modules, which comes when the page is idle.
    assert.deepEqual(
      fetched.filter((response) => response.request().resourceType() === 'xhr').map((response) => response.url()),
      [],
    )
    await bench.context.setOffline(true)
    await page.keyboard.press('j')
    await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  },
)

test('the parts of the module of the workers keep within their bytes', async () => {
  const files = await readdir(SITE)
  for (const part of ['engine_bg', 'engine_rest', 'engine_extra', 'engine_logs', 'engine_archives', 'engine_authoring']) {
    const found = files.filter((file) => file.startsWith(`${part}-`) && file.endsWith('.wasm'))
    assert.equal(found.length, 1, part)
    const bytes = brotliCompressSync(await readFile(join(SITE, found[0]))).length
    assert.ok(bytes <= budget[`${part}.wasm, brotli`], `${part}: ${bytes} bytes`)
  }
})

journey('J2 time travel: list, source, inspector and address move together, and Back is one press', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('link', { name: /^weather_query_with_tools/ }).click()
  await bench.selected.waitFor()
  await bench.settled()
  const together = async (turn, id) => {
    await bench.selected.filter({ hasText: `Turn ${turn}` }).waitFor()
    await bench.address(`#/edit?d=ex:weather_query_with_tools&s=t${turn}`)
    await bench.inspector.getByText(`Turn ${turn} ·`).first().waitFor()
    const marked = page.locator('.cm-line.cm-band').first()
    await marked.filter({ hasText: id }).waitFor()
  }
  await page.keyboard.press('j')
  await together(1, 'turn: 1')
  assert.match((await bench.inspector.innerText()).replace(/\s+/g, ' '), /conversation_count 0 → 1/)
  await page.keyboard.press('j')
  await together(2, 'turn: 2')
  const scrubber = page.getByRole('slider', { name: 'Step of the run' })
  const box = await scrubber.boundingBox()
  await page.mouse.move(box.x + (box.width * 2) / 3, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await together(1, 'turn: 1')
  await bench.steps.focus()
  await page.keyboard.press('End')
  await together(3, 'turn: 3')
  await page.goBack()
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
})

journey(
  'J3 break it: reported with its place, the last good view stays, a fix and its way back are exact',
  { fragment: '#/edit?d=ex:weather_query_with_tools&s=t1' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const whole = await bench.text()
    await bench.typeOver('ref: msg_002', 'ref: msg_999')
    const broken = await bench.text()
    const row = bench.problems.getByRole('row').first()
    // While the name is typed, the row reports what is there so far.
    await row.filter({ hasText: /msg_999[\s\S]*msg_00/ }).waitFor()
    assert.ok((await row.innerText()).includes(`${await line(bench, 'msg_999')}:`))
    // The quote at the end of the name.
    await bench.source.evaluate((field) => {
      const at = field.value.indexOf('weather_query_with_tools"') + 'weather_query_with_tools"'.length
      field.focus()
      field.setSelectionRange(at, at)
    })
    await page.keyboard.press('Backspace')
    await page
      .getByText(/^Showing .*does not parse/)
      .first()
      .waitFor()
    assert.equal(await bench.steps.getByRole('option').count(), 4)
    const places = new Set()
    for (let press = 0; press < 3; press += 1) {
      await page.keyboard.press('F8')
      places.add((await bench.caret()).line)
    }
    assert.ok(places.size >= 1)
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), broken)
    await bench.source.focus()
    await page.keyboard.press('F8')
    await eventually(async () => (await bench.caret()).selected, 'msg_999')
    await page.keyboard.press('Control+.')
    await page.getByRole('dialog', { name: 'Fixes' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('No problems').waitFor()
    const mended = await bench.text()
    assert.notEqual(mended, broken)
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), broken)
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), whole)
    await page.getByText('No problems').waitFor()
  },
)

const form = ({ page }, word) => page.getByRole('group', { name: 'Form of the document' }).getByRole('button', { name: word })
const source = ({ page }) => page.locator('#source-field').evaluate((field) => field.value)
const labels = ({ page }) =>
  page.getByRole('listbox', { name: 'What may stand here' }).getByRole('option').locator('.cm-completionLabel').allInnerTexts()

journey('J4 write by hand: roles and calls are offered, the full form and back, a card, and the comments stay', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('button', { name: /^Start blank/ }).click()
  await bench.settled()
  await page.keyboard.type('name: weather_query')
  await page.keyboard.press('Enter')
  await page.keyboard.type('messages: # by hand')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- "')
  await page.keyboard.press('Control+Space')
  await eventually(async () => (await labels(bench)).slice(0, 4), ['system', 'developer', 'user', 'assistant'])
  await page.keyboard.type('system: You are helpful"')
  const line = async (text, ...offered) => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- "')
    for (const [typed, label] of offered) {
      await page.keyboard.type(typed)
      await page.keyboard.press('Control+Space')
      await eventually(async () => (await labels(bench)).includes(label), true)
    }
    await page.keyboard.type(`${text}"`)
  }
  await line("user: What's the weather?")
  await line("call weather(location='NYC')", ['assistant:', 'call'])
  await line("tool:weather: {temp: 72, condition: 'sunny'}")
  await line("assistant: It's 72°F and sunny!")
  await page.keyboard.press('Escape')
  const compact = await bench.text()
  assert.equal(
    compact,
    `name: weather_query
messages: # by hand
  - "system: You are helpful"
  - "user: What's the weather?"
  - "assistant:call weather(location='NYC')"
  - "tool:weather: {temp: 72, condition: 'sunny'}"
  - "assistant: It's 72°F and sunny!"`,
  )
  await page.getByText('No problems').waitFor()
  await form(bench, 'Full').click()
  await eventually(async () => /^version: "1\.0"$/m.test(await bench.text()), true)
  const full = await bench.text()
  assert.equal(full.match(/^ +(- )?id: msg_/gm).length, 5)
  assert.deepEqual(full.match(/^ {2}- turn: \d/gm), ['  - turn: 1', '  - turn: 2', '  - turn: 3'])
  // The first call was sent two messages, the second one four.
  assert.equal(full.match(/ref: msg_/g).length >= 6, true)
  await page.getByText('No problems').waitFor()
  await form(bench, 'Compact').click()
  await eventually(() => bench.text(), compact)

  await page.getByRole('group', { name: 'Source as text or as cards' }).getByRole('button', { name: 'Cards' }).click()
  const cards = page.getByRole('listbox', { name: 'Messages and turns' }).getByRole('option')
  await cards.nth(1).click()
  const says = page.getByRole('region', { name: 'Selected card' }).getByRole('textbox', { name: 'Text' })
  await says.fill('Will it rain?')
  await says.blur()
  await eventually(() => source(bench), compact.replace("What's the weather?", 'Will it rain?'))
})

journey(
  'J5 what the model saw: the hidden message with its reason, the changed one with what changed, and a card decides',
  { fragment: '#/edit?d=ex:context_management&s=t4' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await bench.settled()
    await page.keyboard.press('l')
    const rows = page.getByRole('list', { name: 'Store and sent messages' }).locator(':scope > li')
    await rows.first().waitFor()
    const panel = async () => (await page.getByRole('tabpanel').innerText()).replace(/\s+/g, ' ')
    assert.match(await panel(), /Store 5 messages .* Sent to model 4 messages/)
    assert.match(await rows.nth(1).innerText(), /Hidden since step 3/)
    assert.ok((await rows.filter({ hasText: 'Transformed' }).locator('ins').count()) > 0)
    await page.getByRole('button', { name: 'Assertions', exact: true }).click()
    const holds = page.getByRole('region', { name: 'Assertions' })
    await holds.getByText('2 of 2 passed').waitFor()

    // The assertion that the hidden message stays hidden, then its card.
    await bench.typeOver('    - type: "context_value"', '    - {type: visible, message: msg_002, value: false}\n- type: "context_value"')
    await holds.getByText('3 of 3 passed').waitFor()
    await page.getByRole('group', { name: 'Source as text or as cards' }).getByRole('button', { name: 'Cards' }).click()
    const cards = page.getByRole('listbox', { name: 'Messages and turns' }).getByRole('option')
    await cards.filter({ hasText: 'third quarter report.' }).first().click()
    const box = page.getByRole('region', { name: 'Selected card' }).getByRole('checkbox', { name: 'Visible to the model' })
    await box.waitFor()
    const before = await source(bench)
    const was = await box.isChecked()
    await box.setChecked(!was)
    await eventually(async () => (await source(bench)) === before, false)
  },
)

journey(
  'J6 assert and fail: a part of an answer, the step marked, found by key, and the test that comes of it',
  { fragment: '#/edit?d=ex:weather_query&s=t3' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await bench.settled()
    const answer = bench.inspector.locator('.assertable pre').filter({ hasText: "It's 72°F" }).first()
    await answer.waitFor()
    await answer.scrollIntoViewIfNeeded()
    const place = await answer.evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      const at = text.data.indexOf('72°F')
      getSelection().setBaseAndExtent(text, at, text, at + 4)
      const { x, y, width, height } = getSelection().getRangeAt(0).getBoundingClientRect()
      return [x + width / 2, y + height / 2]
    })
    await page.mouse.click(...place, { button: 'right' })
    await page.getByRole('button', { name: 'Assert contains' }).click()
    await page.getByText('✔ 1/1').waitFor()
    await bench.typeOver("It's 72°F", "It's 71°F")
    await page.getByText('✖ 0/1').waitFor()
    await page
      .getByRole('region', { name: 'Assertions' })
      .getByText(/expected "72°F" · found "It's 71°F/)
      .waitFor()
    await bench.steps
      .getByRole('option', { name: /Turn 3\b/ })
      .getByText('1 assertion about this step failed')
      .waitFor({ state: 'attached' })
    await bench.steps.focus()
    await page.keyboard.press('Home')
    await bench.selected.filter({ hasText: 'Initial state' }).waitFor()
    await page.keyboard.press('e')
    await bench.selected.filter({ hasText: 'Turn 3' }).waitFor()

    await page.keyboard.press('Control+Shift+S')
    const dialog = page.getByRole('dialog', { name: 'Share or export' })
    await dialog.waitFor()
    const choose = (name) => dialog.getByRole('radio', { name, exact: true }).check()
    for (const [name, file] of [
      ['Test in JavaScript', 'weather_query.test.mjs'],
      ['Test in Python', 'test_weather_query.py'],
    ]) {
      await choose(name)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: `Download ${file}` }).click(),
      ])
      const code = await readFile(await download.path(), 'utf8')
      assert.match(code, /72°F/)
    }
  },
)

journey(
  'J8 several agents and determinism: lines shuffled, a run that differs opened at its first difference, a cycle reported exactly',
  { fragment: '#/agents?d=ex:event_log_dag' },
  async (bench) => {
    const { page } = bench
    const view = page.getByRole('region', { name: 'Agents' })
    const events = () => page.getByRole('listbox', { name: 'Events' }).locator('.event-id').allTextContents()
    await view.getByText('16 events · 3 agents').waitFor({ timeout: 60_000 })
    await eventually(async () => (await events()).length, 16)
    const order = await events()
    const print = await view.getByText(/^Fingerprint [0-9a-f]{12}$/).textContent()
    const lines = await source(bench)
    await view.getByRole('button', { name: 'Shuffle the lines' }).click()
    await eventually(async () => (await source(bench)) === lines, false)
    await view.getByText(/^Lines shuffled: the topological order of the 16 events and the fingerprint/).waitFor()
    await eventually(events, order)
    assert.equal(await view.getByText(/^Fingerprint [0-9a-f]{12}$/).textContent(), print)

    // The first event as the effect of one that it brought about.
    const shuffled = (await source(bench))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const first = shuffled.find((event) => event.parent_event_id === null || event.parent_event_id === undefined)
    const child = shuffled.find((event) => event.parent_event_id === first.event_id)
    await page.keyboard.press('v')
    await page.keyboard.press('e')
    await bench.typeOver('"parent_event_id": null', `"parent_event_id": "${child.event_id}"`)
    await bench.problems.getByRole('row').filter({ hasText: `the events ` }).filter({ hasText: 'depend on each other' }).waitFor()
    await page.getByRole('button', { name: 'Show the agents' }).click()
    await view.getByText(/is not replayed/).waitFor()

    await page.keyboard.press('v')
    await page.keyboard.press('g')
    await page.getByRole('link', { name: /^nondeterministic/ }).click()
    await page.getByRole('button', { name: 'Determinism', exact: true }).click()
    const report = page.getByRole('region', { name: 'Determinism' })
    await report.getByRole('button', { name: 'Run twice', exact: true }).click()
    await report.getByText(/First difference: step 3, execution\[2\]\.llm_response\.content/).waitFor()
    await report.getByRole('button', { name: 'Open in Compare' }).click()
    await page.waitForURL(/#\/compare\?d=l:\w+&s=t3&b=l:\w+$/)
    await page.getByRole('listbox', { name: 'Steps of both runs' }).getByRole('option', { selected: true }).waitFor()
  },
)

for (const steps of [10_000, 100_000]) {
  journey(`J9 scale: ${steps} steps within 2,500 nodes, found by words, walked by key`, {}, async (bench) => {
    const { page } = bench
    const turns = Array.from({ length: steps / 2 }, (_, at) => `  - "user: question ${at}"\n  - "assistant: answer ${at}"\n`)
    await page
      .locator('#file-input')
      .setInputFiles({ name: 'long.yaml', mimeType: 'text/yaml', buffer: Buffer.from(`messages:\n${turns.join('')}`) })
    await bench.selected.waitFor({ timeout: 60_000 })
    await page.getByText('No problems').waitFor({ timeout: 60_000 })
    assert.equal(Number(await bench.selected.getAttribute('aria-setsize')), steps)
    assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`)
    await page.keyboard.press('/')
    await page.keyboard.type(`answer ${steps / 2 - 1}`)
    await page.keyboard.press('Enter')
    await bench.selected.filter({ hasText: `answer ${steps / 2 - 1}` }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await bench.selected.filter({ hasText: `question ${steps / 2 - 1}` }).waitFor()
    assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`)
  })
}

const fixtures = fileURLToPath(new URL('../imports/fixtures/', import.meta.url))
const claude = 'sessions/claude-code.jsonl'

for (const [file, made, call] of [
  [claude, 'Imported a Claude Code session: 6 records', 'Read'],
  ['sessions/codex-rollout-2026-05-01T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl', 'Imported a Codex session: 11 records', null],
  ['atif-v1.8.trajectory.json', 'Imported a harbor trajectory: ', null],
  ['chats/openai-chat-messages.json', 'Imported a chat: 5 messages and requests', null],
  ['chats/anthropic-request.json', 'Imported an Anthropic Messages conversation', null],
  ['otlp-genai-spans.json', 'Imported OpenTelemetry spans: 4 spans', null],
]) {
  journey(`J9 bring my own: ${file} is known by what is in it, and is a run with its call`, {}, async (bench) => {
    const { page } = bench
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    const contents = await readFile(fixtures + file)
    await bench.drop(`mine.${file.split('.').at(-1)}`, [...contents])
    await page.getByRole('status').filter({ hasText: made }).waitFor({ timeout: 60_000 })
    await bench.edit()
    await eventually(async () => (await bench.steps.getByRole('option', { name: /Tool call/ }).count()) > 0, true)
    if (call) await bench.steps.getByText(call, { exact: true }).first().waitFor()
    await bench.settled()
    assert.equal(await bench.problems.getByText('Error', { exact: true }).count(), 0)
  })
}

journey('J9 bring my own: three bad lines of a session cost no more than themselves, and are reported', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const lines = (await readFile(fixtures + claude, 'utf8')).trim().split('\n')
  const broken = [...lines.slice(0, 2), '{"type":"user","uuid":', ...lines.slice(2, 4), 'no record', '{]', ...lines.slice(4)]
  await bench.drop('mine.jsonl', [...Buffer.from(`${broken.join('\n')}\n`)])
  await page.getByRole('status').filter({ hasText: 'Imported a Claude Code session' }).waitFor({ timeout: 60_000 })
  await page.getByRole('status').filter({ hasText: '3 pieces could not be read' }).waitFor()
  await page.getByRole('button', { name: 'Import details' }).click()
  const report = page.getByRole('dialog', { name: 'Import details' })
  for (const number of [3, 6, 7])
    await report
      .getByText(new RegExp(`\\b${number}\\b`))
      .first()
      .waitFor()
})

journey(
  'J10 keep and share: keyboard alone, twice the text, a phone, no motion, dark',
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', reducedMotion: 'reduce', fragment: '#/edit?d=ex:context_management&s=t4' },
  async (bench) => {
    const { page } = bench
    await page.getByRole('navigation', { name: 'Panes' }).waitFor()
    for (const pane of ['Source', 'Steps', 'Inspect', 'Problems']) {
      await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: pane }).click()
      assert.deepEqual(await complaints(page), [])
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    }
    const moving = await page.evaluate(() => document.getAnimations().length)
    assert.equal(moving, 0)
  },
)

journey(
  'J10 keep and share: a fresh browser at the same step and tab, a page opened from a file, a tab that is gone',
  { fragment: '#/edit?d=ex:weather_query_with_tools&s=t2&i=state' },
  async (bench) => {
    const { page, context } = bench
    await bench.selected.waitFor()
    await page.keyboard.press('Control+Shift+S')
    const dialog = page.getByRole('dialog', { name: 'Share or export' })
    const preview = dialog.getByRole('region', { name: 'Preview' })
    await preview.filter({ hasText: 'z1:' }).waitFor()
    const address = await preview.innerText()
    assert.ok(address.length <= 2_100, `${address.length} characters`)
    const fresh = await context.browser().newContext()
    try {
      const other = new Workbench(await fresh.newPage(), fresh, bench.url)
      await other.page.goto(address)
      await other.page.getByText('This is a shared copy').waitFor()
      await other.selected.filter({ hasText: 'Turn 2' }).waitFor()
      assert.equal(await other.page.getByRole('tab', { name: 'State' }).getAttribute('aria-selected'), 'true')

      await dialog.getByRole('radio', { name: 'HTML page', exact: true }).check()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download weather_query_with_tools.html' }).click(),
      ])
      const complaints = []
      other.page.on('console', (message) => complaints.push(message.text()))
      const path = join(await mkdtemp(join(tmpdir(), 'transcript-')), 'run.html')
      await download.saveAs(path)
      await other.page.goto(pathToFileURL(path).href)
      const current = other.page.locator('article[aria-current=step] h2')
      await other.page.keyboard.press('j')
      assert.match(await current.innerText(), /^system/i)
      await other.page.keyboard.press('j')
      assert.match(await current.innerText(), /^user/i)
      await other.page.keyboard.press('k')
      assert.match(await current.innerText(), /^system/i)
      assert.deepEqual(complaints, [])
    } finally {
      await fresh.close()
    }

    await page.keyboard.press('Escape')
    await bench.typeOver('72°F', '71°F')
    await page.waitForURL(/d=l:/)
    await page.getByText(/^Saved on this device/).waitFor()
    const [text, caret, fragment] = [await bench.text(), await bench.caret(), bench.fragment()]
    const wire = await context.newCDPSession(page)
    wire.send('Page.crash').catch(() => {})
    await page.waitForEvent('crash')
    const again = await bench.reopened(fragment)
    await again.selected.waitFor()
    assert.equal(await again.text(), text)
    await eventually(async () => (await again.caret()).line, caret.line)
  },
)
