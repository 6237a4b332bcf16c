// The ways in: ES modules, CommonJS, the entry without wasm, bundles.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from 'esbuild'
import { weather } from '../support/samples.mjs'
import { install, tarball } from '../support/tarball.mjs'

const folder = install()
writeFileSync(join(folder, 'weather.yaml'), weather)

/** Runs a program in the consumer's folder and returns what it prints. */
const node = (name, code) => {
  writeFileSync(join(folder, name), code)
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' }).trim()
}

const use = `
  if (!validate(text).ok) throw new Error('not ok')
  console.log(expand(text).transcript.execution.length)`

const text = `const text = ${JSON.stringify(weather)}\n`

test('an ES module imports it', () => {
  const code = `import { expand, replay, validate } from 'transcript-workbench'
    import { aiSdkModel } from 'transcript-workbench/ai-sdk'
    ${text}${use}
    console.log(aiSdkModel(await replay('weather.yaml')).specificationVersion)`
  assert.equal(node('a.mjs', code), '3\nv4')
})

test('a CommonJS module requires it', () => {
  const code = `const { expand, replay, validate } = require('transcript-workbench')
    const { aiSdkModel } = require('transcript-workbench/ai-sdk')
    ${text}${use}
    replay('weather.yaml').then((tape) => console.log(aiSdkModel(tape).specificationVersion))`
  assert.equal(node('a.cjs', code), '3\nv4')
})

test('errors of one kind of module are known to the other', () => {
  const code = `import { createRequire } from 'node:module'
    import { TranscriptDivergence, TranscriptError } from 'transcript-workbench'
    const { replay } = createRequire(import.meta.url)('transcript-workbench')
    const tape = await replay('weather.yaml')
    try { tape.assertComplete() } catch (error) {
      console.log(error instanceof TranscriptDivergence, error instanceof TranscriptError)
    }`
  assert.equal(node('b.mjs', code), 'true false')
})

test('the slim entry is started by its caller, at once or later', () => {
  const head = `import { createRequire } from 'node:module'
    import { readFileSync } from 'node:fs'
    const bytes = readFileSync(createRequire(import.meta.url).resolve('transcript-workbench/core.wasm'))\n`
  const sync = `${head}import { expand, initSync, validate } from 'transcript-workbench/slim'
    ${text}
    try { validate(text) } catch (error) { console.log(error.message.includes('init()')) }
    initSync(bytes)
    initSync(bytes)${use}`
  assert.equal(node('c.mjs', sync), 'true\n3')
  const later = `${head}import { expand, init, validate } from 'transcript-workbench/slim'
    ${text}
    await init(new WebAssembly.Module(bytes))${use}`
  assert.equal(node('d.mjs', later), '3')
  const required = `const { expand, initSync, validate } = require('transcript-workbench/slim')
    ${text}
    initSync(require('node:fs').readFileSync(require.resolve('transcript-workbench/core.wasm')))${use}`
  assert.equal(node('e.cjs', required), '3')
})

/** Bundles a program and returns the folder with what came out, where nothing else is. */
const bundle = async (name, options) => {
  const out = join(folder, name)
  mkdirSync(out)
  const entry = join(folder, `${name}.js`)
  writeFileSync(entry, `import { expand, validate } from 'transcript-workbench'\n${text}${use}`)
  await build({ entryPoints: [entry], outdir: out, bundle: true, logLevel: 'error', ...options })
  return out
}

/** Runs a bundle far from the package, so that it has to bring everything along. */
const runAlone = (out, file, name) => {
  const alone = install()
  cpSync(join(out, file), join(alone, name))
  execFileSync('rm', ['-rf', join(alone, 'node_modules')])
  return execFileSync(process.execPath, [name], { cwd: alone, encoding: 'utf8' }).trim()
}

test('a bundle for the browser is one file that holds the wasm once', async () => {
  const out = await bundle('web', { platform: 'browser', format: 'esm', metafile: true })
  assert.deepEqual(readdirSync(out), ['web.js'])
  const wasm = readFileSync(join(folder, 'node_modules/transcript-workbench/dist/core.wasm'))
  const size = readFileSync(join(out, 'web.js')).length
  assert.ok(size < wasm.length * 1.34 + 100_000, `${size} bytes for a wasm of ${wasm.length}`)
  assert.equal(runAlone(out, 'web.js', 'web.mjs'), '3')
})

test('a bundle for a server needs no file beside it', async () => {
  const esm = await bundle('server', { platform: 'node', format: 'esm' })
  assert.equal(runAlone(esm, 'server.js', 'server.mjs'), '3')
  const cjs = await bundle('serverless', { platform: 'node', format: 'cjs' })
  assert.equal(runAlone(cjs, 'serverless.js', 'serverless.cjs'), '3')
})

test('a Worker gets the wasm as a compiled module', async () => {
  const out = await bundle('worker', {
    platform: 'neutral', format: 'esm', conditions: ['workerd'], external: ['*.wasm'],
  })
  const code = readFileSync(join(out, 'worker.js'), 'utf8')
  const imported = /import (\w+) from "([^"]*core\.wasm)"/.exec(code)
  assert.ok(imported, 'the wasm is not imported as a module')
  const wasm = join(folder, 'node_modules/transcript-workbench/dist/core.wasm')
  const compiled = `import { readFileSync } from 'node:fs'
    const ${imported[1]} = new WebAssembly.Module(readFileSync(${JSON.stringify(wasm)}))\n`
  writeFileSync(join(folder, 'worker.mjs'), compiled + code.replace(imported[0], ''))
  assert.equal(execFileSync(process.execPath, ['worker.mjs'], { cwd: folder, encoding: 'utf8' }).trim(), '3')
  assert.ok(code.length < 200_000, 'the wasm is inlined as well')
})

test('the packed file keeps to its size and holds nothing else', () => {
  const files = readdirSync(join(folder, 'node_modules/transcript-workbench'), { recursive: true }).sort()
  assert.deepEqual(files.filter((name) => !name.startsWith('dist')), ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json'])
  const kinds = new Set(files.filter((name) => name.startsWith('dist/')).map((name) => name.replace(/^.*?\./, '')))
  assert.deepEqual([...kinds].sort(), [
    'cjs', 'd.cts', 'd.ts', 'inline.js', 'js', 'node.cjs', 'node.js', 'wasm', 'wasm.base64.js', 'workerd.js',
  ])
  const packed = readFileSync(tarball()).length
  assert.ok(packed < 2_000_000, `${packed} bytes`)
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/transcript-workbench/package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  assert.equal(manifest.scripts, undefined)
})
