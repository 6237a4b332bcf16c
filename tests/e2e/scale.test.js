import assert from 'node:assert/strict'
import { journey } from './harness.js'

/** A full transcript of `count` steps that the core finds nothing wrong with. */
export function longRun(count) {
  const lines = [
    'version: "1.0"',
    'metadata: {name: long}',
    'initial_state:',
    '  context: {count: 0}',
    '  message_store:',
    '    - {id: msg_1, role: user, content: "Start", visible: true}',
    'execution:',
  ]
  for (let turn = 1; turn <= count; turn += 1) {
    lines.push(
      `  - turn: ${turn}`,
      '    type: llm_call',
      '    llm_response:',
      `      content: "Answer ${turn} of many, with enough words in it to be cut in the list of steps"`,
      '      usage: {prompt_tokens: 10, completion_tokens: 5, total_tokens: 15}',
      `    message_created: {id: msg_${turn + 1}, role: assistant, content: "Answer ${turn} of many, with enough words in it to be cut in the list of steps", visible: true}`,
      `    state_changes: {context: {count: ${turn}}}`,
    )
  }
  return `${lines.join('\n')}\n`
}

const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length)

journey('ten thousand steps stay within 2,500 nodes at both ends', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const text = longRun(10_000)
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
  await bench.selected.waitFor({ timeout: 60_000 })
  await page.getByText('No problems').waitFor()
  assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`)
  await page
    .getByRole('button', { name: /^Last step/ })
    .first()
    .click()
  await bench.selected.filter({ hasText: 'Answer 10000 of many' }).waitFor()
  assert.equal(await bench.selected.getAttribute('aria-posinset'), '10001')
  assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`)
  await bench.inspector.getByText(/^10.000 earlier messages$/).click()
  const flow = bench.inspector.getByRole('list', { name: 'Message flow' })
  await bench.inspector
    .getByText(/10.001 of 10.001|of 10.001/)
    .first()
    .waitFor()
  await bench.inspector.getByRole('button', { name: 'Earlier' }).first().click()
  await flow.getByText('msg_9961', { exact: true }).waitFor()
  assert.equal(await flow.getByText('msg_10001', { exact: true }).count(), 0)
  await bench.address(`${bench.fragment().split('&')[0]}&s=t10000`)
})

journey('a hundred thousand steps are walked through at both ends', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  await page.evaluate(() => {
    const turns = Array.from({ length: 50_000 }, (_, at) => `  - "user: Question ${at}"\n  - "assistant: Answer ${at}"\n`)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', `messages:\n${turns.join('')}`)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await bench.selected.waitFor({ timeout: 60_000 })
  await page.getByText('No problems').waitFor()
  await page
    .getByRole('button', { name: /^Last step/ })
    .first()
    .click()
  await bench.selected.filter({ hasText: 'Answer 49999' }).waitFor()
  assert.equal(await bench.selected.getAttribute('aria-setsize'), await bench.selected.getAttribute('aria-posinset'))
  await bench.inspector.getByText('Answer 49999').first().waitFor({ timeout: 30_000 })
  assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`)
  await bench.steps.press('Home')
  await bench.selected.filter({ hasText: 'Question 0' }).waitFor()
})

journey('a thousand problems stay within 2,500 nodes', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const items = Array.from({ length: 1_500 }, (_, at) => `  - "nobody_${at}: Hi"`)
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    },
    `messages:\n${items.join('\n')}\n`,
  )
  await bench.problems.getByRole('row').first().waitFor()
  assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`)
})
