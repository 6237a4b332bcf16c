// What opening and stepping through a long run costs in the page, next to Playwright's viewer of traces.
//
// Run by `cargo xtask bench` on the built site. Every repetition has a browser process and a profile of its own, and
// the two take turns, so that a busy machine slows both. "Open" is from the start of the navigation to the first
// step on screen; a key's latency is from its press to the second frame after it: at least two frames.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browser, serve } from '../../e2e/site.js'
import { keyTimes, memory, nodes, quantile } from './measure.mjs'
import { ours } from './ours.mjs'
import { recordTrace, viewer } from './playwright.mjs'
import { compact, full } from './runs.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const ONLY = process.env.ONLY ? new RegExp(process.env.ONLY) : /./
const folder = mkdtempSync(join(tmpdir(), 'transcript-bench-page-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const cases = [
  ['compact form', 1_000, ours(folder, 'run.yaml', compact)],
  ['compact form', 10_000, ours(folder, 'run.yaml', compact)],
  ['compact form', 100_000, ours(folder, 'run.yaml', compact)],
  ['full form', 1_000, ours(folder, 'run.yaml', full)],
  ['full form', 10_000, ours(folder, 'run.yaml', full)],
  ["Playwright's viewer", 1_000, viewer(folder)],
  ["Playwright's viewer", 10_000, viewer(folder)],
]
  .map(([name, steps, open]) => ({ name, steps, open, measured: [] }))
  .filter(({ name, steps }) => ONLY.test(`${name} ${steps}`))

const site = await serve()
for (const { name, steps } of cases) if (name.startsWith('Playwright')) await recordTrace(folder, steps)
for (let round = 0; round < ROUNDS; round += 1) {
  for (const measurement of cases) {
    const chrome = await browser()
    try {
      const page = await (await chrome.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
      const times = await measurement.open(page, site, measurement.steps)
      const keys = await keyTimes(page, times.key)
      const search = times.search ? await times.search() : undefined
      measurement.measured.push({ ...times, keys, search, nodes: await nodes(page), ...(await memory(page)) })
    } finally {
      await chrome.close()
    }
  }
}
await site.close()

const columns = ['open', 'checked', 'key', 'key p95', 'search', 'nodes', 'heap MB', 'all MB']
console.log(`the page, median of ${ROUNDS}, ms`.padEnd(36), ...columns.map((name) => name.padStart(9)))
for (const { name, steps, measured } of cases) {
  const of = (read, digits = 0) => {
    const values = measured.map(read).filter((value) => value !== undefined)
    return (values.length > 0 ? quantile(values, 0.5).toFixed(digits) : '–').padStart(9)
  }
  console.log(
    `  ${name}, ${steps.toLocaleString('en-US')}`.padEnd(36),
    of((times) => times.opened),
    of((times) => times.checked),
    of(({ keys }) => quantile(keys, 0.5)),
    of(({ keys }) => quantile(keys, 0.95)),
    of((times) => times.search),
    of((times) => times.nodes),
    of((times) => times.heap, 1),
    of((times) => times.resident),
  )
}
console.log('  measured before on another load (facts): AGENTVIZ 0.4.0 opens 1,000 / 10,000 / 100,000 messages in 620 / 1,200 / 6,000 ms,')
console.log('  with 1,179 / 5,679 / 50,698 nodes and 8 / 25 / 157 MB of heap; a key takes 27-72 / 25-71 / 200-1,300 ms.')
