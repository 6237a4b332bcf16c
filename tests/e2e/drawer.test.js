// Where two panes share the screen, the inspector is a drawer at the right: it comes, goes, and takes nothing away.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const RUN = '#/edit?d=ex:context_management&s=t1'
const inspector = ({ page }) => page.locator('#pane-inspector')
const focused = (page) => page.evaluate(() => document.activeElement.closest('[id]')?.id ?? '')
const row = (bench, name) => bench.steps.getByRole('option').filter({ hasText: name })

/** What reaches out of its pane, or below another pane. */
const overflowing = (page) =>
  page.evaluate(() => {
    const panes = [...document.querySelectorAll('.workbench > .pane')].filter((pane) => pane.checkVisibility())
    const places = panes.map((pane) => pane.getBoundingClientRect())
    const out = panes.flatMap((pane, at) =>
      [...pane.querySelectorAll('button, h2, input, .pane-facts')].filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return element.checkVisibility() && width > 1 && (left < places[at].left - 1 || right > places[at].right + 1)
      }),
    )
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1
    const over = panes.filter((_, at) => places.some((place, other) => other > at && !apart(places[at], place)))
    const wide = document.documentElement.scrollWidth - innerWidth
    return [
      ...out.map((element) => element.outerHTML.slice(0, 120)),
      ...over.map((pane) => `${pane.id} lies over another`),
      ...(wide > 0 ? [`the page, by ${wide}`] : []),
    ]
  })

for (const width of [800, 1000, 1199]) {
  const size = { viewport: { width, height: 800 } }
  journey(
    `${width} pixels wide, a step that is pressed opens the drawer, and Escape gives the focus back to the list`,
    { ...size, fragment: RUN },
    async (bench) => {
      const { page } = bench
      await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
      assert.equal(await inspector(bench).isVisible(), false)
      await row(bench, 'Turn 2').click()
      await bench.inspector.getByText('Turn 2').first().waitFor()
      const place = await inspector(bench).boundingBox()
      assert.equal(Math.round(place.x + place.width), width)
      // The list stays in use next to it.
      await row(bench, 'Turn 3').click()
      await bench.inspector.getByText('Turn 3').first().waitFor()
      await page.keyboard.press('ArrowUp')
      await bench.inspector.getByText('Turn 2').first().waitFor()
      await bench.source.waitFor()
      await bench.inspector.getByRole('tab', { name: 'State' }).click()
      await page.keyboard.press('Escape')
      await eventually(() => inspector(bench).isVisible(), false)
      await eventually(() => focused(page), 'steps-list')
      assert.match(await bench.selected.innerText(), /Turn 2/)
      // Stepping on leaves it closed, Enter opens it.
      await page.keyboard.press('ArrowDown')
      await bench.selected.filter({ hasText: 'Turn 3' }).waitFor()
      assert.equal(await inspector(bench).isVisible(), false)
      await page.keyboard.press('Enter')
      await bench.inspector.waitFor()
      assert.equal(await focused(page), 'steps-list')
      await bench.inspector.getByRole('button', { name: 'Close the inspector (Esc)' }).click()
      await eventually(() => inspector(bench).isVisible(), false)
      await eventually(() => focused(page), 'steps-list')
    },
  )

  for (const lang of ['en', 'de', 'qps']) {
    journey(
      `nothing sticks out next to the drawer ${width} pixels wide in ${lang}`,
      { ...size, fragment: `#/edit?d=ex:context_management&s=t3&i=llm&lang=${lang}` },
      async ({ page }) => {
        await page.locator('#pane-inspector').waitFor()
        await page.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
        await page.locator('.dock-total', { hasText: '2/2' }).waitFor({ timeout: 30_000 })
        for (const tab of ['step', 'state', 'llm', 'messages', 'raw']) {
          await page.locator(`#look-${tab}`).click()
          await eventually(() => overflowing(page), [])
        }
        await page.locator('.dock-tab').nth(1).click()
        await page.locator('#assertions-list').waitFor()
        assert.deepEqual(await overflowing(page), [])
        assert.deepEqual(await complaints(page), [])
      },
    )
  }
}

const MIDDLE = { viewport: { width: 1000, height: 800 }, fragment: RUN }

journey('the drawer is opened by keys and by the palette, and is as it was left after a reload', MIDDLE, async (bench) => {
  const { page } = bench
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  await page.keyboard.press('2')
  await bench.inspector.getByRole('tab', { name: 'State', selected: true }).waitFor()
  // The address follows after a moment.
  await page.waitForURL(/i=state/)
  await page.reload()
  await bench.inspector.getByRole('tab', { name: 'State', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => inspector(bench).isVisible(), false)
  // The address still names a tab, but it was closed by hand.
  await page.reload()
  await bench.selected.waitFor()
  assert.equal(await inspector(bench).isVisible(), false)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Inspector: Messages')
  await page.keyboard.press('Enter')
  await bench.inspector.getByRole('tab', { name: 'Messages', selected: true }).waitFor()
})

journey('F6 goes round the panes in sight, the drawer only when it is open', MIDDLE, async (bench) => {
  const { page } = bench
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  await bench.settled()
  const round = async (count) => {
    const seen = []
    for (let at = 0; at < count; at += 1) {
      await page.keyboard.press('F6')
      seen.push(await focused(page))
    }
    return seen
  }
  assert.deepEqual(await round(4), ['source-field', 'steps-list', 'dock-tab', 'source-field'])
  await row(bench, 'Turn 2').click()
  await bench.inspector.waitFor()
  assert.deepEqual(await round(4), ['inspector-body', 'dock-tab', 'source-field', 'steps-list'])
})

journey(
  'where there is room for three panes, and in Replay, the inspector has no button to close it',
  { viewport: { width: 1200, height: 800 }, fragment: RUN },
  async (bench) => {
    const { page } = bench
    const close = bench.inspector.getByRole('button', { name: 'Close the inspector (Esc)' })
    await bench.inspector.waitFor()
    assert.equal(await close.isVisible(), false)
    await bench.steps.focus()
    await page.keyboard.press('Escape')
    assert.equal(await inspector(bench).isVisible(), true)
    await page.setViewportSize({ width: 1000, height: 800 })
    await eventually(() => inspector(bench).isVisible(), false)
    await page.keyboard.press('v')
    await page.keyboard.press('r')
    await bench.inspector.waitFor()
    assert.equal(await close.isVisible(), false)
  },
)
