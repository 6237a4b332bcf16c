// Bundles that people make of the package, run where they are meant to run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { build, createServer } from 'vite'
import webpack from 'webpack'
import { launch, serve } from '../support/browser.mjs'
import { install } from '../support/tarball.mjs'
import {
  expected,
  fetchExpected,
  fetchNames,
  fetchProgram,
  names,
  program,
  workerExpected,
  workerNames,
  workerProgram,
} from './programs.mjs'

const folder = install({ type: 'module' })
const write = (name, text) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const imported = `import { ${names} } from 'transcript-workbench'\nimport { aiSdkModel } from 'transcript-workbench/ai-sdk'\n${program}`

const inWorkers = `import { ${names} } from 'transcript-workbench'
import { ${fetchNames} } from 'transcript-workbench/fetch'
import { ${workerNames} } from 'transcript-workbench/worker'
${program}${fetchProgram}${workerProgram}`
const isDoneInWorkers = (outcome) => assert.deepEqual(outcome, [fetchExpected, workerExpected])

let browser

before(async () => {
  browser = await launch(chromium)
})

after(() => browser?.close())

/** What the page at `path` of a folder leaves in `window.outcome`, and what it requested from the server. */
const open = async (out, path, pages = {}) => {
  const server = await serve(out, pages)
  try {
    const page = await browser.newPage()
    const faults = []
    const fetched = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    await page.goto(`${server.origin}${path}`)
    await page.waitForFunction(() => window.outcome !== undefined)
    assert.deepEqual(faults, [])
    return { outcome: JSON.parse(await page.evaluate(() => window.outcome)), fetched }
  } finally {
    server.close()
  }
}

const isRight = (outcome) => assert.deepEqual(outcome, expected(outcome.code))

const below = (path) => readdirSync(path, { recursive: true }).map(String)

test('a page that Vite builds for production runs in a browser, without a file of wasm', async () => {
  write('vite/index.html', '<!doctype html><meta charset="utf-8"><title>x</title><script type="module" src="/main.js"></script>')
  write('vite/main.js', `${imported}window.outcome = outcome; window.model = aiSdkModel`)
  const out = join(folder, 'vite-out')
  await build({ root: join(folder, 'vite'), logLevel: 'error', build: { outDir: out, target: 'es2022' } })
  assert.deepEqual(
    below(out).filter((name) => name.endsWith('.wasm')),
    [],
  )
  const { outcome, fetched } = await open(out, '/index.html')
  isRight(outcome)
  assert.ok(
    fetched.every((path) => !path.endsWith('.wasm')),
    String(fetched),
  )
})

const packed = (options) =>
  new Promise((resolve, reject) => {
    webpack({ mode: 'production', context: folder, ...options }, (error, stats) => {
      if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString({ all: false, errors: true })))
      else resolve(stats)
    })
  })

test('a page that webpack builds runs in a browser', async () => {
  write('web/main.js', `${imported}window.outcome = outcome; window.model = aiSdkModel`)
  const out = join(folder, 'web-out')
  await packed({ entry: join(folder, 'web/main.js'), target: 'web', output: { path: out, filename: 'main.js' } })
  assert.deepEqual(
    below(out).filter((name) => name.endsWith('.wasm')),
    [],
  )
  const page = '<!doctype html><meta charset="utf-8"><title>x</title><script src="/main.js"></script>'
  isRight((await open(out, '/page.html', { '/page.html': page })).outcome)
})

test('a program that webpack builds for Node.js runs alone', async () => {
  write('node/main.js', `${imported}console.log(outcome, typeof aiSdkModel)`)
  const out = join(folder, 'node-out')
  await packed({
    entry: join(folder, 'node/main.js'),
    target: 'node20',
    experiments: { outputModule: true },
    output: { path: out, filename: 'main.mjs', module: true, library: { type: 'module' } },
  })
  const alone = join(folder, 'alone')
  write('alone/main.mjs', readFileSync(join(out, 'main.mjs')))
  const { stdout, stderr } = spawnSync(process.execPath, ['main.mjs'], { cwd: alone, encoding: 'utf8' })
  assert.match(stdout, / function\n$/, stderr)
  isRight(JSON.parse(stdout.replace(/ function\n$/, '')))
})

test('a page that Vite builds for production asks a worker, whose file it finds', async () => {
  write('vite-worker/index.html', '<!doctype html><meta charset="utf-8"><title>x</title><script type="module" src="/main.js"></script>')
  write('vite-worker/main.js', `${inWorkers}window.outcome = JSON.stringify([fetched, worked])`)
  const out = join(folder, 'vite-worker-out')
  await build({ root: join(folder, 'vite-worker'), logLevel: 'error', build: { outDir: out, target: 'es2022' } })
  isDoneInWorkers((await open(out, '/index.html')).outcome)
})

test('a page that the server of Vite serves asks a worker, with the package left out of what it prepares', async () => {
  write('vite-served/index.html', '<!doctype html><meta charset="utf-8"><title>x</title><script type="module" src="/main.js"></script>')
  write('vite-served/main.js', `${inWorkers}window.outcome = JSON.stringify([fetched, worked])`)
  const server = await createServer({
    root: join(folder, 'vite-served'),
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, ws: false, fs: { allow: [folder] } },
    optimizeDeps: { exclude: ['transcript-workbench'] },
  })
  await server.listen()
  try {
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls.local[0])
    await page.waitForFunction(() => window.outcome !== undefined)
    isDoneInWorkers(JSON.parse(await page.evaluate(() => window.outcome)))
  } finally {
    await server.close()
  }
})

test('a page that webpack builds asks a worker, whose file it finds', async () => {
  write('web-worker/main.js', `${inWorkers}window.outcome = JSON.stringify([fetched, worked])`)
  const out = join(folder, 'web-worker-out')
  await packed({
    entry: join(folder, 'web-worker/main.js'),
    target: 'web',
    output: { path: out, filename: 'main.js', publicPath: '/', module: true },
    // Making it small takes its time, and is another test's.
    experiments: { outputModule: true },
    optimization: { minimize: false },
  })
  const page = '<!doctype html><meta charset="utf-8"><title>x</title><script type="module" src="/main.js"></script>'
  isDoneInWorkers((await open(out, '/page.html', { '/page.html': page })).outcome)
})

test('a page without a bundler asks a worker, and one of its own module', async () => {
  const dist = '/node_modules/transcript-workbench/dist'
  const script = inWorkers.replaceAll(
    /'transcript-workbench(?:\/(\w+))?'/g,
    (_, entry = 'index') => `'${dist}/${entry === 'fetch' ? 'fetch' : `${entry}.inline`}.js'`,
  )
  const own = `const own = createWorkerPool({ worker: () => new Worker('/own.js', { type: 'module' }) })
    const mine = (await own.validate(text)).ok
    const missing = await createWorkerPool({ worker: () => new Worker('/missing.js', { type: 'module' }) }).validate(text).catch((error) => [error.name, error.code])`
  const page = `<!doctype html><meta charset="utf-8"><title>x</title>
    <script type="module">${script};${own};window.outcome = JSON.stringify([[fetched, worked], mine, missing])</script>`
  const {
    outcome: [all, mine, missing],
  } = await open(folder, '/page.html', { '/page.html': page, '/own.js': `import '${dist}/worker-thread.inline.js'` })
  isDoneInWorkers(all)
  assert.equal(mine, true)
  assert.deepEqual(missing, ['WorkerPoolError', 'ERR_TRANSCRIPT_WORKER_START'])
})
