// Bundles that people make of the package, run where they are meant to run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import webpack from 'webpack'
import { launch, serve } from '../support/browser.mjs'
import { install } from '../support/tarball.mjs'
import { expected, names, program } from './programs.mjs'

const folder = install({ type: 'module' })
const write = (name, text) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const imported = `import { ${names} } from 'transcript-workbench'\nimport { aiSdkModel } from 'transcript-workbench/ai-sdk'\n${program}`

let browser

before(async () => {
  browser = await launch(chromium)
})

after(() => browser?.close())

/** What the page at `path` of a folder leaves in `window.said`, and what it asked the server for. */
const open = async (out, path, pages = {}) => {
  const server = await serve(out, pages)
  try {
    const page = await browser.newPage()
    const faults = []
    const fetched = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    await page.goto(`${server.origin}${path}`)
    await page.waitForFunction(() => window.said !== undefined)
    assert.deepEqual(faults, [])
    return { said: JSON.parse(await page.evaluate(() => window.said)), fetched }
  } finally {
    server.close()
  }
}

const isRight = (said) => assert.deepEqual(said, expected(said.code))

const below = (path) => readdirSync(path, { recursive: true }).map(String)

test('a page that Vite builds for production runs in a browser, without a file of wasm', async () => {
  write('vite/index.html', '<!doctype html><meta charset="utf-8"><title>x</title><script type="module" src="/main.js"></script>')
  write('vite/main.js', `${imported}window.said = said; window.model = aiSdkModel`)
  const out = join(folder, 'vite-out')
  await build({ root: join(folder, 'vite'), logLevel: 'error', build: { outDir: out, target: 'es2022' } })
  assert.deepEqual(below(out).filter((name) => name.endsWith('.wasm')), [])
  const { said, fetched } = await open(out, '/index.html')
  isRight(said)
  assert.ok(fetched.every((path) => !path.endsWith('.wasm')), String(fetched))
})

const packed = (options) =>
  new Promise((resolve, reject) => {
    webpack({ mode: 'production', context: folder, ...options }, (error, stats) => {
      if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString({ all: false, errors: true })))
      else resolve(stats)
    })
  })

test('a page that webpack builds runs in a browser', async () => {
  write('web/main.js', `${imported}window.said = said; window.model = aiSdkModel`)
  const out = join(folder, 'web-out')
  await packed({ entry: join(folder, 'web/main.js'), target: 'web', output: { path: out, filename: 'main.js' } })
  assert.deepEqual(below(out).filter((name) => name.endsWith('.wasm')), [])
  const page = '<!doctype html><meta charset="utf-8"><title>x</title><script src="/main.js"></script>'
  isRight((await open(out, '/page.html', { '/page.html': page })).said)
})

test('a program that webpack builds for Node.js runs alone', async () => {
  write('node/main.js', `${imported}console.log(said, typeof aiSdkModel)`)
  const out = join(folder, 'node-out')
  await packed({
    entry: join(folder, 'node/main.js'), target: 'node20', experiments: { outputModule: true },
    output: { path: out, filename: 'main.mjs', module: true, library: { type: 'module' } },
  })
  const alone = join(folder, 'alone')
  write('alone/main.mjs', readFileSync(join(out, 'main.mjs')))
  const { stdout, stderr } = spawnSync(process.execPath, ['main.mjs'], { cwd: alone, encoding: 'utf8' })
  assert.match(stdout, / function\n$/, stderr)
  isRight(JSON.parse(stdout.replace(/ function\n$/, '')))
})
