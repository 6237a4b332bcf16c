// A real browser, and a server on this machine for the pages it opens.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

/** Serves a folder and some pages without files; a page is closed off from every other origin. */
export const serve = async (folder, pages) => {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname)
    try {
      const body = pages[path] ?? readFileSync(join(folder, path))
      const type = TYPES[extname(path)] ?? 'application/octet-stream'
      const policy = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'"
      response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts the browser that `CHROMIUM` names; `chromium` is that of playwright-core. A start that hangs, as it can on a busy
 * machine, is tried again.
 */
export const launch = async (chromium, attempts = 3) => {
  const options = { executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true, args: FLAGS, timeout: 45_000 }
  try {
    return await chromium.launch(options)
  } catch (error) {
    if (attempts === 1) throw error
    console.error(`the browser did not start: ${error.message}`)
    return launch(chromium, attempts - 1)
  }
}
