// The frame around the panes: views, what is looked for, playing, the palette, borders that move.
import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

const RUN = '#/edit?d=ex:weather_query_with_tools'

journey('a view is a link, keeps the step, and Back leaves it', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.steps.getByRole('option').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await bench.address(`${RUN}&s=t2`)
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Replay' }).click()
  await bench.address('#/replay?d=ex:weather_query_with_tools&s=t2')
  await eventually(() => bench.source.isVisible(), false)
  assert.match(await bench.selected.innerText(), /Tool call/)
  assert.equal(await views.getByRole('link', { name: 'Replay' }).getAttribute('aria-current'), 'page')
  await page.goBack()
  await bench.address(`${RUN}&s=t2`)
  await eventually(() => bench.source.isVisible(), true)
  await page.keyboard.press('v')
  await page.keyboard.press('r')
  await bench.address('#/replay?d=ex:weather_query_with_tools&s=t2')
})

journey('what is looked for is counted, dimmed around and in the address', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.steps.getByRole('option').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('role:assistant')
  const found = page.getByRole('search').getByRole('status')
  await eventually(() => found.innerText(), '2 found')
  assert.equal(await page.locator('.step-miss').count(), 2)
  await page.keyboard.press('Enter')
  await eventually(() => found.innerText(), '1 of 2')
  await bench.address(`${RUN}&s=t1&f=role:assistant`)
  await page.keyboard.press('Enter')
  await eventually(() => found.innerText(), '2 of 2')
  await page.keyboard.press('Enter')
  await eventually(() => found.innerText(), '1 of 2')
  await page.keyboard.press('Escape')
  await bench.address(`${RUN}&s=t1`)
  assert.equal(await page.locator('.step-miss').count(), 0)
  const shared = await bench.reopened(`${RUN}&f=nowhere%20at%20all`)
  await shared.steps.getByRole('option').first().waitFor()
  await eventually(() => shared.page.getByRole('search').getByRole('status').innerText(), '0 found')
})

journey('a run plays to its end, and any key stops it', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.steps.getByRole('option').first().waitFor()
  const at = () => page.getByRole('slider', { name: 'Step of the run' }).inputValue()
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('>')
  await eventually(() => page.getByRole('button', { name: 'Speed (< and >) 8×' }).count(), 1)
  await page.keyboard.press('Space')
  await eventually(at, '3')
  await page.getByRole('button', { name: 'Play (Space)' }).first().waitFor()
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('<')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Pause (Space)' }).first().waitFor()
  await eventually(at, '0')
  await page.keyboard.press('Shift')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Play (Space)' }).first().waitFor()
})

journey('the strip above the steps is a slider', { fragment: RUN }, async (bench) => {
  const slider = bench.page.getByRole('slider', { name: 'Step of the run' })
  await slider.waitFor()
  await slider.focus()
  await bench.page.keyboard.press('ArrowRight')
  await bench.address(`${RUN}&s=t1`)
  assert.equal(await slider.getAttribute('aria-valuetext'), 'Step 1 of 3')
  await bench.page.keyboard.press('End')
  await bench.address(`${RUN}&s=t3`)
})

journey('the palette finds text in other documents, and opens the steps that have it', {}, async (bench) => {
  const { page } = bench
  for (const [name, word] of [
    ['first.yaml', 'Rome'],
    ['second.yaml', 'Oslo'],
  ]) {
    const text = `messages:\n  - "user: Hi"\n  - "assistant: Hello"\n  - "user: The train to ${word} is late"\n`
    await bench.drop(name, [...Buffer.from(text)])
    await bench.page.getByText(name, { exact: true }).waitFor()
    await eventually(() => bench.text(), text)
    await page.getByText(/^Saved on this device/).waitFor()
  }
  const palette = page.getByRole('dialog', { name: 'Search commands and steps' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('train to rome')
  const option = palette.getByRole('option', { name: /The train to Rome is late.*first\.yaml/s })
  await option.waitFor()
  // That of the open document is found as a step only.
  assert.equal(await palette.getByRole('option').count(), 1)
  await option.click()
  const article = page.getByRole('article')
  await article.filter({ hasText: 'The train to Rome is late' }).waitFor()
  await eventually(() => article.count(), 1)
})

journey('the palette reaches commands, steps and examples', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.steps.getByRole('option').first().waitFor()
  const palette = page.getByRole('dialog', { name: 'Search commands and steps' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('last step')
  await eventually(() => palette.getByRole('option').count(), 1)
  await page.keyboard.press('Enter')
  await bench.address(`${RUN}&s=t3`)
  await eventually(() => palette.isVisible(), false)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('role:tool')
  await palette.getByRole('option', { name: /Step 2 of 3/ }).click()
  await bench.address(`${RUN}&s=t2`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nothing has this')
  await palette.getByText('No matches.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('simple_greeting')
  await page.keyboard.press('Enter')
  await bench.address('#/edit?d=ex:simple_greeting')
})

journey(
  'the palette that is open while a document loads offers its commands when it is there',
  { fragment: '#/gallery' },
  async (bench) => {
    const { page, context } = bench
    let release
    const held = new Promise((resolve) => (release = resolve))
    await context.route(/examples\/weather_query_with_tools\./, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('link', { name: /weather_query_with_tools/ }).click()
    await bench.address(RUN)
    const palette = page.getByRole('dialog', { name: 'Search commands and steps' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('run twice')
    await palette.getByText('No matches.').waitFor()
    release()
    await palette.getByRole('option', { name: /run twice/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Deterministic: both runs are identical.').waitFor()
  },
)

// A browser reports that it closed a dialog in a later task, so keys can come before the report.
journey('the palette that is opened again at once after Escape stays open', { fragment: RUN }, async (bench) => {
  const { page } = bench
  await bench.steps.getByRole('option').first().waitFor()
  const palette = page.getByRole('dialog', { name: 'Search commands and steps' })
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await palette.evaluate(
    (dialog) =>
      new Promise((done) => {
        dialog.addEventListener('close', () => setTimeout(done), { once: true })
        dialog.close()
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
        )
      }),
  )
  await eventually(() => palette.isVisible(), true)
  await page.keyboard.type('last step')
  await page.keyboard.press('Enter')
  await bench.address(`${RUN}&s=t3`)
})

journey('borders of panes move by keyboard and pointer, and stay where they were put', { fragment: RUN }, async (bench) => {
  const { page } = bench
  const border = page.getByRole('separator', { name: 'Width of the source' })
  const width = () => page.locator('#pane-source').evaluate((pane) => Math.round(pane.getBoundingClientRect().width))
  await border.waitFor()
  const usual = await width()
  await border.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await eventually(async () => (await width()) > usual + 20, true)
  const box = await border.boundingBox()
  await page.mouse.move(box.x + 4, box.y + 200)
  await page.mouse.down()
  await page.mouse.move(400, box.y + 200, { steps: 4 })
  await page.mouse.up()
  await eventually(width, 400)
  await page.reload()
  await border.waitFor()
  await eventually(width, 400)
  await border.focus()
  await page.keyboard.press('Enter')
  await eventually(width, usual)
})
