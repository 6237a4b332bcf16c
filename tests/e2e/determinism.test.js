// Whether a document gives the same each time it is run.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const pane = ({ page }) => page.getByRole('region', { name: 'Determinism' })
const tab = ({ page }) => page.getByRole('button', { name: 'Determinism', exact: true })

journey(
  'a recording that is the same twice has one fingerprint, which a change makes old',
  { fragment: '#/edit?d=ex:weather_query' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await tab(bench).click()
    await pane(bench).getByRole('button', { name: 'Run twice', exact: true }).click()
    await pane(bench).getByText('Deterministic: both runs are identical.').waitFor()
    assert.match(await pane(bench).innerText(), /3 steps/)
    const prints = await pane(bench).locator('.prints code').allInnerTexts()
    assert.equal(prints.length, 2)
    assert.match(prints[0], /^[0-9a-f]{64}$/)
    assert.equal(prints[0], prints[1])
    const chip = page.getByRole('button', { name: `Deterministic ${prints[0].slice(0, 8)}` })
    await chip.waitFor()
    assert.deepEqual(await complaints(page), [])
    await bench.typeOver('NYC', 'LA')
    await pane(bench).getByText('The document has changed.').waitFor()
    await chip.waitFor({ state: 'detached' })
    await pane(bench).getByRole('button', { name: 'Run twice again' }).click()
    await eventually(async () => (await pane(bench).locator('.prints code').first().innerText()) !== prints[0], true)
  },
)

journey(
  'the example that fails says at which step and path, why, and opens both runs at that step',
  { fragment: '#/gallery' },
  async (bench) => {
    const { page } = bench
    await page.getByRole('link', { name: /nondeterministic/ }).click()
    await bench.address('#/handlers?d=ex:nondeterministic')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('run twice')
    await page.getByRole('option', { name: /run twice/ }).waitFor()
    await page.keyboard.press('Enter')
    const report = pane(bench)
    await report.getByText('Not deterministic: the runs differ.').waitFor()
    const text = await report.innerText()
    assert.match(text, /First difference: step 3, execution\[2\]\.llm_response\.content/)
    assert.match(text, /The report has temp, condition and wind\./)
    assert.match(text, /The report has wind, condition and temp\./)
    assert.match(text, /Likely cause: a different order, such as that of map keys/)
    const rows = report.getByRole('row')
    assert.equal(await rows.count(), 5)
    assert.equal(await report.locator('tr[aria-current=step] th').innerText(), '3')
    const prints = await report.locator('.prints').first().locator('code').allInnerTexts()
    assert.notEqual(prints[0], prints[1])
    await page.getByRole('button', { name: 'Not deterministic', exact: true }).waitFor()
    assert.deepEqual(await complaints(page), [])
    await report.getByRole('button', { name: 'Open in Compare' }).press('Enter')
    await page.waitForURL(/#\/compare\?d=l:\w+&s=t3&b=l:\w+$/)
    await page.getByText('1 same, 2 changed, 0 added, 0 removed').waitFor()
    const row = page.getByRole('listbox', { name: 'Steps of both runs' }).getByRole('option', { selected: true })
    await row.waitFor()
    assert.match(await row.innerText(), /The report has temp, condition and wind/)
  },
)

journey(
  'handlers without anything to answer are not run, and a note says so',
  { fragment: '#/handlers?d=ex:handler_fsm' },
  async (bench) => {
    const { page } = bench
    await tab(bench).click()
    await pane(bench).getByRole('button', { name: 'Run twice', exact: true }).press('Enter')
    await pane(bench)
      .getByText(/^Not run: the document has neither a run nor `steps`/)
      .waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Not d|D)eterministic/ }).count(), 0)
  },
)

const event = (id, agent, parent) =>
  JSON.stringify({
    event_id: id,
    type: 'state_transition',
    agent_id: agent,
    timestamp_ns: 1,
    parent_event_id: parent,
    payload_hash: '518326b679f26820',
    from_state: 'idle',
    to_state: 'running',
  })
const LOG = [
  event('46bd969b-9530-4e7e-a4af-29b2a01eb7a2', 'bob', null),
  event('08107546-46d9-4f76-81fd-4499d63f5f52', 'ann', '46bd969b-9530-4e7e-a4af-29b2a01eb7a2'),
  event('fd29d5f7-409f-4a5d-8098-2ae648766b06', 'bob', '08107546-46d9-4f76-81fd-4499d63f5f52'),
].join('\n')

journey('a log of events is shuffled and has the same fingerprint each time', {}, async (bench) => {
  const { page } = bench
  await page.locator('#file-input').setInputFiles({ name: 'run.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(`${LOG}\n`) })
  await tab(bench).click()
  await pane(bench).getByRole('button', { name: 'Shuffle and replay twice' }).click()
  await pane(bench).getByText('Deterministic: both runs are identical.').waitFor()
  assert.match(await pane(bench).innerText(), /3 events/)
  const [first, second] = await pane(bench).locator('.prints code').allInnerTexts()
  assert.equal(first, second)
  await pane(bench).getByText('transcript verify-determinism run.jsonl --seed 1', { exact: true }).waitFor()
  await pane(bench).getByRole('button', { name: 'Shuffle again' }).click()
  await pane(bench).getByText('transcript verify-determinism run.jsonl --seed 2', { exact: true }).waitFor()
  assert.equal(await pane(bench).locator('.prints code').first().innerText(), first)
})

journey('the log says what the page did, newest first', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Strict: 2 matched, 1 substituted', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  const log = page.getByRole('region', { name: 'Log' })
  const entries = await log.getByRole('listitem').allInnerTexts()
  assert.match(entries[0], /^\d\d:\d\d:\d\d\s+Ran Strict in [\d.]+ ms: 2 matched, 1 substituted, 0 skipped, 0 diverged$/)
  assert.match(entries.at(-1), /Opened weather_query\.yaml: Compact transcript, 3 steps; 0 errors, 0 warnings; read in [\d.]+ ms$/)
  assert.deepEqual(await complaints(page), [])
})
