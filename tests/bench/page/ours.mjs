// A run opened in the workbench.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quantile } from './measure.mjs'

/** Opens the file that `write` gives for a number of steps, which lies in a folder of its own below `folder`. */
export const ours = (folder, name, write) => async (page, site, steps) => {
  const below = join(folder, `${write.name}-${steps}`)
  mkdirSync(below, { recursive: true })
  writeFileSync(join(below, name), write(steps))
  const start = Date.now()
  await page.goto(site.url)
  await page.locator('#file-input').setInputFiles(join(below, name))
  const row = page.locator('#steps-list [role=option]').first()
  await row.waitFor({ timeout: 120_000 })
  const opened = Date.now() - start
  // The number of problems, or that there are none, in the place of a word of waiting.
  await page
    .locator('#pane-problems .pane-count')
    .filter({ hasText: /\d|No/ })
    .filter({ hasNotText: 'Not read' })
    .waitFor({ timeout: 120_000 })
  const checked = Date.now() - start
  await page.locator('#steps-list').focus()
  const search = async () => {
    const field = page.locator('#steps-filter')
    const taken = []
    for (const typed of ['answer 77', 'answer 78', 'answer 79']) {
      await field.fill('')
      const begun = Date.now()
      await field.fill(typed)
      await page.locator('.step-search-found').filter({ hasText: /\d/ }).waitFor({ timeout: 60_000 })
      taken.push(Date.now() - begun)
    }
    return quantile(taken, 0.5)
  }
  return { opened, checked, key: 'j', search }
}
