// The run of a document in each of its modes.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const pane = ({ page }) => page.getByRole('region', { name: 'Assertions' })
const mode = ({ page }) => page.getByRole('combobox', { name: 'Run mode' }).first()

const badges = ({ page }) => page.locator('.run-badge').allInnerTexts()

journey(
  'a recording is run strictly by Ctrl+Enter, also from the source, and each step says what became of it',
  { fragment: '#/edit?d=ex:weather_query_with_tools' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await bench.settled()
    await bench.source.focus()
    await page.keyboard.press('Control+Enter')
    await pane(bench).getByText('Strict: 2 matched, 1 substituted, 0 skipped, 0 diverged').waitFor()
    await pane(bench).getByText('3 of 3 passed').waitFor()
    assert.deepEqual(await badges(bench), ['Matched', 'Substituted', 'Matched'])
    assert.deepEqual(await complaints(page), [])
    // A change makes the run one of another text.
    await bench.typeOver('sunny in NYC', 'rainy in NYC')
    await eventually(() => badges(bench), [])
  },
)

journey('without handlers the other modes say why they cannot run', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await mode(bench).selectOption('Mocked tools')
  await page.getByRole('button', { name: 'Run', exact: true }).first().click()
  await pane(bench).getByText('Mocked tools: not run: the document has no `handlers`.').waitFor()
  assert.deepEqual(await badges(bench), [])
})

const HANDLED = `messages:
  - "user: The weather?"
  - "assistant:call weather(city='Rome')"
  - "tool:weather: {temp: 21}"
  - "assistant: It's 21 degrees."
assertions: [{final_response_contains: '21'}]
handlers:
  bot:
    type: queue
    responses:
      - {content: '', tool_calls: [{name: weather, arguments: {city: Rome}}]}
      - "It's warm."
`

journey('handlers answer for the model, the recording for the tools, and the assertions are about that run', {}, async (bench) => {
  const { page } = bench
  await page.locator('#file-input').setInputFiles({ name: 'handled.yaml', mimeType: 'text/yaml', buffer: Buffer.from(HANDLED) })
  await bench.selected.waitFor()
  await mode(bench).selectOption('Mocked tools')
  await page.getByRole('button', { name: 'Run', exact: true }).first().press('Enter')
  await pane(bench).getByText('Mocked tools: 1 matched, 1 substituted, 0 skipped, 1 diverged').waitFor()
  await pane(bench).getByText('0 of 1 passed').waitFor()
  assert.deepEqual(await badges(bench), ['Matched', 'Substituted', 'Diverged'])
  assert.equal(await page.locator('.run-badge', { hasText: 'Diverged' }).getAttribute('title'), 'Differs in llm_response.content')
  await pane(bench).getByRole('button', { name: 'Open this run as a document' }).click()
  await page.getByText('handled_run.yaml', { exact: true }).first().waitFor()
  await eventually(async () => (await bench.steps.innerText()).includes("It's warm."), true)
})
