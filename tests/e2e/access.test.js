import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { journey } from './harness.js'

for (const colorScheme of ['light', 'dark']) {
  journey(`axe finds nothing serious in the gallery, ${colorScheme}`, { colorScheme }, async ({ page }) => {
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    assert.deepEqual(await complaints(page), [])
  })

  journey(
    `axe finds nothing serious in a run with a problem, ${colorScheme}`,
    { colorScheme, fragment: '#/edit?d=ex:context_management&s=t4' },
    async (bench) => {
      await bench.selected.waitFor()
      await bench.typeOver('ref: msg_003', 'ref: msg_013')
      await bench.problems.getByRole('row').first().waitFor()
      assert.deepEqual(await complaints(bench.page), [])
    },
  )
}

journey(
  'axe finds nothing serious on a phone',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: '#/edit?d=ex:error_handling&s=t2' },
  async (bench) => {
    await bench.page.getByRole('listbox', { name: 'Messages and turns' }).waitFor()
    for (const name of ['Source', 'Steps', 'Inspect', 'Problems']) {
      await bench.page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name }).tap()
      assert.deepEqual(await complaints(bench.page), [])
    }
  },
)
