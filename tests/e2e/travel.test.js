// A step changed, and the run played on from there.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const dialog = ({ page }) => page.getByRole('dialog', { name: /^Change step/ })

journey(
  'another result of a tool asks the model anew, and the new run opens next to the old',
  { fragment: '#/edit?d=ex:weather_query&s=t2' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await bench.steps.focus()
    await page.keyboard.press('c')
    const field = dialog(bench).getByLabel('Tool result')
    await field.waitFor()
    assert.deepEqual(await complaints(page), [])
    await field.fill('{"temp": 10, "condition": "rainy"}')
    await dialog(bench).getByRole('button', { name: 'Change and replay' }).click()
    await dialog(bench).getByText('The request at step 3 changed. What does the model respond?').waitFor()
    assert.match(await dialog(bench).getByRole('list', { name: 'Request' }).innerText(), /rainy/)
    assert.deepEqual(await complaints(page), [])
    await dialog(bench).getByLabel('Model response').fill('It rains at 10 degrees.')
    await dialog(bench).getByRole('button', { name: 'Respond', exact: true }).click()
    await dialog(bench)
      .getByText(/3 steps · no conflicts in the new run/)
      .waitFor()
    const marks = await dialog(bench).getByRole('list', { name: 'Result for each step' }).getByRole('listitem').allInnerTexts()
    assert.deepEqual(
      marks.map((mark) => mark.replace(/\s+/g, ' ').trim()),
      ['Kept step 1', 'Changed step 2', 'Recomputed step 3'],
    )
    // Back to the question, and on again.
    await dialog(bench).getByRole('button', { name: 'Step back' }).click()
    await dialog(bench).getByLabel('Model response').fill('Ten degrees.')
    await dialog(bench).getByRole('button', { name: 'Respond', exact: true }).click()
    await dialog(bench).getByRole('button', { name: 'Open as a new document' }).click()
    await page.getByText('weather_query_from_2.yaml', { exact: true }).first().waitFor()
    await eventually(async () => (await bench.steps.innerText()).includes('Ten degrees.'), true)
    await page.goBack()
    await bench.address('#/edit?d=ex:weather_query&s=t2')
    await eventually(async () => (await bench.steps.innerText()).includes('72'), true)
  },
)

journey(
  'a step is skipped from its context menu, and a change that cannot be made is reported',
  { fragment: '#/edit?d=ex:weather_query' },
  async (bench) => {
    await bench.selected.waitFor()
    await bench.steps.getByRole('option').nth(3).click({ button: 'right' })
    await dialog(bench).getByLabel('Model response').waitFor()
    await dialog(bench).getByLabel('Move to step').fill('3')
    await dialog(bench).getByRole('button', { name: 'Skip this step' }).click()
    await dialog(bench)
      .getByText(/2 steps/)
      .waitFor()
    await dialog(bench).getByRole('button', { name: 'Step back' }).click()
    await dialog(bench).getByRole('button', { name: 'Close' }).click()
    await dialog(bench).waitFor({ state: 'hidden' })
    assert.equal(await bench.steps.getByRole('option').count(), 4)
  },
)

journey('the first step has nothing to change', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await page.keyboard.press('c')
  assert.equal(await dialog(bench).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Change this step and replay (C)' }).isDisabled(), true)
})
