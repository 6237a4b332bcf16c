// The timeline of the read view: where the time of a run went, and where the run repeated itself.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const call = (turn, time, tool_name, ms, outcome) => ({
  turn,
  type: 'tool_call',
  timestamp: `2026-01-${time}Z`,
  tool_call: { tool_name, parameters: { path: 'src' }, duration_ms: ms, ...outcome },
})
const answer = (turn, time, ms) => ({
  turn,
  type: 'llm_call',
  timestamp: `2026-01-${time}Z`,
  duration_ms: ms,
  llm_response: { content: `Answer ${turn}` },
})
const question = (turn, time) => ({
  turn,
  type: 'message',
  timestamp: `2026-01-${time}Z`,
  message_created: { id: `q${turn}`, role: 'user', content: `Question ${turn}` },
})

/** A test that fails and then passes; the next day a sub-agent with two steps. */
const run = {
  version: '1.0',
  execution: [
    question(1, '01T10:00:00'),
    answer(2, '01T10:00:01', 4000),
    call(3, '01T10:00:05', 'test', 2000, { success: false, error: 'no' }),
    call(4, '01T10:00:07', 'test', 3000, { success: true, result: 'ok' }),
    question(5, '02T07:00:10'),
    call(6, '02T07:00:11', 'ask', 6000, {
      success: true,
      result: { nested_transcript: { version: '1.0', execution: [answer(1, '02T07:00:11', 2000), answer(2, '02T07:00:13', 4000)] } },
    }),
  ],
}

const list = ({ page }) => page.getByRole('listbox', { name: 'Timeline of the run' })
const row = (bench, name) => list(bench).getByRole('option', { name })
const button = ({ page }, name) => page.getByRole('button', { name, exact: true })

/** Opens a document, goes to the read view and there to the timeline. */
async function open(bench, document) {
  await bench.drop('run.json', [...Buffer.from(JSON.stringify(document))])
  await bench.page.waitForURL((url) => /^#\/(edit|read)\?/.test(url.hash))
  await bench.page.evaluate(() => (location.hash = location.hash.replace('#/edit', '#/read')))
  await button(bench, 'Timeline').click()
  await list(bench).getByRole('option').first().waitFor()
}

for (const [name, options] of [
  ['in light', { colorScheme: 'light' }],
  ['in dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
]) {
  journey(`the timeline shows times, idle time, retries and inner runs ${name}`, options, async (bench) => {
    const { page } = bench
    await open(bench, run)
    await row(bench, 'Step 0: Initial state. No time').waitFor()
    await row(bench, 'Step 3: test. Starts at 5.0 s, takes 2.0 s. Failed').waitFor()
    await row(bench, 'Step 4: test. Starts at 7.0 s, takes 3.0 s. retry').waitFor()
    await row(bench, 'Step 5: User. Starts at 21.0 h, takes 1.0 s. idle 21.0 h').waitFor()
    const agent = row(bench, 'Step 6: ask. Starts at 21.0 h, takes 6.0 s. 2 steps inside, hidden')
    await agent.waitFor()

    // Ten seconds, the gap and seven more: the failed call begins before the middle, the agent takes the last third.
    const bar = (row) =>
      row.locator('.timeline-bar').evaluate((bar) => [bar.offsetLeft, bar.offsetWidth].map((n) => n / bar.parentElement.offsetWidth))
    const [failedAt, failedFor] = await bar(row(bench, /^Step 3/))
    assert.ok(failedAt > 0.25 && failedAt < 0.35 && failedFor > 0.08 && failedFor < 0.15, `${failedAt} ${failedFor}`)
    const [agentAt, agentFor] = await bar(agent)
    assert.ok(agentAt > 0.6 && agentFor > 0.3 && agentAt + agentFor < 1.02, `${agentAt} ${agentFor}`)

    await button(bench, '1 retry').click()
    await eventually(() => row(bench, /^Step 4/).getAttribute('aria-selected'), 'true')
    await page.waitForURL((url) => /[?&]s=t4(&|$)/.test(url.hash))

    await list(bench).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await row(bench, /^Step 6: ask.*2 steps inside, shown$/).waitFor()
    await row(bench, 'Step 6.2: LLM call. Starts at 21.0 h, takes 4.0 s').waitFor()
    assert.deepEqual(await complaints(page), [])
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0)
    await page.keyboard.press('Enter')
    await eventually(() => row(bench, /^Step 6\./).count(), 0)

    // The same step is shown in the conversation.
    await button(bench, 'Timeline').click()
    await page.getByRole('feed').locator('[aria-current="true"]').filter({ hasText: 'ask' }).waitFor()
  })
}

journey('of a run without times the timeline says so, and still marks a loop', {}, async (bench) => {
  const { page } = bench
  const { timestamp: _, ...same } = call(1, '01T10:00:00', 'poll', 1, { success: true, result: 'waiting' })
  await open(bench, { version: '1.0', execution: [1, 2, 3].map((turn) => ({ ...same, turn })) })
  await page.getByText('This run has no times').waitFor()
  assert.equal(await page.locator('.timeline-bar').count(), 0)
  await row(bench, 'Step 2: poll. No time. loop 2 of 3').waitFor()
  await button(bench, '1 loop').click()
  await eventually(() => row(bench, /^Step 1/).getAttribute('aria-selected'), 'true')
})
