// No alarm that is none: of files that are no transcript, of a page that is blank, of what was left or refused.
import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

const bytes = (text) => [...Buffer.from(text)]
const gallery = ({ page }) => page.getByRole('heading', { name: 'Examples' }).waitFor()
const status = ({ page }, text) => page.getByRole('status').filter({ hasText: text })
const view = ({ page }, name) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()

/** What looks like an alarm, at any moment from now on. */
async function alarms({ page }) {
  await page.evaluate(() => {
    window.seen = new Set()
    const look = () => {
      for (const found of document.body.innerText.match(/\d+ errors?\b|Assertions \d+\/\d+|✖ \d+\/\d+|T101|does not parse|has an error/g) ??
        [])
        window.seen.add(found)
    }
    look()
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => [...window.seen])
}

const entry = (uuid, parentUuid, type, message, timestamp) =>
  JSON.stringify({
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: '/w',
    sessionId: '5f0c3a2e-8f0e-4b8e-9a57-0a4f7f0f2b11',
    version: '2.0.1',
    type,
    message,
    uuid,
    timestamp,
  })

/** A session of Claude Code with a pause of nearly a day. */
const SESSION = [
  entry('a1', null, 'user', { role: 'user', content: 'Do the assertions hold?' }, '2026-03-01T10:00:00.000Z'),
  entry(
    'a2',
    'a1',
    'assistant',
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'They do.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 4, cache_creation_input_tokens: 90, cache_read_input_tokens: 900, output_tokens: 6 },
    },
    '2026-03-01T10:00:05.000Z',
  ),
  entry('a3', 'a2', 'user', { role: 'user', content: 'And today?' }, '2026-03-02T07:51:05.000Z'),
  entry(
    'a4',
    'a3',
    'assistant',
    {
      id: 'msg_2',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'Still.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 990, output_tokens: 5 },
    },
    '2026-03-02T07:51:08.000Z',
  ),
  '',
].join('\n')

journey('a file of no known format is answered with a question, what was looked at, and its text', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  const seen = await alarms(bench)
  const text = JSON.stringify({ pages: [{ role: 'user', parts: [{ text: 'Hi' }] }], assertions: ['none of ours'] })
  await bench.drop('session.json', bytes(text))
  const banner = status(bench, "We don't recognize this format. Which tool wrote it?")
  await banner.waitFor()
  await banner.getByRole('combobox', { name: 'The tool that wrote it' }).waitFor()
  const steps = page.getByRole('region', { name: 'Steps', exact: true })
  assert.deepEqual(await steps.getByRole('listitem').allInnerTexts(), [
    'JSON, 1 record',
    'First keys: `pages`, `assertions`',
    'Like AI SDK, it has `role`, `parts`, but no `messages`',
  ])
  assert.equal(await bench.text(), text)
  await page.locator('.bar').getByRole('button', { name: 'Not recognized' }).waitFor()
  await page.waitForTimeout(500)
  assert.deepEqual(await seen(), [])
  // What is nearly ours keeps its place.
  await page.goBack()
  await gallery(bench)
  await bench.drop('slip.yaml', bytes("name: x\nmesages:\n  - 'user: Hi'\n"))
  await bench.problems.getByText('T101').waitFor()
  await bench.problems.getByText('2:1').waitFor()
})

journey('a log raises no alarm while it is read, counts its tokens and no pause of a person', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  const seen = await alarms(bench)
  await bench.drop('session.jsonl', bytes(SESSION))
  await page.getByRole('button', { name: 'Show the original' }).waitFor()
  await bench.edit()
  assert.deepEqual(await seen(), [])
  const rows = bench.steps.getByRole('option')
  await rows.filter({ hasText: 'They do.' }).getByText('1 000 tok').waitFor()
  const times = (await rows.allInnerTexts()).join(' ').match(/[\d. ]+ min\b/g) ?? []
  assert.deepEqual(times, [])
})

journey('a blank page is blank', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  const seen = await alarms(bench)
  await page.getByRole('button', { name: /^Start blank/ }).click()
  await page.getByText('No steps yet').waitFor()
  await page.locator('.bar').getByRole('button', { name: 'Empty' }).waitFor()
  assert.equal(await page.locator('.banner').count(), 0)
  assert.equal(await bench.problems.getByRole('row').count(), 0)
  await page.waitForTimeout(500)
  assert.deepEqual(await seen(), [])

  // An example run on request, which undo takes back.
  await bench.settled()
  await page.getByRole('button', { name: 'Insert an example run' }).click()
  await eventually(() => bench.steps.getByRole('option').count(), 4)
  await page.getByText('No problems').waitFor()
  assert.ok((await bench.caret()).focused)
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), '')
  assert.deepEqual(await seen(), [])
})

journey('Back closes a dialog with what it was about', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await view(bench, 'Replay')
  await page.keyboard.press('Control+Shift+s')
  const dialog = page.getByRole('dialog', { name: 'Share or export' })
  await dialog.waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.hash.startsWith('#/edit'))
  await dialog.waitFor({ state: 'hidden' })
  // It opens once more.
  await page.keyboard.press('Control+Shift+s')
  await dialog.waitFor()
})

journey('from Replay to Edit the source shows the selected step', { fragment: '#/replay?d=ex:context_management&s=t4' }, async (bench) => {
  const { page } = bench
  await bench.selected.filter({ hasText: 'Turn 4' }).waitFor()
  await bench.settled()
  await view(bench, 'Edit')
  await eventually(() => bench.scroller.evaluate((scroller) => scroller.scrollTop > 0), true)
  const band = page.locator('.cm-line[class*=band]').first()
  await band.waitFor()
  const [line, frame] = [await band.boundingBox(), await bench.scroller.boundingBox()]
  assert.ok(line.y >= frame.y && line.y < frame.y + frame.height, JSON.stringify([line, frame]))
})

journey('who types the quote that a completion has written has it once', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.settled()
  await bench.source.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('messages:\n- "us')
  await page.keyboard.press('Control+Space')
  await page.getByRole('listbox', { name: 'What may stand here' }).getByRole('option', { name: 'user' }).first().click()
  await eventually(() => bench.text().then((text) => text.includes('user: "')), true)
  await page.keyboard.type('Hi"')
  assert.equal(await bench.text(), 'messages:\n  - "user: Hi"')
  // Inside of a text a quote is a quote.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type("'")
  assert.equal(await bench.text(), `messages:\n  - "user: H'i"`)
})

journey('a role that is refused does not stay in its field', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await page.getByRole('group', { name: 'Source as text or as cards' }).getByRole('button', { name: 'Cards' }).click()
  const cards = page.getByRole('listbox', { name: 'Messages and turns' }).or(page.locator('#cards-list')).first()
  await cards.getByRole('option').filter({ hasText: 'weather' }).filter({ hasText: 'Assistant' }).first().click()
  const role = page.locator('#card-role')
  await eventually(() => role.inputValue(), 'assistant')
  await role.selectOption('tool')
  await page.getByText('The document was not changed').waitFor()
  assert.equal(await role.inputValue(), 'assistant')
})

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  journey(`the name of a document is in sight as a whole ${width} pixels wide`, { viewport: { width, height } }, async (bench) => {
    const { page } = bench
    await gallery(bench)
    const text = 'messages:\n  - "user: Hi"\n  - "assistant: Hello!"\nassertions:\n  - {contains: Bye}\n'
    await bench.drop('weather_query_with_clarification.yaml', bytes(text))
    // With the chip of assertions next to it.
    await page.locator('.proof-chip').first().waitFor({ state: 'attached' })
    const name = page.locator('.bar-document h1')
    assert.equal(await name.innerText(), 'weather_query_with_clarification.yaml')
    assert.ok(
      await name.evaluate((name) => name.scrollWidth <= name.clientWidth && name.getBoundingClientRect().right <= window.innerWidth),
    )
  })
}

journey('Compare reads the logs that Open reads', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  await bench.drop('session.jsonl', bytes(SESSION))
  await page.getByRole('button', { name: 'Show the original' }).click()
  await status(bench, 'This is a log in the format “Claude Code”').waitFor()
  await view(bench, 'Compare')
  await page
    .locator('#compare-input')
    .setInputFiles({ name: 'other.jsonl', mimeType: 'text/plain', buffer: Buffer.from(SESSION.replace('Still.', 'No longer.')) })
  await page.getByRole('listbox', { name: 'Steps of both runs' }).waitFor()
  const summary = (await status(bench, 'Steps').innerText()).replaceAll(/\s+/g, ' ')
  assert.match(summary, /1 changed, 0 added, 0 removed/)
  assert.match(summary, /Tokens 2 000 → 2 000/)
})
