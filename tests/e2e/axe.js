// What axe-core says of a page.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page.
 *
 * axe keeps a record of every element and throws when elements come while it reads, so it then starts again.
 */
export async function complaints(page) {
  await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await window.axe.run()).violations
      } catch (error) {
        if (attempt === 5) throw error
        await new Promise((done) => setTimeout(done, 200))
      }
    }
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
