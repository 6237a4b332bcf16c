// The keys of WORKBENCH.md that lead from pane to pane and from step to step, and what turns them off.
import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

const FOUR = '#/edit?d=ex:context_management&s=t1'
const focused = (page) => page.evaluate(() => document.activeElement.closest('[id]')?.id ?? '')
const dock = (page) => page.getByRole('region', { name: 'Problems' })

journey('G and a number go to that step', { fragment: FOUR }, async (bench) => {
  const { page } = bench
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.type('3')
  await page.getByRole('option', { name: 'Step 3' }).waitFor()
  await page.keyboard.press('Enter')
  await bench.address('#/edit?d=ex:context_management&s=t3')
})

journey('F6 goes round all panes of a document without problems, and of a comparison', { fragment: FOUR }, async (bench) => {
  const { page } = bench
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  await bench.settled()
  const seen = []
  for (let round = 0; round < 5; round += 1) {
    await page.keyboard.press('F6')
    seen.push(await focused(page))
  }
  assert.deepEqual(seen, ['source-field', 'steps-list', 'inspector-body', 'dock-tab', 'source-field'])
  await page.keyboard.press('Shift+F6')
  assert.equal(await focused(page), 'dock-tab')
})

journey('Ctrl+J folds the dock up and unfolds it with its list in focus', { fragment: FOUR }, async (bench) => {
  const { page } = bench
  await dock(page).getByText('✔ 2/2').waitFor({ timeout: 60_000 })
  await dock(page).getByRole('button', { name: 'Assertions' }).click()
  await dock(page).getByText('2 of 2 passed').waitFor()
  await page.keyboard.press('Control+j')
  await eventually(() => dock(page).getByText('2 of 2 passed').count(), 0)
  await page.keyboard.press('Control+j')
  await dock(page).getByText('2 of 2 passed').waitFor()
  await eventually(() => focused(page), 'assertions-list')
  // The chip in the bar leads there too.
  await page.keyboard.press('Control+j')
  await page.getByRole('button', { name: 'Assertions 2/2' }).click()
  await dock(page).getByText('2 of 2 passed').waitFor()
})

journey('the sheet is searched, and single letters are turned off there and stay so', { fragment: FOUR }, async (bench) => {
  const { page } = bench
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await eventually(() => focused(page), 'sheet-search')
  await page.keyboard.type('gallery')
  await eventually(() => sheet.locator('dd').allInnerTexts(), ['Gallery'])
  await sheet.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('2')
  await page.keyboard.press('F8')
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  assert.match(bench.fragment(), /s=t1$/)
  await page.reload()
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('?')
  assert.equal(await sheet.isVisible(), false)
  await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click()
  await sheet.getByRole('checkbox').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await bench.selected.filter({ hasText: 'Turn 2' }).waitFor()
})

journey('an example that is opened by keyboard has the focus, and says what to try until that is closed', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('link', { name: /^context_management/ }).press('Enter')
  await bench.selected.waitFor()
  await eventually(() => focused(page), 'steps-list')
  const suggestions = page.getByRole('complementary', { name: 'Try' })
  assert.equal(await suggestions.getByRole('listitem').count(), 4)
  await suggestions.getByRole('button', { name: 'Close' }).click()
  await eventually(() => suggestions.count(), 0)
  const other = await bench.reopened('#/edit?d=ex:weather_query')
  await other.selected.waitFor()
  assert.equal(await other.page.getByRole('complementary', { name: 'Try' }).count(), 0)
})

for (const [fragment, report] of [
  ['#/edit?d=ex:context_management&s=t99', 'This run has no step t99: its first one is shown.'],
  ['#/replay?d=ex:context_management&s=t2.t1', 'This run has no step t2.t1: its first one is shown.'],
  [`#/edit?d=ex:context_management&s=${'x'.repeat(300)}`, `This run has no step ${'x'.repeat(40)}: its first one is shown.`],
  ['#/compare?d=ex:weather_query&b=ex:simple_greeting&s=t99', 'The run on the left has no step t99.'],
  ['#/edit?d=ex:context_management&s=t99&lang=de', 'Dieser Lauf hat keinen Schritt t99: zu sehen ist sein erster.'],
]) {
  journey(`a step that the run does not have is reported at ${fragment.slice(0, 60)}`, { fragment }, async (bench) => {
    const { page } = bench
    const banner = page.getByRole('status').filter({ hasText: report })
    await banner.filter({ visible: true }).waitFor({ timeout: 60_000 })
    assert.equal(await banner.filter({ visible: true }).innerText(), report)
    if (!fragment.startsWith('#/edit')) return
    // It goes with the next step that is chosen.
    await page.keyboard.press('j')
    await eventually(() => banner.count(), 0)
    await bench.address(fragment.replace(/s=[^&]*/, 's=t1'))
  })
}

journey('a step that is there has no note', { fragment: FOUR }, async (bench) => {
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  assert.equal(await bench.page.locator('.missed').count(), 0)
})
