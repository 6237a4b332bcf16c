import { browser, serve } from './site.js'
import { writeFileSync } from 'node:fs'
import { compact } from '../bench/page/runs.mjs'
writeFileSync('/tmp/run1000.yaml', compact(1000))
const site = await serve()
for (let i = 0; i < 3; i++) {
  const chrome = await browser()
  const page = await (await chrome.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const t = Date.now()
  await page.goto(site.url); const a = Date.now() - t
  await page.locator('#file-input').waitFor({ state: 'attached' }); const a2 = Date.now() - t
  await page.locator('#file-input').setInputFiles('/tmp/run1000.yaml'); const b = Date.now() - t
  await page.locator('#steps-list [role=option]').first().waitFor(); const c = Date.now() - t
  const info = await page.evaluate(() => {
    const nav = performance.getEntriesByType('navigation')[0]
    return { dcl: nav.domContentLoadedEventEnd | 0, load: nav.loadEventEnd | 0, paint: performance.getEntriesByType('paint').map((p) => [p.name, p.startTime | 0]), res: performance.getEntriesByType('resource').map((r) => [r.name.split('/').pop().slice(0, 34), r.startTime | 0, r.responseEnd | 0]), marks: performance.getEntriesByType('mark').map((m) => [m.name, m.startTime | 0]), now: performance.now() | 0 }
  })
  console.log({ goto: a, input: a2, set: b, row: c, now: info.now }); if (i === 2) console.log(JSON.stringify(info, null, 0).replaceAll('],[', '],\n['))
  await chrome.close()
}
await site.close()
