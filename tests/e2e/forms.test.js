// The compact form and the full one: each made of the other, and back byte for byte.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const COMPACT = '#/edit?d=ex:weather_query&s=t2'
const FULL = '#/edit?d=ex:weather_query_with_tools'

const form = ({ page }, word) => page.getByRole('group', { name: 'Form of the document' }).getByRole('button', { name: word })
const pressed = async (bench, word) => eventually(() => form(bench, word).getAttribute('aria-pressed'), 'true')
const losses = ({ page }) => page.getByRole('dialog', { name: 'The compact form would lose data' })

journey(
  'a compact run is spelled out and comes back byte for byte, with the step that is selected',
  { fragment: COMPACT },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const compact = await bench.text()
    await pressed(bench, 'Compact')
    await form(bench, 'Full').click()
    await pressed(bench, 'Full')
    const full = await bench.text()
    assert.match(full, /^version: "1.0"\n/)
    // Five messages, three turns; the last call was sent the four before it.
    assert.equal(full.match(/^ +(- )?id: msg_/gm).length, 5)
    assert.equal(full.match(/^ {2}- turn: /gm).length, 3)
    assert.equal(full.slice(full.indexOf('turn: 3'), full.indexOf('final_state')).match(/ref: msg_/g).length, 4)
    await page.getByText('No problems').waitFor()
    assert.match(await bench.selected.innerText(), /Turn 2/)
    await page.getByText('The compact text comes back unchanged').waitFor()
    assert.deepEqual(await complaints(page), [])

    await form(bench, 'Compact').click()
    await pressed(bench, 'Compact')
    assert.equal(await bench.text(), compact)
    assert.match(await bench.selected.innerText(), /Turn 2/)

    // Each switch is one step of the history.
    await bench.source.focus()
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), full)
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), compact)
    await page.keyboard.press('Control+z')
    await eventually(() => bench.text(), compact)
    await page.keyboard.press('Control+Shift+Z')
    await eventually(() => bench.text(), full)
  },
)

journey('an edited full run is compacted anew, edits and all', { fragment: COMPACT }, async (bench) => {
  await bench.selected.waitFor()
  const compact = await bench.text()
  await form(bench, 'Full').click()
  await pressed(bench, 'Full')
  await bench.typeOver('content: You are helpful', 'content: You are brief')
  await form(bench, 'Compact').click()
  await pressed(bench, 'Compact')
  const after = await bench.text()
  assert.notEqual(after, compact)
  assert.match(after, /- "system: You are brief"/)
  assert.match(after, /assistant:call weather\(location='NYC'\)/)
})

journey(
  'what the compact form would lose is listed first, and nothing happens unless it is accepted',
  { fragment: FULL },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const full = await bench.text()
    await pressed(bench, 'Full')
    await form(bench, 'Compact').click()
    await losses(bench).waitFor()
    const lines = await losses(bench).getByRole('listitem').allInnerTexts()
    assert.ok(lines.includes('the `timestamp` of 3 turns'), lines.join('\n'))
    // The three comments above turns are notes, which stay.
    assert.ok(lines.includes("the document's 24 comments"), lines.join('\n'))
    assert.deepEqual(await complaints(page), [])
    // What keeps everything has the focus.
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keep the full form')
    await page.keyboard.press('Enter')
    await losses(bench).waitFor({ state: 'hidden' })
    assert.equal(await bench.text(), full)

    await form(bench, 'Compact').click()
    await losses(bench).getByRole('button', { name: 'Convert anyway' }).click()
    await pressed(bench, 'Compact')
    assert.match(await bench.text(), /^name: /)
    assert.ok((await bench.text()).length < full.length / 2)
    // Nothing is lost as long as the compact form is not edited.
    await form(bench, 'Full').click()
    await pressed(bench, 'Full')
    assert.equal(await bench.text(), full)
  },
)

journey('the palette switches the form, and a text that cannot be read says why it does not', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await bench.settled()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('compact full form')
  await page.keyboard.press('Enter')
  await pressed(bench, 'Full')
  await bench.typeOver('execution:', 'execution: [')
  await page.getByRole('button', { name: /errors?$/ }).waitFor()
  const broken = await bench.text()
  await page.keyboard.press('Escape')
  await form(bench, 'Compact').click()
  await page.getByText(/The form is unchanged: .*cannot be read as a transcript\./).waitFor()
  assert.equal(await bench.text(), broken)
})

journey('a run in JSON stays JSON', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const text = '{"name": "j", "messages": ["user: Hi", "assistant: 72°F 😀"]}\n'
  await bench.drop('run.json', [...Buffer.from(text)])
  await bench.selected.waitFor()
  await form(bench, 'Full').click()
  await pressed(bench, 'Full')
  const full = JSON.parse(await bench.text())
  assert.equal(full.version, '1.0')
  assert.equal(full.execution[0].message_created.content, '72°F 😀')
  await bench.typeOver('"content": "Hi"', '"content": "Hey"')
  await form(bench, 'Compact').click()
  await pressed(bench, 'Compact')
  assert.deepEqual(JSON.parse(await bench.text()), { name: 'j', messages: ['user: Hey', 'assistant: 72°F 😀'] })
})

journey('a line of a compact run says what it expands to', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await bench.settled()
  await page.locator('.cm-line').filter({ hasText: 'sunny!' }).getByText("It's 72°F").first().hover()
  await page.locator('.cm-known').getByText('Expands to').waitFor()
  assert.equal(await page.locator('.cm-known').innerText(), 'Expands to msg_005 and turn 3 (llm_call).')
})

journey('on a phone the views are a list to choose from', { fragment: COMPACT, viewport: { width: 390, height: 844 } }, async (bench) => {
  const { page } = bench
  const views = page.getByRole('combobox', { name: 'View' })
  await views.waitFor()
  assert.equal(await page.getByRole('navigation', { name: 'Views' }).isVisible(), false)
  assert.deepEqual(await views.getByRole('option').allInnerTexts(), ['Read', 'Edit', 'Replay', 'Agents', 'Handlers', 'Compare'])
  assert.ok((await views.boundingBox()).height >= 44)
  await views.selectOption('Replay')
  await eventually(() => bench.fragment().startsWith('#/replay?'), true)
  await views.selectOption('Edit')
  await eventually(() => bench.fragment().startsWith('#/edit?'), true)
  assert.equal(await views.inputValue(), 'edit')
  // The lists at the bottom.
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Problems' }).click()
  await page.getByRole('button', { name: 'Assertions', exact: true }).click()
  await page.getByText('The document has no assertions.').waitFor()
  await page.getByRole('group', { name: 'Lists' }).getByRole('button', { name: 'Problems' }).click()
  await page.getByText('No problems').first().waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  assert.deepEqual(await complaints(page), [])
})
