import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const samples = fileURLToPath(new URL('../events/samples/', import.meta.url))
const example = await readFile(fileURLToPath(new URL('../../public/examples/event_log_dag.jsonl', import.meta.url)), 'utf8')
const DAG = '#/agents?d=ex:event_log_dag'

// The events of the example by what they are, and the order that follows from the rule: of the events with all causes
// taken, the smallest id. Computed by hand from the ids.
const id = {
  start: 'c963cfe0-afae-4a3b-b909-6a04e7d80068', // planner, idle -> planning
  ask: '26b563b1-e794-4e14-a145-4c40c439f34a', // planner to researcher
  outline: '53d23c0b-df43-4fb2-99fc-fc64e7aa8576', // planner to writer
  outlined: '06e82a01-2b5c-4cd1-a7ca-430e92ac3d42', // writer
  drafting: '1333bc1c-fe6c-4b03-a820-212c69599354', // writer
  question: 'd96e5adf-a2be-4e31-ac8b-e7d742840d2b', // researcher
  archive: '6977a41b-730b-4d9c-94a6-7f00f335c357', // researcher calls
  weather: '7972a36d-51b3-4a6c-a005-0ed31a6e72b9', // researcher calls
  sunny: '542861cd-55e7-467e-ae6a-c4a9e89c5bc7', // weather returns
  closed: 'a0187b4d-5120-4e8f-b327-26d0356a4152', // archive fails
  finding: '8491cabe-a0af-4356-97bc-c74d6d683cf8', // researcher answers
  fact: '67a9b05c-7dfb-47e8-9775-f593ce3ad2b2', // planner to writer
  facts: '3e1dcfb5-92bd-431c-b4d2-ea1614daf467', // writer
  text: '1570bc62-1832-49e2-b3aa-391808fc2081', // writer answers
  done: '41bc858e-b0b4-462e-8e18-a3634891a61b', // planner, planning -> done
  idle: 'c3b1b366-b185-4ac8-80e0-529930b9f609', // writer, drafting -> idle
}
const topological = Object.values(id)
const recorded = example
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).event_id)
const short = (ids) => ids.map((id) => id.slice(0, 8))

const view = ({ page }) => page.getByRole('region', { name: 'Agents' })
const event = ({ page }) => page.getByRole('region', { name: 'Event', exact: true }).first()
const lanes = ({ page }) => page.getByRole('application', { name: 'Agent lanes' })
const table = ({ page }) => page.getByRole('listbox', { name: 'Events' })
const button = (where, name) => where.getByRole('button', { name, exact: true })
const listed = (bench) => table(bench).locator('.event-id').allTextContents()
const at = async (bench) => (await table(bench).getByRole('option', { selected: true }).locator('.event-id').allTextContents())[0]
/** The source, which is not visible here. */
async function source(bench) {
  await bench.settled()
  return bench.page.locator('#source-field').evaluate((field) => field.value)
}
const nodes = ({ page }) => page.evaluate(() => document.querySelectorAll('*').length)

/** Waits until the example is drawn and listed: the first log loads the author. */
async function drawn(bench) {
  await view(bench).getByText('16 events · 3 agents').waitFor({ timeout: 60_000 })
  await table(bench).getByRole('option').first().waitFor({ timeout: 30_000 })
}

/** How many pixels of the lanes have that color of the style sheet, as far as the edges of shapes let it be seen. */
const pixels = ({ page }, property) =>
  page.evaluate((property) => {
    const canvas = document.querySelector('#agents-lanes canvas')
    const sheet = (width, height) =>
      Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true })
    const probe = sheet(1, 1)
    probe.fillStyle = getComputedStyle(canvas).getPropertyValue(property)
    probe.fillRect(0, 0, 1, 1)
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
    const copy = sheet(canvas.width, canvas.height)
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    let found = 0
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] > 250 && Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 8) found += 1
    }
    return found
  }, property)

journey(
  'J8: the example has its lanes in both orders, and shuffling the lines changes neither order nor fingerprint',
  {},
  async (bench) => {
    const { page } = bench
    await page.getByRole('link', { name: /^event_log_dag/ }).click()
    await bench.address(DAG)
    const pane = view(bench)
    await drawn(bench)
    await pane.getByText('13 events change position').waitFor()
    await pane.getByText('2 events were recorded before their parents').waitFor()
    await eventually(() => listed(bench), short(topological))
    await page.getByRole('button', { name: /^Valid/ }).waitFor()
    for (const color of ['--role-user', '--role-assistant', '--role-tool', '--role-system', '--border-strong']) {
      await eventually(async () => (await pixels(bench, color)) > 0, true)
    }
    assert.equal(await pixels(bench, '--warn'), 0)
    const print = await pane.getByText(/^Fingerprint [0-9a-f]{12}$/).textContent()

    await button(pane, 'Recorded order').click()
    await eventually(() => listed(bench), short(recorded))
    assert.equal(await button(pane, 'Recorded order').getAttribute('aria-pressed'), 'true')
    await bench.address(`${DAG}&o=rec`)
    // What was recorded before its cause has an arrow of its own color.
    await eventually(async () => (await pixels(bench, '--warn')) > 0, true)
    await button(pane, 'Topological order').click()
    await bench.address(DAG)

    for (let round = 0; round < 2; round += 1) {
      const before = await source(bench)
      await button(pane, 'Shuffle the lines').click()
      const report = `Lines shuffled: the topological order of the 16 events and the ${print.replace('F', 'f')} are unchanged.`
      await eventually(async () => (await source(bench)) !== before, true)
      await pane.getByText(report).waitFor()
      await eventually(() => listed(bench), short(topological))
      assert.equal(await pane.getByText(/^Fingerprint [0-9a-f]{12}$/).textContent(), print)
      assert.deepEqual((await source(bench)).trim().split('\n').sort(), example.trim().split('\n').sort())
    }
    // The example is a document of one's own now, and its source can be edited and undone.
    assert.match(bench.fragment(), /^#\/agents\?d=l:/)
    await page.keyboard.press('v')
    await page.keyboard.press('e')
    await bench.source.focus()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), example)
  },
)

journey('an event says where it comes from, what it brought about, and how its tie was broken', { fragment: DAG }, async (bench) => {
  await drawn(bench)
  await eventually(() => listed(bench), short(topological))
  await table(bench).getByRole('option').filter({ hasText: 'archive' }).first().click()
  await bench.address(`${DAG}&e=${id.archive}`)
  const pane = event(bench)
  await pane.getByText('7 of 16, layer 4', { exact: true }).waitFor()
  await pane.getByText(`= A tie: of 2 ready events, ${id.archive} has the smallest id.`).waitFor()
  await pane.getByText(`it was ready after \`${id.question}\`, and it has the smallest id of 2 ready events`).first().waitFor()
  assert.deepEqual(
    await pane
      .locator('.event-links')
      .evaluateAll((lists) => lists.map((list) => [...list.querySelectorAll('code')].map((code) => code.textContent))),
    [short([id.archive, id.weather]), short([id.question]), short([id.closed])],
  )
  // Three events before it, seven after it; the table marks them in words, the lanes by what is not dim.
  await view(bench).getByText('Position 7 of 16: researcher, Tool call · 3 before it, 7 after it').waitFor()
  await eventually(
    async () => [await table(bench).getByText('before it').count(), await table(bench).getByText('after it').count()],
    [3, 7],
  )
  await eventually(async () => (await pixels(bench, '--accent')) > 0, true)
  // Ties have their sign in the table: eight places had a choice.
  assert.equal(await table(bench).getByText('= 2').count(), 8)

  await pane
    .getByRole('button', { name: /planner: Task sent|researcher: Task received/ })
    .first()
    .click()
  await eventually(() => at(bench), id.question.slice(0, 8))
  // Another page begins at the same event in the same order.
  const other = await bench.reopened(`${DAG}&o=rec&e=${id.fact}`)
  await drawn(other)
  await eventually(() => at(other), id.fact.slice(0, 8))
  await event(other).getByText('10 of 16, in line 10').waitFor()
})

journey('the lanes are walked through by keys alone', { fragment: DAG }, async (bench) => {
  const { page } = bench
  await drawn(bench)
  await eventually(() => listed(bench), short(topological))
  await lanes(bench).focus()
  const press = async (key, expected) => {
    await page.keyboard.press(key)
    await eventually(() => at(bench), expected.slice(0, 8))
  }
  await press('ArrowRight', id.start)
  await press('ArrowRight', id.ask)
  await press('ArrowDown', id.question)
  await press('ArrowDown', id.archive)
  await press('ArrowRight', id.weather)
  await press('ArrowUp', id.question)
  await press('ArrowLeft', id.question)
  await press('End', id.idle)
  await press('k', id.done)
  await press('j', id.idle)
  await press('Home', id.start)
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement.id), 'event-body')
  await page.keyboard.press('F6')
  await page.keyboard.press('Shift+F6')
  await page.keyboard.press('Shift+F6')
  await eventually(() => page.evaluate(() => document.activeElement.id), 'agents-lanes')
  // Closer, and back to all of it.
  const width = () => page.evaluate(() => document.querySelector('.lanes-space').clientWidth)
  const whole = await width()
  await page.keyboard.press('+')
  await eventually(async () => (await width()) > whole, true)
  await page.keyboard.press('0')
  await eventually(width, whole)
  await page.keyboard.press('Escape')
  await eventually(() => table(bench).getByRole('option', { selected: true }).count(), 0)
  // The table has the same.
  await table(bench).focus()
  await press('ArrowDown', id.start)
  await press('ArrowDown', id.ask)
  await page
    .getByRole('status')
    .filter({ hasText: /^planner: Task sent, 2 of 16, layer 2, to researcher, it was ready after/ })
    .waitFor({ state: 'attached' })
})

journey(
  'J8: a cycle that is typed is reported with its events, and its arrows stand out',
  { fragment: '#/edit?d=ex:event_log_dag' },
  async (bench) => {
    const { page } = bench
    await page.getByRole('button', { name: 'Show the agents' }).waitFor()
    await bench.typeOver('"parent_event_id": null', `"parent_event_id": "${id.done}"`)
    // Round by way of the smallest ids: outlined, outline, start, done, text, facts, drafting.
    const report = `the event \`${id.outlined}\` depends on \`${id.outline}\`, in a cycle of 7 events`
    await bench.problems.getByText(report).waitFor()
    assert.equal(await bench.problems.getByRole('row').count(), 1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show the agents' }).click()
    const banner = view(bench).getByRole('status').filter({ hasText: 'and is not replayed' })
    await banner.waitFor()
    assert.match(
      await banner.innerText(),
      new RegExp(`The log has 1 error and is not replayed\\. Line 2: ${report}\\. 16 events depend on a cycle and come last\\.`),
    )
    await eventually(async () => (await pixels(bench, '--error')) > 0, true)
    assert.equal(
      await view(bench)
        .getByText(/^Fingerprint/)
        .count(),
      0,
    )
    assert.equal(await table(bench).getByText('waits').count(), 16)
    // The order of what waits is that of the lines; shuffling is no way out, and says so.
    await table(bench).getByRole('option').first().click()
    await event(bench).getByText('none: it depends on a cycle', { exact: true }).waitFor()
    await event(bench).getByText(report).waitFor()
    await banner.getByRole('button', { name: 'Show in the source' }).click()
    await page.waitForURL((url) => url.hash.startsWith('#/edit'))
    await eventually(async () => (await bench.caret()).line, 2)
  },
)

journey('dropped logs open in this view; orphans and ids that two events have are reported', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const lines = example
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  // The second line names an event that is nowhere, the last one has the id of the first.
  lines[1].parent_event_id = '00000000-0000-4000-8000-000000000000'
  lines[15].event_id = lines[0].event_id
  await bench.drop('broken.jsonl', [...Buffer.from(lines.map((line) => JSON.stringify(line)).join('\r\n'))])
  await page.waitForURL((url) => url.hash.startsWith('#/agents'))
  const pane = view(bench)
  await pane.getByText(/^The log has 2 errors and is not replayed\./).waitFor()
  assert.equal(await table(bench).getByText('error', { exact: true }).count(), 2)
  await table(bench).getByRole('option').filter({ hasText: 'recorded 2' }).first().click()
  await event(bench).getByText('unknown parent event `00000000-0000-4000-8000-000000000000`').waitFor()
  await table(bench).getByRole('option').filter({ hasText: 'recorded 16' }).click()
  await event(bench).getByText(`duplicate event id \`${id.start}\``).waitFor()
  // Its id is that of another one, so that its place names it.
  await page.waitForURL((url) => url.hash.endsWith('&e=%2316'))

  const forest = await readFile(`${samples}forest60.jsonl`, 'utf8')
  await bench.drop('forest60.jsonl', [...Buffer.from(forest)])
  await pane.getByText('60 events · ').waitFor()
  const expected = short(JSON.parse(await readFile(`${samples}forest60.expected_order.json`, 'utf8')).kahn_min_heap)
  await eventually(async () => (await listed(bench)).slice(0, 10), expected.slice(0, 10))
  await table(bench).focus()
  await page.keyboard.press('End')
  await eventually(() => at(bench), expected.at(-1))
})

journey(
  'a transcript shows the agents inside it, and says so where there are none',
  { fragment: '#/agents?d=ex:nested_agent_call' },
  async (bench) => {
    const { page } = bench
    const pane = view(bench)
    await pane.getByText('4 events · 2 agents').waitFor()
    const agents = await table(bench).locator('.event-what > b').allTextContents()
    assert.equal(new Set(agents).size, 2)
    // The source is no log, so that there are no lines to shuffle.
    assert.equal(await button(pane, 'Shuffle the lines').count(), 0)
    await page.goto(`${bench.url}#/agents?d=ex:handler_fsm`)
    await pane.getByRole('heading', { name: 'No events' }).waitFor()
    await pane.getByRole('link', { name: 'event_log_dag' }).click()
    await pane.getByText('16 events · 3 agents').waitFor()
  },
)

journey('a hundred thousand events are drawn and listed within 2,500 nodes', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  await page.evaluate(() => {
    const uuid = (at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const line = (at) =>
      `{"event_id":"${uuid(at)}","type":"state_transition","agent_id":"agent-${at % 7}","timestamp_ns":${at},"parent_event_id":${at < 3 ? 'null' : `"${uuid(at - (at % 3) - 1)}"`},"payload_hash":"74234e98afe7498f","payload":null,"from_state":"a","to_state":"b"}\n`
    const text = Array.from({ length: 100_000 }, (_, at) => line(at)).join('')
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], 'long.jsonl'))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  })
  const pane = view(bench)
  await pane.getByText('100\u202f000 events · 7 agents').waitFor({ timeout: 90_000 })
  await pane.getByText('Both orders are the same').waitFor()
  await pane.getByText('At this zoom, a bar shows all events at its position.').waitFor()
  await eventually(async () => (await pixels(bench, '--border-strong')) > 1000, true)
  assert.ok((await nodes(bench)) <= 2_500, `${await nodes(bench)} nodes`)
  await table(bench).focus()
  await page.keyboard.press('End')
  await table(bench).getByText('00000000').last().waitFor({ timeout: 30_000 })
  await event(bench).getByText('100\u202f000 of 100\u202f000, in line 100\u202f000').waitFor({ timeout: 30_000 })
  for (let round = 0; round < 25; round += 1) await button(pane, 'Zoom in (+)').click()
  await eventually(() => pane.getByText('From so far off').count(), 0)
  await eventually(async () => (await pixels(bench, '--role-system')) > 50, true)
  assert.ok((await nodes(bench)) <= 2_500, `${await nodes(bench)} nodes`)
  await lanes(bench).focus()
  await page.keyboard.press('ArrowLeft')
  await event(bench).getByText('99\u202f993 of 100\u202f000, in line 99\u202f993').waitFor({ timeout: 30_000 })
})

for (const colorScheme of ['light', 'dark']) {
  journey(`axe finds nothing serious in the lanes, ${colorScheme}`, { colorScheme, fragment: `${DAG}&e=${id.archive}` }, async (bench) => {
    await event(bench).getByText('7 of 16, layer 4', { exact: true }).waitFor({ timeout: 60_000 })
    await eventually(() => table(bench).getByText('before it').count(), 3)
    assert.deepEqual(await complaints(bench.page), [])
  })
}

journey(
  'on a phone the lanes, the event and the source have the page one after the other',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: DAG },
  async (bench) => {
    const { page } = bench
    const panes = page.getByRole('navigation', { name: 'Panes' })
    await eventually(() => panes.getByRole('button', { name: 'Agents' }).getAttribute('aria-current'), 'page')
    await drawn(bench)
    await eventually(() => table(bench).getByRole('option').first().getAttribute('aria-setsize'), '16')
    await table(bench).getByRole('option').nth(6).tap()
    const fits = async () =>
      assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]), [390, 390])
    await fits()
    assert.deepEqual(await complaints(page), [])
    await panes.getByRole('button', { name: 'Event' }).tap()
    await event(bench).getByText('7 of 16, layer 4', { exact: true }).waitFor({ timeout: 60_000 })
    await fits()
    assert.deepEqual(await complaints(page), [])
    await panes.getByRole('button', { name: 'Source' }).tap()
    await page.getByText('c963cfe0').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Cards' }).count(), 0)
    await fits()
    // All events can be reached: the list only has the rows near the visible ones.
    await panes.getByRole('button', { name: 'Agents' }).tap()
    const last = table(bench).locator('[role=option][aria-posinset="16"]')
    await table(bench)
      .getByRole('option')
      .first()
      .evaluate((row) => {
        const list = row.closest('[role=listbox]')
        list.scrollTop = list.scrollHeight
      })
    await eventually(() => last.isVisible(), true)
  },
)

journey('an event that the log does not have is reported, until one is selected', { fragment: `${DAG}&e=nowhere` }, async (bench) => {
  await drawn(bench)
  const report = event(bench).getByText('This log has no event nowhere.')
  await report.waitFor()
  await lanes(bench).press('Home')
  await eventually(() => report.count(), 0)
})

for (const [what, options] of [
  ['a wide screen', { viewport: { width: 1440, height: 900 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
]) {
  journey(
    `the lanes have their ring on all sides, and nothing below them moves, on ${what}`,
    { ...options, fragment: DAG },
    async (bench) => {
      await drawn(bench)
      // The last line above the lanes, which comes after them.
      await bench.page
        .getByText(/^Fingerprint/)
        .first()
        .waitFor()
      const top = () => table(bench).evaluate((table) => table.getBoundingClientRect().top)
      const before = await top()
      await lanes(bench).focus()
      await bench.page.keyboard.press('Home')
      await bench.page.getByText('Position 1 of 16').first().waitFor()
      assert.equal(await top(), before)
      const ring = await lanes(bench).evaluate((lanes) => {
        const sides = ['Top', 'Right', 'Bottom', 'Left']
        const style = getComputedStyle(lanes)
        const canvas = lanes.querySelector('canvas').getBoundingClientRect()
        const box = lanes.getBoundingClientRect()
        // The canvas leaves the border free.
        const isFree = canvas.left >= box.left + 2 && canvas.top >= box.top + 2 && canvas.right <= box.right - 2
        return [new Set(sides.map((side) => style[`border${side}Color`])).size, style.borderTopWidth, isFree]
      })
      assert.deepEqual(ring, [1, '2px', true])
    },
  )
}

journey(
  'on a phone the legend of the lanes is folded up, and unfolds',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: DAG },
  async (bench) => {
    const { page } = bench
    await drawn(bench)
    const sign = page.locator('.lanes-legend li').first()
    assert.equal(await sign.isVisible(), false)
    await page.getByText('Legend').tap()
    await sign.waitFor()
    assert.equal(await page.locator('.lanes-legend li').count(), 7)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    assert.deepEqual(await complaints(page), [])
  },
)

journey('when the worker of the log ends, the view says why', { fragment: DAG }, async (bench) => {
  const { page } = bench
  await drawn(bench)
  const author = page.workers().find((worker) => worker.url().includes('/author-'))
  await author.evaluate(() => {
    setTimeout(() => {
      throw new Error('no memory')
    })
  })
  await table(bench).getByRole('option').nth(3).click()
  await view(bench).getByText('what was asked about is no longer at hand').waitFor()
  assert.equal(await table(bench).count(), 0)
})
