// Notes on the steps of a run.
import assert from 'node:assert/strict'
import { journey } from './harness.js'

const chat = [
  { role: 'user', content: 'How warm is it?' },
  { role: 'assistant', content: 'It is 21 °C.' },
  { role: 'user', content: 'And in Oslo?' },
  { role: 'assistant', content: 'It is 7 °C.' },
]

const dropChat = async (bench) => {
  await bench.drop('chat.json', [...Buffer.from(JSON.stringify(chat))])
  await bench.page.getByRole('article').first().waitFor()
}

const writeNote = async (bench, step, note) => {
  const dialog = bench.page.getByRole('dialog', { name: `Note on step ${step}` })
  await dialog.getByLabel('Note').fill(note)
  await bench.page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'hidden' })
}

journey('a note is written with keys, found, changed and taken back', {}, async (bench) => {
  const { page } = bench
  await dropChat(bench)
  await page.keyboard.press('End')
  await page.keyboard.press('m')
  const note = 'Why so cold?\n<img src=x onerror="window.broken = 1">'
  await writeNote(bench, 3, note)
  const noted = page.getByRole('article').filter({ hasText: 'It is 7 °C.' })
  await noted.getByText('Why so cold?').waitFor()
  assert.equal(await noted.locator('.entry-note').innerText(), note)
  assert.equal(await page.evaluate(() => window.broken), undefined)
  // The summary shows the steps with notes alone.
  await page.getByRole('group', { name: 'Summary' }).getByRole('button', { name: '1 note' }).click()
  await page.getByRole('article').filter({ hasText: 'It is 21 °C.' }).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('article').count(), 1)
  await page.getByRole('group', { name: 'Summary' }).getByRole('button', { name: '1 note' }).click()
  // The document has it, and undo takes it back.
  await bench.edit()
  assert.match(await bench.text(), /\n *# Why so cold\?\n *# <img src=x onerror="window\.broken = 1">\n *- /)
  await bench.steps.getByTitle('Why so cold?').waitFor()
  await bench.steps.focus()
  await page.keyboard.press('Control+z')
  await bench.steps.getByTitle('Why so cold?').waitFor({ state: 'detached' })
  assert.doesNotMatch(await bench.text(), /Why so cold/)
})

journey('a note is changed and removed by its button', {}, async (bench) => {
  const { page } = bench
  await dropChat(bench)
  const step = page.getByRole('article').filter({ hasText: 'It is 21 °C.' })
  await step.click()
  await step.getByRole('button', { name: 'Note' }).click()
  await writeNote(bench, 1, 'bookmark')
  await step.getByText('bookmark').waitFor()
  await step.getByRole('button', { name: 'Note' }).click()
  const dialog = page.getByRole('dialog', { name: 'Note on step 1' })
  assert.equal(await dialog.getByLabel('Note').inputValue(), 'bookmark')
  await dialog.getByRole('button', { name: 'Remove note' }).click()
  await step.getByText('bookmark').waitFor({ state: 'detached' })
})

journey('a document in JSON says why it has no notes', {}, async (bench) => {
  const { page } = bench
  await bench.drop('run.json', [...Buffer.from(JSON.stringify({ messages: ['user: Hi', 'assistant: Hello!'] }))])
  await bench.selected.waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Note on step 1' })
  await dialog.getByLabel('Note').fill('x')
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await dialog.getByRole('alert').getByText('convert the document to YAML').waitFor()
})
