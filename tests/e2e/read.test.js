// The read view: a run as a conversation.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const MARKDOWN = `# Plan

I **fix** the \`add\` function, see [the docs](https://example.com/a).

| file | lines |
| --- | --- |
| calc.js | 3 |
|  | 1 |

See [https://example.com/b](https://example.com/b) and [1].

[1]: https://example.com/c

\`\`\`js
const sum = (a, b) => a + b
\`\`\`

<img src=x onerror="window.broken = 1"> [no](javascript:window.broken=2) [TODO]`

/** A run with each kind of content. */
const full = {
  version: '1.0',
  metadata: { name: 'fix' },
  initial_state: {
    message_store: [
      { id: 'm1', role: 'system', content: `Be brief. ${'Always. '.repeat(200)}` },
      {
        id: 'm2',
        role: 'user',
        content: [
          { type: 'text', text: 'Fix add()' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ],
  },
  execution: [
    {
      turn: 1,
      type: 'llm_call',
      timestamp: '2026-01-01T10:00:00Z',
      llm_response: {
        content: MARKDOWN,
        reasoning: 'The sign is *wrong*.',
        usage: { prompt_tokens: 1200, completion_tokens: 34 },
        model: 'gpt-4o',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'edit', arguments: '{"file_path":"calc.js","old_string":"a - b","new_string":"a + b"}' },
          },
          { id: 'c2', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } },
        ],
      },
    },
    {
      turn: 2,
      type: 'tool_call',
      timestamp: '2026-01-01T10:00:04Z',
      tool_call: {
        id: 'c1',
        tool_name: 'edit',
        parameters: { file_path: 'calc.js', old_string: 'a - b', new_string: 'a + b' },
        result: 'done',
        success: true,
      },
    },
    {
      turn: 3,
      type: 'tool_call',
      timestamp: '2026-01-01T10:00:05Z',
      tool_call: { id: 'c2', tool_name: 'bash', parameters: { command: 'npm test' }, success: false, error: '1 test failed <b>here</b>' },
    },
    {
      turn: 4,
      type: 'llm_call',
      timestamp: '2026-01-01T10:00:07Z',
      llm_response: { content: 'It still fails.', usage: { prompt_tokens: 1300, completion_tokens: 6 } },
    },
  ],
}

const feed = ({ page }) => page.getByRole('feed', { name: 'The run, step by step' })
const article = (bench, text) => feed(bench).getByRole('article').filter({ hasText: text })
const summary = ({ page }) => page.getByRole('group', { name: 'Summary' })
const button = (where, name) => where.getByRole('button', { name })

/** Opens a document and goes to the read view. */
async function read(bench, document) {
  await bench.drop('fix.json', [...Buffer.from(JSON.stringify(document))])
  await bench.selected.waitFor()
  await bench.page.evaluate(() => (location.hash = location.hash.replace('#/edit', '#/read')))
  await feed(bench).getByRole('article').first().waitFor()
}

journey('messages are Markdown, and nothing in them becomes HTML', {}, async (bench) => {
  const { page } = bench
  await read(bench, full)
  const step = article(bench, 'I fix the')
  await step.getByRole('heading', { name: 'Plan' }).waitFor()
  assert.equal(await step.locator('strong').innerText(), 'fix')
  assert.deepEqual(await step.locator('td').allInnerTexts(), ['calc.js', '3', '', '1'])
  await eventually(() => step.locator('.tok-keyword').allInnerTexts(), ['const'])
  assert.deepEqual(
    await step.locator('.md a').evaluateAll((links) => links.map(({ href, target, rel, textContent }) => [textContent, href, target, rel])),
    [
      ['the docs', 'a'],
      ['https://example.com/b', 'b'],
      ['1', 'c'],
      ['https://example.com/c', 'c'],
    ].map(([words, page]) => [words, `https://example.com/${page}`, '_blank', 'noopener noreferrer']),
  )
  assert.match(await step.innerText(), /<img src=x onerror="window\.broken = 1"> no \[TODO\]/)
  assert.equal(await page.evaluate(() => window.broken), undefined)
  const image = feed(bench).getByRole('img', { name: 'Image of the message' })
  assert.deepEqual(await image.evaluate(({ complete, naturalWidth }) => [complete, naturalWidth]), [true, 1])
})

journey('long instructions, reasoning and tool calls are folded up, a failed call is not', {}, async (bench) => {
  await read(bench, full)
  const start = article(bench, 'Fix add()')
  assert.equal(await start.getByText('Be brief.').count(), 0)
  await button(start, 'Instructions').click()
  await start.getByText('Be brief.').waitFor()
  const step = article(bench, 'I fix the')
  await button(step, 'Reasoning').click()
  assert.equal(await step.locator('em').innerText(), 'wrong')
  const edit = article(bench, 'calc.js').filter({ has: bench.page.locator('.entry-tool') })
  assert.equal(await edit.locator('.entry-diff').count(), 0)
  await button(edit, 'edit').click()
  assert.deepEqual(await edit.locator('.entry-diff > span').allTextContents(), ['- a - b\n', '+ a + b\n'])
  const failed = article(bench, 'npm test').filter({ has: bench.page.locator('.entry-tool') })
  assert.equal(await failed.locator('.entry-output').innerText(), '1 test failed <b>here</b>')
  await button(failed, 'bash').click()
  assert.equal(await failed.locator('.entry-output').count(), 0)
})

journey('the summary counts the run, and each count shows its steps alone', {}, async (bench) => {
  await read(bench, full)
  await summary(bench)
    .getByText(/^gpt-4o · 2.500 tokens in, 40 out · 7\.0 s$/)
    .waitFor()
  assert.deepEqual(await summary(bench).getByRole('button').allInnerTexts(), ['1 failed', '2 model calls', 'edit 1', 'bash 1'])
  await button(summary(bench), '1 failed').click()
  await eventually(() => feed(bench).getByRole('article').count(), 1)
  await article(bench, '1 test failed').waitFor()
  await button(summary(bench), '1 failed').click()
  await eventually(() => feed(bench).getByRole('article').count(), 5)
  await button(summary(bench), 'edit 1').click()
  await eventually(() => feed(bench).getByRole('article').count(), 1)
  await article(bench, 'calc.js').waitFor()
})

journey('the run has a cost, by the prices that ship or by those of a person', {}, async (bench) => {
  const { page } = bench
  const answer = (at, model) => ({
    turn: at,
    type: 'llm_call',
    llm_response: { content: `Answer ${at}`, model, usage: { prompt_tokens: 1000 * at, completion_tokens: 100 } },
  })
  const models = ['gpt-4o', 'openai/gpt-4o-2024-08-06', 'gpt-4o', 'gpt-4o', 'gpt-4o', 'mine']
  await read(bench, { version: '1.0', execution: models.map((model, at) => answer(at + 1, model)) })
  const cost = summary(bench).locator('details')
  // At 2.50 and 10 dollars for a million tokens 15,000 and 500 of them cost 0.0375 and 0.005 dollars.
  await eventually(() => cost.locator('summary').innerText(), '$0.04 + 1 call without a price')
  assert.equal(await cost.locator('summary').getAttribute('title'), 'Prices as of 2026-11-04.')
  await article(bench, 'Answer 5').getByText('$0.01', { exact: true }).waitFor()
  assert.doesNotMatch(await article(bench, 'Answer 6').innerText(), /\$/)
  await button(summary(bench), 'expensive').click()
  await eventually(() => feed(bench).getByRole('article').count(), 1)
  await article(bench, 'Answer 5').waitFor()
  await button(summary(bench), 'expensive').click()

  await cost.locator('summary').click()
  await cost.getByText('No price for mine.').waitFor()
  assert.deepEqual(await complaints(page), [])
  const choose = (table) =>
    page.setInputFiles('#prices-input', { name: 'ours.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(table)) })
  const table = { date: '2026-12-24', currency: 'EUR', per: 1000, models: { mine: { input: 1, output: '2' } } }
  await choose(table)
  await cost.getByText('ours.json is not a price table: models › mine › output: expected a number of 0 or more').waitFor()
  table.models.mine.output = 2
  await choose(table)
  await eventually(() => cost.locator('summary').innerText(), '€6.20 + 5 calls without a price')
  await article(bench, 'Answer 6').getByText('€6.20').waitFor()
  assert.equal(await cost.getByRole('alert').innerText(), '')
  await page.reload()
  await eventually(() => cost.locator('summary').innerText(), '€6.20 + 5 calls without a price')
  await cost.locator('summary').click()
  await button(cost, 'Use the built-in prices').click()
  await eventually(() => cost.locator('summary').innerText(), '$0.04 + 1 call without a price')
})

journey('a log of another program opens to be read, and keys go from step to step', {}, async (bench) => {
  const { page } = bench
  const chat = Array.from({ length: 400 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: at % 2 ? `Answer ${at}\n\n${'line\n\n'.repeat(at % 7)}` : `Question ${at}`,
  }))
  await bench.drop('chat.json', [...Buffer.from(JSON.stringify(chat))])
  await article(bench, 'Answer 1').first().waitFor()
  assert.match(bench.fragment(), /^#\/read\?/)
  // The source is not shown, and few of the steps are made.
  assert.equal(await bench.source.isVisible(), false)
  assert.ok((await feed(bench).getByRole('article').count()) < 60)
  await page.keyboard.press('End')
  await article(bench, 'Answer 399').waitFor()
  const current = () => feed(bench).locator('[aria-current="true"]')
  await eventually(async () => (await current().innerText()).includes('Answer 399'), true)
  await page.keyboard.press('k')
  await eventually(async () => (await current().innerText()).includes('Question 398'), true)
  const box = await current().boundingBox()
  const frame = await feed(bench).boundingBox()
  assert.ok(box.y >= frame.y - 1 && box.y + box.height <= frame.y + frame.height + 1, JSON.stringify([box, frame]))
})

journey('who scrolls up through steps of any height sees the text move as far as the wheel turns', {}, async (bench) => {
  const { page } = bench
  const call = (at) => ({ id: `c${at}`, type: 'function', function: { name: 'bash', arguments: `{"command":"ls ${at}"}` } })
  const chat = Array.from({ length: 300 }, (_, at) => [
    { role: 'user', content: `Question ${at}` },
    { role: 'assistant', content: null, tool_calls: [call(at)] },
    { role: 'tool', tool_call_id: `c${at}`, content: 'file' },
    { role: 'assistant', content: `Answer ${at}\n\n${'line\n\n'.repeat(at % 9)}` },
  ])
  await bench.drop('chat.json', [...Buffer.from(JSON.stringify(chat.flat()))])
  await article(bench, 'Answer 0').first().waitFor()
  await page.keyboard.press('End')
  await article(bench, 'Answer 299').waitFor()
  const { x, y } = await feed(bench).boundingBox()
  await page.mouse.move(x + 200, y + 200)
  for (let turn = 0; turn < 12; turn += 1) {
    const [id, before] = await feed(bench).evaluate((feed) => {
      const middle = feed.getBoundingClientRect().top + 150
      const row = [...feed.querySelectorAll('article, [role="article"]')].find((row) => row.getBoundingClientRect().top > middle)
      return [row.id, row.getBoundingClientRect().top]
    })
    await page.mouse.wheel(0, -200)
    const moved = async () => Math.round((await page.locator(`#${id}`).evaluate((row) => row.getBoundingClientRect().top)) - before)
    await eventually(async () => Math.abs((await moved()) - 200) <= 2, true)
  }
})

journey('the run of another agent is read inside its step', { fragment: '#/read?d=ex:nested_agent_call' }, async (bench) => {
  const inner = feed(bench).getByRole('button', { name: / · \d+ steps?$/ })
  await inner.waitFor()
  const count = await feed(bench).getByRole('article').count()
  await inner.click()
  await eventually(async () => (await feed(bench).getByRole('article').count()) > count, true)
  await inner.click()
  await eventually(() => feed(bench).getByRole('article').count(), count)
})

for (const [name, options] of [
  ['in light', { colorScheme: 'light' }],
  ['in dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
]) {
  journey(`it has no fault of access ${name}`, options, async (bench) => {
    const { page } = bench
    await bench.drop('chat.json', [
      ...Buffer.from(
        JSON.stringify([
          { role: 'user', content: MARKDOWN },
          { role: 'assistant', content: MARKDOWN },
        ]),
      ),
    ])
    await feed(bench).getByRole('heading', { name: 'Plan' }).first().waitFor()
    // What a person wrote is shown as it is written.
    assert.equal(await feed(bench).getByRole('heading', { name: 'Plan' }).count(), 1)
    assert.equal((await feed(bench).locator('.md-plain').first().textContent()) === MARKDOWN, true)
    assert.deepEqual(await complaints(page), [])
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0)
  })
}
