// A trace opened in the viewer that `playwright-core` ships.
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { browser } from '../../e2e/site.js'

const require = createRequire(new URL('../../e2e/package.json', import.meta.url))
const VIEWER = join(dirname(require.resolve('playwright-core/package.json')), 'lib/vite/traceViewer')
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.zip': 'application/zip',
}

const trace = (folder, steps) => join(folder, `trace-${steps}.zip`)

/** Records a trace of that many calls with their snapshots. */
export const recordTrace = async (folder, steps) => {
  const chrome = await browser()
  const context = await chrome.newContext()
  await context.tracing.start({ snapshots: true })
  const page = await context.newPage()
  await page.setContent('<p>a page</p>')
  for (let at = 0; at < steps; at += 1) await page.evaluate((at) => `answer ${at}`, at)
  await context.tracing.stop({ path: trace(folder, steps) })
  await chrome.close()
}

/** Opens the trace of that many calls. */
export const viewer = (folder) => async (page, _, steps) => {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    const file = path === '/trace.zip' ? trace(folder, steps) : join(VIEWER, path === '/' ? 'index.html' : path)
    try {
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(await readFile(file))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  const address = `http://127.0.0.1:${server.address().port}`
  const start = Date.now()
  await page.goto(`${address}/?trace=${encodeURIComponent(`${address}/trace.zip`)}`)
  const row = page.getByText('Evaluate').first()
  await row.waitFor({ timeout: 120_000 })
  const opened = Date.now() - start
  await row.click({ timeout: 120_000 })
  return { opened, key: 'ArrowDown' }
}
