import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const tab = ({ page }, name) => page.getByRole('tab', { name, exact: true })
const panel = ({ page }) => page.getByRole('tabpanel')
const texts = async (locator) => (await locator.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())

/** Opens a text that a person pastes into the gallery. */
async function paste({ page, selected }, text) {
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
  await selected.waitFor({ timeout: 60_000 })
}

journey('digits and arrows choose a tab, which the address keeps', { fragment: '#/edit?d=ex:context_management&s=t4' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  assert.deepEqual(await texts(page.getByRole('tab')), ['Step', 'State', 'LLM', 'Messages', 'Raw'])
  assert.equal(await tab(bench, 'Step').getAttribute('aria-selected'), 'true')
  for (const [key, name, word] of [
    ['2', 'State', 'state'],
    ['3', 'LLM', 'llm'],
    ['4', 'Messages', 'messages'],
    ['5', 'Raw', 'raw'],
  ]) {
    await page.keyboard.press(key)
    assert.equal(await tab(bench, name).getAttribute('aria-selected'), 'true')
    await bench.address(`#/edit?d=ex:context_management&s=t4&i=${word}`)
  }
  await tab(bench, 'Raw').focus()
  await page.keyboard.press('ArrowRight')
  await bench.address('#/edit?d=ex:context_management&s=t4')
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Step')
  await page.keyboard.press('ArrowRight')
  await bench.address('#/edit?d=ex:context_management&s=t4&i=state')
  await page.reload()
  await bench.selected.waitFor()
  assert.equal(await tab(bench, 'State').getAttribute('aria-selected'), 'true')
})

journey('what the model saw stands against what the store holds', { fragment: '#/edit?d=ex:context_management&s=t4' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await page.keyboard.press('l')
  const rows = page.getByRole('list', { name: 'Store and sent messages' }).locator(':scope > li')
  await rows.first().waitFor()
  assert.equal(await rows.count(), 5)
  const body = (await panel(bench).innerText()).replace(/\s+/g, ' ')
  assert.match(body, /Store 5 messages · \d+ characters/)
  assert.match(body, /Sent to model 4 messages · \d+ characters · 88 tokens/)

  const hidden = rows.nth(1)
  assert.match((await hidden.innerText()).replace(/\s+/g, ' '), /msg_002.*Hidden since step 3.*Not sent Hidden since step 3/)
  assert.equal(await hidden.locator('.message-hidden').evaluate((card) => getComputedStyle(card).borderTopStyle), 'dashed')

  const changed = rows.filter({ hasText: 'Transformed' })
  assert.equal(await changed.count(), 1)
  assert.match((await texts(changed.locator('ins'))).join(' '), /\(shortened\)/)
  assert.match((await texts(changed.locator('del'))).join(' '), /The new office in Lyon opened in August/)
  // The answer is below.
  assert.match(body, /Revenue grew by 8 percent, to 12\.4 million\./)

  await page.keyboard.press('h')
  await eventually(() => rows.count(), 4)
  assert.equal(await page.getByRole('button', { name: 'Hidden messages' }).getAttribute('aria-pressed'), 'false')
  await page.keyboard.press('h')
  await eventually(() => rows.count(), 5)

  await page.keyboard.press('l')
  await bench.address('#/edit?d=ex:context_management&s=t4&i=messages')
  await page.keyboard.press('l')
  await bench.address('#/edit?d=ex:context_management&s=t4&i=llm')
})

/** A run of 32 messages. Its last call lacks one of them, has another in short, and has settings of its own. */
const LONG_RUN = `agent_config: {model: gpt-4, temperature: 0}
execution:
${Array.from({ length: 16 }, (_, at) => {
  const [question, answer] = [`id: q${at}, role: user, content: "Question ${at}"`, `role: assistant, content: "Answer ${at}"`]
  const sent = Array.from({ length: 16 }, (_, n) => `{ref: q${n}}, {ref: a${n}}`).join(', ')
  const last = sent.replace('{ref: a0}, ', '').replace('{ref: q3}', '{ref: q3, content: "Question 3 in short"}').replace(', {ref: a15}', '')
  const request = at === 15 ? `llm_config: {temperature: 1}, messages_sent_to_llm: [${last}]` : 'messages_sent_to_llm: visible'
  return `  - {turn: ${2 * at + 1}, type: message, message_created: {${question}}}
  - {turn: ${2 * at + 2}, type: llm_call, ${request}, llm_response: {content: "Answer ${at}", reasoning: "Because ${at}"}, message_created: {id: a${at}, ${answer}}}`
}).join('\n')}
`

journey('a step of a long run has its own content first, its history folded, and what its request changed', {}, async (bench) => {
  const { page } = bench
  await paste(bench, LONG_RUN)
  await bench.steps.press('End')
  await bench.selected.filter({ hasText: 'Answer 15' }).waitFor()
  const body = panel(bench)
  await body.getByText('2 messages added').waitFor()

  // The layers keep their numbers; what the step did is at the top and within one screen.
  assert.deepEqual(await texts(body.getByRole('heading', { level: 3 })), ['LLM interaction', 'Agent state', 'Message flow'])
  assert.deepEqual(await texts(body.locator('.layer-number')), ['LAYER 3', 'LAYER 1', 'LAYER 2'])
  const answer = body.locator('.layer-3 .message').filter({ hasText: 'Answer 15' }).first()
  assert.match((await answer.innerText()).replace(/\s+/g, ' '), /a15 \+ New here Answer 15/)
  const { top } = await body.evaluate((element) => element.getBoundingClientRect().toJSON())
  assert.ok((await answer.boundingBox()).y - top < 200)
  assert.equal(await body.getByText('Because 15').count(), 0)
  await body.getByText('Reasoning', { exact: true }).click()
  await body.getByText('Because 15').waitFor()

  // The request against that of step 30.
  const changes = body.getByRole('list', { name: 'Changes since the previous request' }).locator(':scope > li')
  assert.match(await body.locator('.prompt-counts').innerText(), /2 messages added · 1 removed · 1 changed · 27 unchanged/)
  assert.deepEqual(
    (await texts(changes)).map((text) => text.replace(/^\S+ /, '')),
    ['a0 − removed Answer 0', 'q3 ~ changed Question 3 in short', 'a14 + added Answer 14', 'q15 + added Question 15'],
  )
  assert.deepEqual(await texts(changes.locator('ins')), ['in short'])
  assert.match(await body.locator('.prompt-counts + h5 + .changes').innerText(), /temperature\s+0 → 1/)
  await body.getByText('All 30 messages').click()
  const sent = page.getByRole('list', { name: 'Sent to the model', exact: true }).locator(':scope > li')
  await eventually(() => sent.count(), 30)

  // The store has the message of the step, and the others on request: by key as well.
  const flow = page.getByRole('list', { name: 'Message flow' }).locator(':scope > li')
  assert.deepEqual(await texts(flow), ['Assistant a15 + New here Answer 15'])
  await body.locator('summary').filter({ hasText: '31 earlier messages' }).press('Enter')
  await eventually(() => flow.count(), 32)
  await body.getByText('All 32 messages').waitFor()
  assert.deepEqual(await complaints(page), [])

  // What is open stays so, and leads to the request before; the first one has none.
  await body.getByRole('button', { name: 'Go to the previous request in step 30' }).click()
  await bench.selected.filter({ hasText: 'Answer 14' }).waitFor()
  await eventually(() => flow.count(), 30)
  await body.getByText('2 messages added · 27 unchanged').waitFor()
  await bench.steps.press('Home')
  await bench.steps.press('j')
  await bench.steps.press('j')
  await bench.selected.filter({ hasText: 'Answer 0' }).waitFor()
  await body.getByText('Changes since the previous request').click()
  await body.getByText('This is the first request of this agent').waitFor()

  // The tab LLM has the same at its top, and a message that nobody answers stands above the layers.
  await bench.steps.press('End')
  await bench.steps.press('3')
  await eventually(() => changes.count(), 4)
  await bench.steps.press('1')
  await bench.steps.press('k')
  await bench.selected.filter({ hasText: 'Question 15' }).waitFor()
  await eventually(() => texts(body.getByRole('heading', { level: 3 })), ['New message', 'LLM interaction', 'Agent state', 'Message flow'])
})

journey('a step that calls no model leads to those that do', { fragment: '#/edit?d=ex:context_management&s=t3&i=llm' }, async (bench) => {
  const { page } = bench
  await page.getByText('This step calls no model.').waitFor()
  assert.match((await panel(bench).innerText()).replace(/\s+/g, ' '), /Visible to the model 4 messages/)
  await page.getByRole('button', { name: 'Next model call' }).click()
  await bench.address('#/edit?d=ex:context_management&s=t4&i=llm')
  await panel(bench).getByText('Transformed').waitFor()
})

journey(
  'hiding a message in the source changes what the model saw',
  { fragment: '#/edit?d=ex:context_management&s=t3&i=llm' },
  async (bench) => {
    await bench.selected.waitFor()
    const isVisible = async () => /Visible to the model 5 messages/.test((await panel(bench).innerText()).replace(/\s+/g, ' '))
    await eventually(isVisible, false)
    await bench.typeOver('msg_002: false', 'msg_002: true')
    await eventually(isVisible, true)
  },
)

journey(
  'the state is a tree with what the step did, and a value has its history',
  { fragment: '#/edit?d=ex:context_management&s=t4&i=state' },
  async (bench) => {
    const { page } = bench
    const tree = page.getByRole('listbox', { name: 'State after this step' })
    const rows = tree.getByRole('option')
    await rows.first().waitFor()
    await eventually(
      () => texts(rows),
      ['~ changed budget_tokens 330 → 227', '▾ ~ changed summarised 1 inside', '+ added 0 "msg_004"', '− removed report_loaded "Q3"'],
    )
    await panel(bench).getByText('3 changes').waitFor()

    // A closed branch shows its size alone.
    await page.keyboard.press('1')
    await page.keyboard.press('2')
    await rows.nth(1).click()
    await bench.address('#/edit?d=ex:context_management&s=t4&i=state&j=summarised')
    await tree.press('ArrowLeft')
    await eventually(() => rows.count(), 3)
    await tree.press('ArrowRight')
    await eventually(() => rows.count(), 4)

    await rows.first().click()
    await bench.address('#/edit?d=ex:context_management&s=t4&i=state&j=budget_tokens')
    const history = page.getByRole('region', { name: 'History of budget_tokens' })
    const values = history.getByRole('listitem')
    await eventually(() => texts(values), ['t0 400', 't2 330', 't4 227 now'])
    await history.getByText('227 to 400').waitFor()
    await values.nth(1).getByRole('button').click()
    await bench.address('#/edit?d=ex:context_management&s=t2&i=state&j=budget_tokens')
    await eventually(() => texts(values), ['t0 400', 't2 330 now', 't4 227'])
    await history.getByRole('button', { name: 'Close the history' }).click()
    await bench.address('#/edit?d=ex:context_management&s=t2&i=state')

    // Only changes, then all of it; a step that changes nothing says so.
    await page.keyboard.press('d')
    await eventually(() => texts(rows), ['~ changed budget_tokens 400 → 330', '+ added report_loaded "Q3"'])
    await page.keyboard.press('j')
    await panel(bench).getByText('This step does not change the state.').waitFor()
    await page.keyboard.press(']')
    await bench.address('#/edit?d=ex:context_management&s=t4&i=state')
    await page.keyboard.press('[')
    await bench.address('#/edit?d=ex:context_management&s=t2&i=state')
    await page.keyboard.press('d')
    await eventually(() => rows.count(), 3)
    await page.getByRole('searchbox', { name: 'Filter by path or value' }).fill('Q3')
    await eventually(() => texts(rows), ['+ added report_loaded "Q3"'])
    await page.getByRole('searchbox', { name: 'Filter by path or value' }).fill('nowhere')
    await panel(bench).getByText('No match for nowhere in the state.').waitFor()
  },
)

journey(
  'an address with a path shows its history at once',
  { fragment: '#/edit?d=ex:weather_query_with_tools&s=t1&i=state&j=conversation_count' },
  async ({ page }) => {
    const history = page.getByRole('region', { name: 'History of conversation_count' })
    await history.getByRole('listitem').first().waitFor()
    await eventually(() => texts(history.getByRole('listitem')), ['t0 0', 't1 1 now', 't3 2'])
  },
)

journey('the conversation has each result in its call', { fragment: '#/edit?d=ex:error_handling&s=t2&i=messages' }, async (bench) => {
  const { page } = bench
  const messages = page.getByRole('list', { name: 'The conversation at this step' }).locator(':scope > li')
  await messages.first().waitFor()
  const call = messages.filter({ hasText: 'Failed' })
  assert.equal(await call.count(), 1)
  assert.match((await call.innerText()).replace(/\s+/g, ' '), /Assistant.*Failed.*timeout: rates\.example did not answer within 5 s/)
  await page.keyboard.press('k')
  await panel(bench).getByText('1 call without a result').waitFor()
  assert.match((await messages.last().innerText()).replace(/\s+/g, ' '), /Not run yet/)
  await messages.last().getByRole('button', { name: 'Go to the result in step 2' }).click()
  await bench.address('#/edit?d=ex:error_handling&s=t2&i=messages')
})

journey('a result that answers no call is flagged', {}, async (bench) => {
  await paste(bench, "messages:\n  - 'user: Hi'\n")
  await bench.typeOver(
    "messages:\n  - 'user: Hi'\n",
    `execution:
  - {turn: 1, type: message, message_created: {id: m1, role: tool, tool_call_id: lost, content: "72"}}
  - {turn: 2, type: llm_call, llm_response: {content: "", tool_calls: [{id: c1, function: {name: weather, arguments: {}}}]}, message_created: {id: m2, role: assistant, content: "", tool_calls: [{id: c1, function: {name: weather, arguments: {}}}]}}
`,
  )
  await eventually(() => bench.steps.getByRole('option').count(), 3)
  await bench.page.keyboard.press('F6')
  await bench.steps.press('End')
  await bench.steps.press('4')
  const messages = bench.page.getByRole('list', { name: 'The conversation at this step' }).locator(':scope > li')
  await messages.first().waitFor()
  assert.match((await messages.first().innerText()).replace(/\s+/g, ' '), /No call with this id.*72/)
  assert.match((await messages.last().innerText()).replace(/\s+/g, ' '), /weather c1 No result/)
})

journey(
  'request and response are copied without secrets',
  { permissions: ['clipboard-read', 'clipboard-write'], fragment: '#/edit?d=ex:context_management&s=t4&i=raw' },
  async (bench) => {
    const { page } = bench
    await panel(bench).getByText('"messages"').waitFor()
    assert.deepEqual(await texts(panel(bench).getByRole('heading')), ['Request', 'Response', 'Step data'])
    const secret = `sk-proj-${'q7Zr2mKd91xTbV4nLw8Hs3Jc'}`
    await bench.typeOver('How much did revenue grow?', `It's ${secret}`)
    // What is typed may be read in parts.
    await panel(bench).getByText(secret).first().waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await panel(bench).getByText('Copied', { exact: true }).waitFor({ timeout: 30_000 })
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(curl, /^curl "\$\{OPENAI_BASE_URL/)
    assert.match(curl, /Authorization: Bearer \$OPENAI_API_KEY/)
    assert.match(curl, /It'\\''s <secret-1>/)
    assert.doesNotMatch(curl, /sk-proj/)
  },
)

journey(
  'a sub-agent is a card that Enter goes into and Backspace leaves',
  { fragment: '#/edit?d=ex:nested_agent_call&s=t2' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const rows = bench.steps.getByRole('option')
    assert.equal(await rows.count(), 3)
    assert.match(
      (await bench.selected.innerText()).replace(/\s+/g, ' '),
      /specialist_001 2 steps inside What is the weather\? → The weather is sunny/,
    )
    await bench.steps.press('Enter')
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2.t1')
    await eventually(() => rows.count(), 2)
    const crumbs = page.getByRole('navigation', { name: 'Agents' })
    assert.deepEqual(await texts(crumbs.getByRole('listitem')), ['main', 't2', 'specialist_001'])
    await page.getByText('1/2', { exact: true }).first().waitFor()
    const slider = page.getByRole('slider')
    assert.equal(await slider.getAttribute('max'), '1')
    await page.keyboard.press('End')
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2.t2')
    await page.keyboard.press('Backspace')
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2')
    await eventually(() => rows.count(), 3)
    assert.equal(await crumbs.count(), 0)

    // A pointer has the name on the card, and a button in the inspector.
    await panel(bench).getByRole('button', { name: 'Open the run of the sub-agent: 2 steps inside' }).click()
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2.t1')
    await page.keyboard.press('Backspace')
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2')
    await bench.selected.getByText('specialist_001').click()
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2.t1')
    await crumbs.getByRole('button', { name: 'main' }).click()
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2')
  },
)

const TIMED = `execution:
  - {turn: 1, type: message, timestamp: "2025-01-13T10:30:00Z", message_created: {role: user, content: One}}
  - {turn: 2, type: message, timestamp: "2025-01-13T10:30:01Z", message_created: {role: user, content: Two}}
  - {turn: 3, type: message, timestamp: "2025-01-13T10:30:10Z", message_created: {role: assistant, content: Three}}
`

journey('the scrubber has a scale of time where there are times', {}, async (bench) => {
  const { page } = bench
  await paste(bench, TIMED)
  const slider = page.getByRole('slider')
  assert.equal(await slider.getAttribute('max'), '3')
  assert.match((await bench.steps.getByRole('option').nth(2).innerText()).replace(/\s+/g, ' '), /Turn 2.*9\.0 s/)
  const time = page.getByRole('button', { name: /^time/ })
  await eventually(() => time.getAttribute('aria-disabled'), 'false')
  await time.click()
  await eventually(() => slider.getAttribute('max'), '10000')
  await page.waitForURL((url) => url.hash.endsWith('&sc=time'))
  await slider.fill('5400')
  await bench.selected.filter({ hasText: 'Two' }).waitFor()
  await slider.press('ArrowRight')
  await bench.selected.filter({ hasText: 'Three' }).waitFor()
  assert.equal(await slider.inputValue(), '10000')
  await page.getByRole('button', { name: 'seq' }).click()
  await eventually(() => slider.getAttribute('max'), '3')
})

journey(
  'without times the scale of time says why it is not there',
  { fragment: '#/edit?d=ex:context_management&s=t1&sc=time' },
  async (bench) => {
    await bench.selected.waitFor()
    const time = bench.page.getByRole('button', { name: /^time/ })
    await eventually(() => time.getAttribute('aria-disabled'), 'true')
    assert.match(await time.innerText(), /No step has a timestamp/)
    assert.equal(await bench.page.getByRole('slider').getAttribute('max'), '4')
  },
)

journey('every tab stays small in a long run', {}, async (bench) => {
  const { page } = bench
  const turn = (at) =>
    `  - {turn: ${at}, type: ${at % 2 ? 'message' : 'llm_call'}, state_changes: {context: {count: ${at}}}, message_created: {id: m${at}, role: ${at % 2 ? 'user' : 'assistant'}, content: "Text ${at}"}}\n`
  await paste(bench, `execution:\n${Array.from({ length: 10_000 }, (_, at) => turn(at + 1)).join('')}`)
  await bench.steps.press('End')
  await bench.selected.filter({ hasText: 'Text 10000' }).waitFor()
  const nodes = () => page.evaluate(() => document.getElementsByTagName('*').length)
  for (const [key, expected] of [
    ['3', 'm9999'],
    ['4', 'm10000'],
    ['2', 'count'],
  ]) {
    await bench.steps.press(key)
    await panel(bench).getByText(expected, { exact: true }).first().waitFor()
    assert.ok((await nodes()) <= 2_500, `${key}: ${await nodes()} nodes`)
  }
  await panel(bench).getByRole('option').first().click()
  const history = page.getByRole('region', { name: 'History of count' })
  await history.getByText('10 000 values').or(history.getByText('10\u202f000 values')).first().waitFor()
  await eventually(
    () =>
      history
        .getByRole('listitem')
        .last()
        .innerText()
        .then((text) => text.replace(/\s+/g, ' ')),
    't10000 10000 now',
  )
  assert.ok((await nodes()) <= 2_500, `${await nodes()} nodes`)
})

for (const colorScheme of ['light', 'dark']) {
  journey(
    `axe finds nothing serious in the tabs, ${colorScheme}`,
    { colorScheme, fragment: '#/edit?d=ex:context_management&s=t4&i=state&j=budget_tokens' },
    async (bench) => {
      await panel(bench).getByText('227 to 400').waitFor()
      assert.deepEqual(await complaints(bench.page), [])
      for (const [key, expected] of [
        ['3', 'Transformed'],
        ['4', 'load_report'],
        ['5', 'Response'],
      ]) {
        await bench.page.keyboard.press(key)
        await panel(bench).getByText(expected).first().waitFor()
        assert.deepEqual(await complaints(bench.page), [])
      }
    },
  )
}

journey(
  'the columns stand below each other on a phone',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: '#/edit?d=ex:context_management&s=t4&i=llm' },
  async (bench) => {
    const { page } = bench
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Inspect' }).tap()
    const row = page.getByRole('list', { name: 'Store and sent messages' }).locator(':scope > li').nth(1)
    await row.waitFor()
    const [left, right] = await row.locator('.side').evaluateAll((sides) => sides.map((side) => side.getBoundingClientRect().toJSON()))
    assert.ok(right.top >= left.bottom, `${right.top} is above ${left.bottom}`)
    assert.ok(left.width <= 390)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    assert.deepEqual(await complaints(page), [])
    await tab(bench, 'State').tap()
    await panel(bench).getByText('budget_tokens').first().waitFor()
    assert.deepEqual(await complaints(page), [])
  },
)
