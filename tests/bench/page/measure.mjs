// What is measured of a page that shows a run.
import { execFileSync } from 'node:child_process'

const KEYS = 40

export const quantile = (numbers, part) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

export const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length)

/** The JavaScript heap of the page after a collection, and what its processes hold in all, in MB: workers and wasm too. */
export const memory = async (page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 1e6
  const system = await page.context().browser().newBrowserCDPSession()
  const { processInfo } = await system.send('SystemInfo.getProcessInfo')
  const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  const listed = execFileSync('ps', ['-o', 'rss=', '-p', ids.join(',')], { encoding: 'utf8' })
  const resident =
    listed
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0) / 1e3
  return { heap, resident }
}

/** How long each of many presses of `key` takes until the second frame after it, in ms. */
export const keyTimes = async (page, key) => {
  await page.evaluate(() => {
    globalThis.pressed = []
    addEventListener(
      'keydown',
      () => {
        const start = performance.now()
        requestAnimationFrame(() => requestAnimationFrame(() => globalThis.pressed.push(performance.now() - start)))
      },
      { capture: true },
    )
  })
  for (let at = 1; at <= KEYS; at += 1) {
    await page.keyboard.press(key)
    await page.waitForFunction((at) => globalThis.pressed.length >= at, at, { timeout: 120_000 })
  }
  return page.evaluate(() => globalThis.pressed)
}
