import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

journey('an example opens from the gallery, steps by key, and Back returns in one press', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { level: 1, name: 'Write, check and replay an agent run. Nothing leaves this page.' }).waitFor()
  const tile = page.getByRole('link', { name: 'weather_query_with_tools' })
  assert.match(await tile.innerText(), /3 steps · 5 messages/)
  await tile.click()
  await bench.selected.waitFor()
  assert.match(await bench.selected.innerText(), /Initial state/)
  assert.equal(await bench.steps.getByRole('option').count(), 4)

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  assert.match(await bench.selected.innerText(), /Tool call/)
  await page.getByText('2/3', { exact: true }).first().waitFor()
  await bench.address('#/edit?d=ex:weather_query_with_tools&s=t2')
  await page.keyboard.press('End')
  await bench.address('#/edit?d=ex:weather_query_with_tools&s=t3')

  await page.goBack()
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  assert.equal(bench.fragment(), '')
  await page.goForward()
  await bench.selected.waitFor()
  assert.match(await bench.selected.innerText(), /Turn 3/)
})

journey(
  'an address restores document and step, and keeps what it does not know',
  { fragment: '#/edit?d=ex:nested_agent_call&s=t2.t1&theme=dark&x=1' },
  async (bench) => {
    await bench.selected.waitFor()
    assert.match(await bench.selected.innerText(), /I'll check the weather/)
    await bench.page.reload()
    assert.match(await bench.selected.innerText(), /I'll check the weather/)
    await bench.page.keyboard.press('j')
    await bench.address('#/edit?d=ex:nested_agent_call&s=t2.t2&theme=dark&x=1')
  },
)

journey('a step that is not there is the first one', { fragment: '#/edit?d=ex:weather_query&s=t77' }, async (bench) => {
  await bench.selected.waitFor()
  assert.match(await bench.selected.innerText(), /Initial state/)
})

for (const [address, expected] of [
  ['#/edit?d=ex:no_such_example', /no example named no_such_example/],
  ['#/edit?d=l:01HQ0000000000000000000000', /not on this device/],
  ['#/edit?d=q9:abc', /cannot open this kind of link: q9:abc/],
]) {
  journey(`an address of nothing says so with a way back: ${address}`, { fragment: address }, async ({ page }) => {
    await page.getByText(expected).waitFor()
    await page.getByRole('link', { name: 'Back to the gallery' }).click()
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
  })
}

journey(
  'the inspector shows the three layers of the selected step',
  { fragment: '#/edit?d=ex:weather_query_with_tools&s=t1' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    const text = (await bench.inspector.innerText()).replace(/\s+/g, ' ')
    assert.match(text, /conversation_count 0 → 1/)
    assert.match(text, /last_action "weather_requested"/)
    assert.match(text, /store 3 · visible 3 · hidden 0/)
    assert.match(text, /2 messages sent/)
    await page.getByRole('tab', { name: 'Raw' }).click()
    await bench.inspector.getByText('"messages_sent_to_llm"').waitFor()
  },
)

journey(
  'hidden, withheld and transformed messages are distinguished',
  { fragment: '#/edit?d=ex:context_management&s=t4' },
  async (bench) => {
    await bench.selected.waitFor()
    await bench.inspector.getByText('5 earlier messages').click()
    const flow = bench.page.getByRole('list', { name: 'Message flow' })
    const hidden = flow.getByRole('listitem').filter({ hasText: 'Please read the third quarter report.' })
    assert.match(await hidden.innerText(), /Hidden since step 3/)
    const withheld = bench.page.getByRole('list', { name: 'Not sent to the model' })
    assert.match(await withheld.innerText(), /msg_002/)
    const sent = bench.page.getByRole('list', { name: 'Sent to the model' })
    const transformed = sent.getByRole('listitem').filter({ hasText: 'Transformed' })
    const both = await transformed.innerText()
    assert.match(both, /In the store\s+Third quarter report\. Revenue/)
    assert.match(both, /As sent\s+Third quarter report \(shortened\)/)
  },
)

journey('a failed tool call is reported by word', { fragment: '#/edit?d=ex:error_handling&s=t2' }, async (bench) => {
  await bench.selected.waitFor()
  assert.match(await bench.selected.innerText(), /Failed/)
  await bench.inspector.getByText('timeout: rates.example did not answer within 5 s').first().waitFor()
})

journey('everything can be done from the keyboard', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('link', { name: 'weather_query' }).first().waitFor()
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim())
  for (let presses = 0; !(await focused()).startsWith('weather_queryA'); presses += 1) {
    assert.ok(presses < 40, 'the example is not reached by Tab')
    await page.keyboard.press('Tab')
  }
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle)
  assert.equal(ring, 'solid')
  await page.keyboard.press('Enter')
  await bench.selected.waitFor()

  // The steps have the focus; F6 goes round the panes: source, steps, inspector, problems.
  await page.keyboard.press('Shift+F6')
  assert.ok((await bench.caret()).focused)
  await page.keyboard.press('F6')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.match(await bench.selected.innerText(), /Tool call/)
  const active = await bench.steps.getAttribute('aria-activedescendant')
  assert.match(await page.locator(`#${active}`).innerText(), /Tool call/)
  await page.keyboard.press('Home')
  assert.match(await bench.selected.innerText(), /Initial state/)

  // Letters are text inside the field and commands outside it.
  await page.keyboard.press('Shift+F6')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('# jk?g')
  assert.match(await bench.text(), /# jk\?g$/)
  await page.keyboard.press('F6')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  assert.match(await bench.selected.innerText(), /Initial state/)
})

journey('a step announces itself', { fragment: '#/edit?d=ex:weather_query' }, async (bench) => {
  await bench.selected.waitFor()
  await bench.page.keyboard.press('j')
  await bench.page.getByRole('status').filter({ hasText: 'Step 1 of 3: LLM call' }).waitFor({ state: 'attached' })
})

journey(
  'the caret selects its step, and the selected step comes into sight',
  { fragment: '#/edit?d=ex:weather_query_with_tools' },
  async (bench) => {
    await bench.selected.waitFor()
    const top = () => bench.scroller.evaluate((frame) => frame.scrollTop)
    assert.equal(await top(), 0)
    await bench.page.keyboard.press('End')
    await eventually(async () => (await top()) > 0, true)
    await bench.source.evaluate((field) => {
      const at = field.value.indexOf('tool_name: "weather"')
      field.setSelectionRange(at, at)
      field.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    })
    assert.match(await bench.selected.innerText(), /Turn 2/)
  },
)
