// From a log to a test: open it, choose the step, download.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const chat = JSON.stringify([
  { role: 'user', content: 'Which files are there?' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'list', arguments: '{"path":"."}' } }] },
  { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
  { role: 'assistant', content: 'There is one file: a.txt.' },
  { role: 'user', content: 'Remove it.' },
  { role: 'assistant', content: 'Done.' },
])

const dialog = ({ page }) => page.getByRole('dialog', { name: 'Make a test' })
const preview = (bench) => dialog(bench).getByRole('region', { name: 'Preview' })
const checks = (bench) => dialog(bench).getByRole('group', { name: 'The test checks that' })
const check = (bench, name) => checks(bench).getByRole('checkbox', { name })

async function download(bench, name) {
  const button = dialog(bench).getByRole('button', { name: `Download ${name}`, exact: true })
  const [download] = await Promise.all([bench.page.waitForEvent('download'), button.click()])
  return readFile(await download.path(), 'utf8')
}

async function openLog(bench) {
  await bench.drop('chat.json', [...Buffer.from(chat)])
  await bench.page.getByRole('article').filter({ hasText: 'There is one file' }).waitFor()
}

journey('a test of a log ends with the chosen step and checks what is suggested', {}, async (bench) => {
  await openLog(bench)
  // Three clicks: the step, the button, the download.
  await bench.page.getByRole('article').filter({ hasText: 'There is one file' }).click()
  await bench.page.getByRole('button', { name: 'Make a test', exact: true }).click()
  await preview(bench).filter({ hasText: 'tool_called' }).waitFor()
  const text = await download(bench, 'chat.test.js')
  assert.match(text, /from 'vitest'/)
  assert.match(text, /type: tool_called\s+tool: list/)
  assert.match(text, /type: no_errors/)
  assert.match(text, /There is one file/)
  assert.doesNotMatch(text, /Remove it/)
  assert.deepEqual(await complaints(bench.page), [])
})

journey('a person chooses the assertions, the last step and the format', {}, async (bench) => {
  await openLog(bench)
  await bench.page.getByRole('button', { name: 'Make a test', exact: true }).click()
  await check(bench, 'tool_called: list').waitFor()
  const rows = await checks(bench)
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box) => [box.labels[0].textContent, box.checked]))
  assert.deepEqual(rows, [
    ['tool_called: list', true],
    ['no_errors', true],
    ['final_response_contains: Done.', false],
    ['max_turns: 5', false],
  ])
  await check(bench, 'final_response_contains: Done.').focus()
  await bench.page.keyboard.press('Space')
  await preview(bench).filter({ hasText: 'final_response_contains' }).waitFor()
  assert.equal(await check(bench, 'final_response_contains: Done.').evaluate((box) => box === document.activeElement), true)
  await check(bench, 'no_errors').uncheck()
  await dialog(bench).getByRole('spinbutton', { name: 'Last step' }).fill('3')
  await dialog(bench).getByRole('spinbutton', { name: 'Last step' }).press('Tab')
  await check(bench, 'final_response_contains: There is one file: a.txt.').waitFor()
  // Another step has other suggestions, so the choice begins anew.
  await eventually(() => check(bench, 'no_errors').isChecked(), true)
  await dialog(bench).getByRole('radio', { name: 'Full YAML' }).check()
  await preview(bench).filter({ hasText: 'execution:' }).waitFor()
  await dialog(bench).getByRole('spinbutton', { name: 'Last step' }).fill('99')
  await dialog(bench).getByRole('spinbutton', { name: 'Last step' }).press('Tab')
  await dialog(bench).getByText('there is no step `99`').waitFor()
})
