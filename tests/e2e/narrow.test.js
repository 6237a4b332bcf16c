// Where one pane has the screen, and where two share it: nothing is empty, nothing sticks out.
import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

for (const [what, options] of [
  ['on a phone', { ...PHONE, fragment: '#/replay?d=ex:weather_query&s=t1' }],
  ['in a frame of another page', { viewport: { width: 700, height: 420 }, fragment: '#/replay?d=ex:weather_query&s=t1&embed=1' }],
]) {
  journey(`Replay has its steps in sight ${what}`, options, async (bench) => {
    await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
  })
}

journey(
  'on a phone the scrubber stays in sight below every pane',
  { ...PHONE, fragment: '#/edit?d=ex:context_management&s=t1' },
  async (bench) => {
    const { page } = bench
    const scrubber = page.getByRole('slider', { name: 'Step of the run' })
    const panes = page.getByRole('navigation', { name: 'Panes' })
    for (const pane of ['Steps', 'Inspect', 'Problems', 'Source']) {
      await panes.getByRole('button', { name: pane }).tap()
      await scrubber.waitFor()
      assert.ok((await scrubber.boundingBox()).height >= 44, pane)
    }
    await scrubber.press('ArrowRight')
    await bench.address('#/edit?d=ex:context_management&s=t2')
  },
)

journey(
  'on a phone the palette leads to what the bar has no room for',
  { ...PHONE, fragment: '#/edit?d=ex:weather_query' },
  async (bench) => {
    const { page } = bench
    await page.getByRole('button', { name: 'Search commands and steps' }).tap()
    const palette = page.getByRole('dialog', { name: 'Search commands and steps' })
    for (const name of ['Change the theme', 'Open a file', 'Keyboard shortcuts', 'Language: Deutsch', 'History: earlier versions']) {
      assert.equal(await palette.getByRole('option', { name }).count(), 1, name)
    }
  },
)

for (const width of [800, 1000, 1199, 1200]) {
  for (const fragment of [
    '#/edit?d=ex:context_management&s=t4',
    '#/handlers?d=ex:handler_fsm',
    '#/edit?d=ex:context_management&s=t4&lang=de',
  ]) {
    journey(`nothing sticks out ${width} pixels wide at ${fragment}`, { viewport: { width, height: 800 }, fragment }, async (bench) => {
      const { page } = bench
      const ready = fragment.includes('handlers') ? page.getByRole('group', { name: 'States of assistant' }) : page.getByText('✔ 2/2')
      await ready.first().waitFor({ timeout: 60_000 })
      await eventually(() => page.evaluate(() => document.documentElement.scrollWidth), width)
    })
  }
}
