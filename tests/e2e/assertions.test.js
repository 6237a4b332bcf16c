// The assertions of a document, with the outcome of each.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const pane = ({ page }) => page.getByRole('region', { name: 'Assertions' })

journey(
  'assertions are reported in words, follow the text, and lead to their step',
  { fragment: '#/edit?d=ex:context_management' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await page.getByRole('button', { name: 'Assertions', exact: true }).click()
    await pane(bench).getByText('2 of 2 passed').waitFor()
    await bench.typeOver('pattern: "8 percent"', 'pattern: "9 percent"')
    await pane(bench).getByText('1 of 2 passed').waitFor()
    const failed = pane(bench).getByRole('button', { name: /^Failed contains/ })
    await failed.filter({ hasText: '`msg_006` does not contain `9 percent`' }).waitFor()
    assert.match(await pane(bench).innerText(), /expected "9 percent" · found "Revenue grew by 8 percent/)
    await failed.focus()
    await page.keyboard.press('Enter')
    await eventually(async () => /Turn 4/.test(await bench.selected.innerText()), true)
    assert.deepEqual(await complaints(page), [])
  },
)
