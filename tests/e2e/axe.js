// What axe-core says of a page.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Whatever axe finds on the page as it is. */
export async function complaints(page) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run())
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
