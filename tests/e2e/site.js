// The built site (`cargo xtask build`, or the folder that TRANSCRIPT_SITE names) on loopback, below a sub-path, and a browser to look at it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { launch } from '../package/support/browser.mjs'

/** The folder of the built site. */
export const SITE = process.env.TRANSCRIPT_SITE ?? fileURLToPath(new URL('../../dist/site', import.meta.url))
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/**
 * Serves the site below `/some/where/`, as a host of project pages does; nothing else is there. What `changed` has takes the
 * place of the file of that name.
 */
export async function serve(prefix = '/some/where/', changed = new Map()) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    const inside = path.startsWith(prefix) ? path.slice(prefix.length) || 'index.html' : '..'
    try {
      if (normalize(inside).startsWith('..')) throw new Error('outside the site')
      const body = changed.get(inside) ?? (await readFile(join(SITE, inside)))
      response.writeHead(200, { 'content-type': TYPES[extname(inside)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return {
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}${prefix}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

export const browser = () => launch(chromium)
