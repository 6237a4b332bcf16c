// What axe-core says of a page.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page once it stands still.
 *
 * axe keeps a record of every element and throws when elements come while it reads,
 * so it starts when nothing has changed for 100 ms, and again when something changed meanwhile.
 */
export async function complaints(page) {
  await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    let changes = 0
    const observer = new MutationObserver(() => changes++)
    observer.observe(document, { subtree: true, childList: true })
    const pause = () => new Promise((done) => setTimeout(done, 100))
    try {
      for (let attempt = 1; ; attempt++) {
        for (let before = -1, waits = 0; before !== changes && waits < 50; waits++) {
          before = changes
          await pause()
        }
        const before = changes
        const result = await window.axe.run().catch((error) => error)
        await pause()
        const last = before === changes || attempt === 5
        if (last && result instanceof Error) throw result
        if (last) return result.violations
      }
    } finally {
      observer.disconnect()
    }
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
