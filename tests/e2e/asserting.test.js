// Assertions made from visible values: by the menu, by keys, by a button; and their outcomes.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const RUN = '#/edit?d=ex:weather_query&s=t3'
const FULL = '#/edit?d=ex:weather_query_with_tools&s=t1'

const menu = ({ page }) => page.getByRole('dialog', { name: 'Add assertion…' })
const pane = ({ page }) => page.getByRole('region', { name: 'Assertions' })
const step = ({ steps }, n) => steps.getByRole('option', { name: new RegExp(`Turn ${n}\\b`) })

/** Selects what `words` says in the inspector, as a drag over it does; answers where that is. */
const selectWords = (line, words) =>
  line.evaluate((element, words) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    const at = text.data.indexOf(words)
    getSelection().setBaseAndExtent(text, at, text, at + words.length)
    const { x, y, width, height } = getSelection().getRangeAt(0).getBoundingClientRect()
    return [x + width / 2, y + height / 2]
  }, words)

journey('a part of an answer is asserted, fails when the answer changes, and is found by key', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const before = await bench.text()
  const answer = bench.inspector.locator('.assertable pre').filter({ hasText: "It's 72°F" }).first()
  await answer.waitFor()
  await answer.scrollIntoViewIfNeeded()
  await page.mouse.click(...(await selectWords(answer, '72°F')), { button: 'right' })
  await menu(bench).waitFor()
  assert.equal(await menu(bench).getByRole('heading').innerText(), 'Add assertion on msg_005')
  assert.equal(await menu(bench).getByLabel('Text').inputValue(), '72°F')
  assert.deepEqual(await complaints(page), [])
  await menu(bench).getByRole('button', { name: 'Assert contains' }).click()
  await pane(bench).getByText('1 of 1 passed').waitFor()
  await page.getByText('✔ 1/1').waitFor()
  const after = await bench.text()
  assert.match(after, /assertions:\n.*contains/s)
  // All that was there is still there, comments too.
  assert.ok(after.startsWith(before.trimEnd()), after)
  await step(bench, 3).getByText('1 assertion about this step passed').waitFor({ state: 'attached' })
  assert.equal(await pane(bench).locator('.assertion-fresh').count(), 1)

  await bench.typeOver("It's 72°F", "It's 71°F")
  await pane(bench).getByText('0 of 1 passed').waitFor()
  await page.getByText('✖ 0/1').waitFor()
  await step(bench, 3).getByText('1 assertion about this step failed').waitFor({ state: 'attached' })
  await pane(bench)
    .getByText(/expected "72°F" · found "It's 71°F/)
    .waitFor()
  assert.ok((await pane(bench).locator('.assertion-diff del').count()) > 0)
  assert.deepEqual(await complaints(page), [])

  // Away, and back by its key.
  await page.keyboard.press('Escape')
  await bench.steps.focus()
  await page.keyboard.press('Home')
  await eventually(async () => /Initial state/.test(await bench.selected.innerText()), true)
  await page.keyboard.press('e')
  await eventually(async () => /Turn 3/.test(await bench.selected.innerText()), true)
  // One step back each: what was typed, letter by letter as the editor joins it, then the assertion.
  await bench.source.focus()
  for (let presses = 0; presses < 12 && (await bench.text()) !== before; presses += 1) await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), before)
  await pane(bench).getByText('The document has no assertions.').waitFor()
})

journey(
  'a value of a result and an argument are asserted by keyboard alone',
  { fragment: '#/edit?d=ex:weather_query&s=t2' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const result = bench.inspector.locator('.assertable').filter({ hasText: 'condition' }).last()
    await result.getByRole('button', { name: 'Add assertion…' }).focus()
    await page.keyboard.press('Enter')
    await menu(bench).waitFor()
    await eventually(() => page.evaluate(() => document.activeElement.textContent), 'Assert equals')
    await menu(bench).getByLabel('Part').selectOption('/temp')
    await menu(bench).getByRole('button', { name: 'Assert equals' }).press('Enter')
    await pane(bench).getByText('1 of 1 passed').waitFor()
    assert.match(await bench.text(), /type: json_path/)

    // Shift+F10 is the menu of the keyboard.
    const args = bench.inspector.locator('.assertable').filter({ hasText: 'location' }).first()
    await args.getByRole('button', { name: 'Add assertion…' }).focus()
    await page.keyboard.press('Shift+F10')
    await menu(bench).waitFor()
    await menu(bench).getByRole('button', { name: 'Assert exists' }).press('Enter')
    await pane(bench).getByText('2 of 2 passed').waitFor()
    assert.match(await bench.text(), /type: tool_called/)
    await page.keyboard.press('Escape')
  },
)

journey('in a full document the assertion goes among those of its end, and Escape makes none', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const before = await bench.text()
  const comments = before.match(/#/g).length
  const value = bench.inspector.locator('.assertable').first()
  await value.click({ button: 'right' })
  await menu(bench).waitFor()
  await page.keyboard.press('Escape')
  await menu(bench).waitFor({ state: 'hidden' })
  assert.equal(await bench.text(), before)
  const message = bench.inspector.locator('.message .assertable pre').first()
  await message.click({ button: 'right' })
  await menu(bench).getByRole('button', { name: 'Assert equals' }).click()
  await pane(bench).locator('.assertion-fresh').waitFor()
  const after = await bench.text()
  assert.equal(after.match(/#/g).length, comments)
  const [added] = after.split('\n').filter((line) => !before.split('\n').includes(line))
  assert.match(added, /equals/)
  await bench.source.focus()
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), before)
})

journey('what cannot be written says why', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await bench.typeOver('messages:', 'messages: [')
  await page.getByRole('button', { name: /errors?$/ }).waitFor()
  const broken = await bench.text()
  await bench.inspector.locator('.assertable pre').filter({ hasText: "It's 72°F" }).first().click({ button: 'right' })
  await menu(bench).getByRole('button', { name: 'Assert equals' }).click()
  await menu(bench).getByRole('alert').getByText('The document was not changed: the text is not well-formed').waitFor()
  assert.equal(await bench.text(), broken)
})
