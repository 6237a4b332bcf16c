import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

const FULL = '#/edit?d=ex:weather_query_with_tools&s=t1'
const COMPACT = '#/edit?d=ex:weather_query'

const lineOf = (bench, text) => bench.page.locator('.cm-line').filter({ hasText: text }).first()

/** Puts the caret behind the first occurrence of `found`. */
async function caretBehind(bench, found) {
  await bench.settled()
  await bench.source.evaluate((field, found) => {
    const at = field.value.indexOf(found) + found.length
    field.focus()
    field.setSelectionRange(at, at)
  }, found)
}

/** Opens `text` as a document of its own. */
async function paste(bench, text) {
  await bench.page.getByRole('heading', { name: 'Examples' }).waitFor()
  await bench.page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
  await bench.source.waitFor()
  await bench.settled()
}

journey('what is broken is found by F8, mended by Ctrl+., and taken back exactly', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const whole = await bench.text()
  await bench.typeOver('ref: msg_002', 'ref: msg_009')
  const broken = await bench.text()
  await page.getByRole('button', { name: '1 error' }).waitFor()
  const line = broken.slice(0, broken.indexOf('msg_009')).split('\n').length
  await page.getByRole('button', { name: `Error in line ${line}` }).waitFor()
  await eventually(() => page.locator('.cm-lintRange-error').innerText(), 'msg_009')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await eventually(() => bench.caret(), { focused: true, line, selected: 'msg_009' })
  await page.keyboard.press('Control+.')
  await page.getByRole('dialog', { name: 'Fixes' }).waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => bench.text(), whole)
  await page.getByText('No problems').waitFor()
  await eventually(() => page.locator('.cm-lintRange').count(), 0)
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), broken)
  await page.keyboard.press('Control+Shift+Z')
  await eventually(() => bench.text(), whole)
  for (let steps = 0; steps < 30; steps += 1) await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), whole)
})

journey('resting on a problem shows it and offers its fix', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const whole = await bench.text()
  await bench.typeOver('ref: msg_002', 'ref: msg_009')
  await page.locator('.cm-lintRange-error').hover()
  const report = page.locator('.cm-tooltip-lint')
  await report.getByText('unknown message').waitFor()
  assert.match(await report.innerText(), /^Error/)
  assert.match(await report.getByRole('link', { name: 'T201' }).getAttribute('href'), /\.\/docs\/diagnostics\/T201\.html$/)
  await report.getByRole('button', { name: /^Fix: .*msg_002/ }).click()
  await eventually(() => bench.text(), whole)
})

journey('an item is begun with a role that is offered', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await caretBehind(bench, 'messages:')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- "')
  await page.keyboard.press('Control+Space')
  const offered = page.getByRole('listbox', { name: 'What may stand here' })
  await offered.waitFor()
  const labels = await offered.getByRole('option').locator('.cm-completionLabel').allInnerTexts()
  // The roles, and the answer of the tool that this run calls.
  assert.deepEqual(labels, ['system', 'developer', 'user', 'assistant', 'assistant:call', 'tool:weather', 'tool'])
  await page.keyboard.type('us')
  await eventually(() => offered.getByRole('option').locator('.cm-completionLabel').allInnerTexts(), ['user'])
  await page.keyboard.press('Enter')
  await page.keyboard.type('Hi 😀')
  assert.match(await bench.text(), /^messages:\n {2}- "user: Hi 😀"$/m)
})

journey('a new line of YAML is indented as the one before it asks for', {}, async (bench) => {
  const { page } = bench
  await paste(bench, 'name: lines')
  await bench.source.focus()
  await page.keyboard.press('Control+End')
  for (const line of ['', 'execution:', '- turn: 1', 'llm_response:', 'content: |', 'One.']) {
    await page.keyboard.type(line)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
  }
  const lines = ['name: lines', 'execution:', '  - turn: 1', '    llm_response:', '      content: |', '        One.', '        ']
  assert.equal(await bench.text(), lines.join('\n'))
})

journey('letters bring completions by themselves, also behind an emoji', {}, async (bench) => {
  const { page } = bench
  await paste(bench, 'name: "😀é"\nexecution:\n  - turn: 1\n    type: \n')
  await caretBehind(bench, 'type: ')
  await page.keyboard.type('tool')
  await page.getByRole('option', { name: /^tool_call/ }).waitFor()
  // The editor takes no key for an answer to a list that has only just come up.
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
  assert.match(await bench.text(), /^ {4}type: tool_call$/m)
})

journey('what stands at a place is shown to the pointer and, by F1, to the keyboard', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await caretBehind(bench, '\nexecutio')
  await page.keyboard.press('F1')
  const report = page.locator('.cm-known')
  await report.waitFor()
  assert.match(await report.innerText(), /^execution/)
  const expected = await report.innerText()
  await page.keyboard.press('ArrowLeft')
  await report.waitFor({ state: 'detached' })
  await lineOf(bench, 'execution:').locator('span').first().hover()
  await report.waitFor()
  assert.equal(await report.innerText(), expected)
})

journey('another document has an undo history of its own', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.typeOver('You are helpful', 'You are terse')
  await page.getByText(/^Saved on this device/).waitFor()
  await bench.steps.focus()
  await page.keyboard.press('v')
  await page.keyboard.press('g')
  await page.getByRole('link', { name: 'nested_agent_call' }).first().click()
  await eventually(async () => /nested_transcript/.test(await bench.text()), true)
  const other = await bench.text()
  await bench.source.focus()
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), other)
})

journey('without the editor the plain text area does the work', { fragment: FULL, withheld: /\/editor-[0-9a-f]+\.js$/ }, async (bench) => {
  const { page, source } = bench
  await bench.selected.waitFor()
  const whole = await source.inputValue()
  await source.fill(whole.replace('ref: msg_002', 'ref: msg_009'))
  const row = bench.problems.getByRole('row', { name: /unknown message `msg_009`/ })
  await row.waitFor()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await page.getByRole('button', { name: /^Error in line \d+$/ }).waitFor()
  const selected = () => source.evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd))
  await eventually(selected, 'msg_009')
  await page.keyboard.press('Control+.')
  await page.getByRole('dialog', { name: 'Fixes' }).waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => source.inputValue(), whole)
  assert.equal(await page.locator('.cm-editor').count(), 0)
})

journey('the editor takes over what was typed before it came, with the caret and the way back', {}, async (bench) => {
  const { context, page, source } = bench
  let come
  const coming = new Promise((resolve) => {
    come = resolve
  })
  await context.route(/\/editor-[0-9a-f]+\.js$/, async (route) => {
    await coming
    await route.continue()
  })
  await page.getByRole('link', { name: 'weather_query_with_tools' }).click()
  await bench.selected.waitFor()
  const whole = await source.inputValue()
  await source.focus()
  await page.keyboard.press('Control+Home')
  for (let pages = 0; pages < 3; pages += 1) await page.keyboard.press('PageDown')
  await page.keyboard.press('Home')
  await page.keyboard.type('# almost')
  const at = await source.evaluate((field) => field.selectionStart)
  const scrolled = await source.evaluate((field) => field.scrollTop)
  assert.ok(scrolled > 0)
  come()
  await bench.settled()
  const written = (words) => whole.slice(0, at - 8) + words + whole.slice(at - 8)
  assert.equal(await bench.text(), written('# almost'))
  assert.equal(await bench.scroller.evaluate((frame) => frame.scrollTop), scrolled)
  assert.equal((await bench.caret()).focused, true)
  await page.keyboard.type(' there')
  assert.equal(await bench.text(), written('# almost there'))
  for (let times = 0; times < 10; times += 1) await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), whole)
})

journey('Tab indents, and leaves the editor after Escape, which is reported', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.settled()
  const whole = await bench.text()
  const described = await bench.source.getAttribute('aria-describedby')
  assert.match(await page.locator(`#${described}`).textContent(), /Press Escape, then Tab, to leave the editor/)
  const inEditor = () => page.evaluate(() => document.activeElement.id === 'source-field')
  await bench.source.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Tab')
  assert.ok(await inEditor())
  assert.equal(await bench.text(), `  ${whole}`)
  await page.keyboard.press('Shift+Tab')
  await eventually(() => bench.text(), whole)
  // What is announced is taken away again soon.
  await page.evaluate(() => {
    window.announced = []
    const live = document.querySelector('.cm-announced')
    new MutationObserver(() => window.announced.push(live.textContent)).observe(live, { childList: true })
  })
  await page.keyboard.press('Escape')
  await eventually(() => page.evaluate(() => window.announced.includes('Tab leaves the editor now.')), true)
  await page.keyboard.press('Tab')
  assert.equal(await inEditor(), false)
  assert.equal(await bench.text(), whole)
  // Back inside, Tab indents again.
  await bench.source.focus()
  await page.keyboard.press('Tab')
  assert.ok(await inEditor())
})

journey('F12 goes to the message of an id, F2 gives it another name everywhere', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  const whole = await bench.text()
  await caretBehind(bench, 'ref: msg_00')
  const id = /ref: (msg_\d+)/.exec(whole)[1]
  await page.keyboard.press('F12')
  const at = whole.search(new RegExp(`\\bid: "?${id}`))
  await eventually(() => bench.caret(), { focused: true, line: whole.slice(0, at).split('\n').length, selected: id })
  await page.keyboard.press('F2')
  const field = page.getByLabel(`New name of ${id}`)
  await field.fill('greeting')
  await page.keyboard.press('Enter')
  await eventually(() => bench.text(), whole.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'greeting'))
  await page.getByText('No problems').waitFor()
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), whole)
})

journey('lines are moved and folded, and words searched, by key', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.settled()
  const lines = (await bench.text()).split('\n')
  const at = lines.findIndex((line) => line.includes('system:'))
  await caretBehind(bench, 'system:')
  await page.keyboard.press('Alt+ArrowDown')
  const moved = [...lines.slice(0, at), lines[at + 1], lines[at], ...lines.slice(at + 2)]
  assert.equal(await bench.text(), moved.join('\n'))
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(() => bench.text(), lines.join('\n'))

  await caretBehind(bench, 'messages:')
  await page.keyboard.press('Control+Shift+BracketLeft')
  await page.locator('.cm-foldPlaceholder').waitFor()
  assert.equal(await lineOf(bench, 'assistant:call').count(), 0)
  assert.equal(await bench.text(), lines.join('\n'))
  await page.keyboard.press('Control+Shift+BracketRight')
  await lineOf(bench, 'assistant:call').waitFor()

  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).focus()
  await page.keyboard.type('sunny')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await eventually(async () => (await bench.caret()).selected, 'sunny')
})

journey('several cursors write in several places, and Escape leaves one', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.settled()
  const before = await bench.text()
  assert.equal(before.split('sunny').length, 3)
  await caretBehind(bench, 'sunn')
  // The word at the cursor, then the next one like it.
  await page.keyboard.press('Control+d')
  await page.keyboard.press('Control+d')
  await page.locator('.cm-selected').waitFor()
  await page.keyboard.type('wet')
  await page.locator('.cm-caret').waitFor({ state: 'attached' })
  await eventually(() => bench.text(), before.replaceAll('sunny', 'wet'))
  await page.keyboard.press('Escape')
  // The first Escape may have closed a list of completions.
  if ((await page.locator('.cm-caret').count()) > 0) await page.keyboard.press('Escape')
  await page.locator('.cm-caret').waitFor({ state: 'detached' })
  await page.keyboard.type('!')
  assert.equal((await bench.text()).length, before.replaceAll('sunny', 'wet').length + 1)

  await caretBehind(bench, 'messages:')
  await page.keyboard.press('Control+Alt+ArrowDown')
  await page.locator('.cm-caret').waitFor({ state: 'attached' })
  await page.keyboard.press('Home')
  await page.keyboard.type('#')
  await eventually(async () => (await bench.text()).split('\n').filter((line) => line.trim().startsWith('#')).length >= 2, true)
  assert.match(await bench.text(), /^#messages:\n/m)
})

journey('roles have their colors, and the selected step its lines', { fragment: `${COMPACT}&s=t1` }, async (bench) => {
  await bench.settled()
  await bench.selected.waitFor()
  assert.deepEqual(await bench.page.locator('.cm-role-assistant').allInnerTexts(), ['assistant:call', 'assistant:'])
  assert.deepEqual(await bench.page.locator('.cm-role-user').allInnerTexts(), ['user:'])
  const bands = await bench.page.locator('.cm-band').allInnerTexts()
  assert.equal(bands.length, 1)
  assert.match(bands[0], /assistant:call/)
})

journey('a hundred thousand lines are written in within 2,500 nodes', {}, async (bench) => {
  const { page } = bench
  const text = `messages:\n  - user: |\n${'      a line of a long text\n'.repeat(100_000)}`
  await paste(bench, text)
  await page.getByText(/100\s003 lines/).waitFor({ timeout: 60_000 })
  await bench.source.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('# the end')
  assert.equal(await bench.text(), `${text}# the end`)
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  assert.ok(nodes <= 2_500, `${nodes} nodes`)
})

journey('the editor brings no style of its own into the page', { fragment: COMPACT }, async (bench) => {
  await bench.settled()
  const styles = await bench.page.evaluate(() => [
    document.querySelectorAll('style, [style*="javascript"]').length,
    document.adoptedStyleSheets.length > 0,
  ])
  assert.deepEqual(styles, [0, true])
  assert.equal(await bench.scroller.evaluate((frame) => getComputedStyle(frame).lineHeight), '20px')
})

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

journey('on a phone the editor is written in, searched, and stays within the screen', { ...phone, fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await bench.asText()
  await bench.settled()
  await bench.source.tap()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n# wide ')
  await page.keyboard.insertText('x'.repeat(300))
  assert.match(await bench.text(), /\n# wide x{300}$/)
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  const small = await page
    .locator('.cm-search')
    .evaluate((panel) =>
      [...panel.querySelectorAll('button, .cm-textfield')]
        .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 44)
        .map((control) => control.name),
    )
  assert.deepEqual(small, [])
})
