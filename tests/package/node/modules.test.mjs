// The ways in: ES modules, CommonJS, the entry without wasm, bundles.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from 'esbuild'
import { weather } from '../support/samples.mjs'
import { install, repository, tarball } from '../support/tarball.mjs'

const folder = install()
writeFileSync(join(folder, 'weather.yaml'), weather)

/** Runs a program in the consumer's folder and returns what it prints. */
const node = (name, code) => {
  writeFileSync(join(folder, name), code)
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' }).trim()
}

/** What the authors' functions do, by the names that a program imports. */
const author = `
  if (format('name:   run').text !== 'name: run\\n') throw new Error('not formatted')
  console.log(T('hello').withUserMessage('Hi').build().metadata.name)`

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
  assert.equal(node('a2.mjs', `import { T, format } from 'transcript-workbench'${author}`), 'hello')
})

test('a CommonJS module requires it', () => {
  const code = `const { expand, replay, validate } = require('transcript-workbench')
    const { aiSdkModel } = require('transcript-workbench/ai-sdk')
    ${text}${use}
    replay('weather.yaml').then((tape) => console.log(aiSdkModel(tape).specificationVersion))`
  assert.equal(node('a.cjs', code), '3\nv4')
  assert.equal(node('a2.cjs', `const { T, format } = require('transcript-workbench')${author}`), 'hello')
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

test('the slim entry starts the second module apart, and says so when it is not', () => {
  const code = `import { createRequire } from 'node:module'
    import { readFileSync } from 'node:fs'
    import { T, format, initAuthoring, initAuthoringSync } from 'transcript-workbench/slim'
    const bytes = readFileSync(createRequire(import.meta.url).resolve('transcript-workbench/authoring.wasm'))
    try { format('x') } catch (error) { console.log(error.message.includes('initAuthoring()')) }
    try { initAuthoringSync('x') } catch (error) { console.log(error.name, error.message.includes('authoring.wasm')) }
    await initAuthoring(new WebAssembly.Module(bytes))
    initAuthoringSync(bytes)${author}`
  assert.equal(node('f.mjs', code), 'true\nTypeError true\nhello')
})

const reading = `import { expand, validate } from 'transcript-workbench'\n${text}${use}`
const writing = `import { T, format } from 'transcript-workbench'${author}`
const replaying = `import { replay } from 'transcript-workbench'
  const tape = await replay({ text: ${JSON.stringify(weather)} })
  console.log(tape.remainingSteps)`

/** Bundles a program and returns the folder with what came out, where nothing else is. */
const bundle = async (name, options, program = reading) => {
  const out = join(folder, name)
  mkdirSync(out)
  const entry = join(folder, `${name}.js`)
  writeFileSync(entry, program)
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

const sizeOf = (name) => readFileSync(join(folder, 'node_modules/transcript-workbench/dist', name)).length

test('a bundle for the browser is one file that holds the wasm once', async () => {
  const out = await bundle('web', { platform: 'browser', format: 'esm', metafile: true })
  assert.deepEqual(readdirSync(out), ['web.js'])
  const wasm = sizeOf('core.wasm')
  const size = readFileSync(join(out, 'web.js')).length
  assert.ok(size < wasm * 1.34 + 100_000, `${size} bytes for a wasm of ${wasm}`)
  assert.equal(runAlone(out, 'web.js', 'web.mjs'), '3')
})

for (const platform of ['browser', 'node']) {
  test(`a bundle for ${platform} holds the wasm for authors only when something of it is used`, async () => {
    const both = sizeOf('core.wasm') + sizeOf('authoring.wasm')
    const file = async (name, program) => {
      const out = await bundle(name, { platform, format: 'esm', target: 'es2022' }, program)
      return { out, size: readFileSync(join(out, `${name}.js`)).length }
    }
    const plays = await file(`${platform}-replays`, replaying)
    assert.ok(plays.size < sizeOf('core.wasm') * 1.34 + 100_000, `${plays.size} bytes`)
    assert.equal(runAlone(plays.out, `${platform}-replays.js`, 'replays.mjs'), '2')
    const writes = await file(`${platform}-writes`, writing)
    assert.ok(writes.size > both * 1.33 && writes.size < both * 1.34 + 120_000, `${writes.size} bytes`)
    assert.equal(runAlone(writes.out, `${platform}-writes.js`, 'writes.mjs'), 'hello')
  })
}

test('a bundle for a server needs no file beside it', async () => {
  const esm = await bundle('server', { platform: 'node', format: 'esm' })
  assert.equal(runAlone(esm, 'server.js', 'server.mjs'), '3')
  const cjs = await bundle('serverless', { platform: 'node', format: 'cjs' })
  assert.equal(runAlone(cjs, 'serverless.js', 'serverless.cjs'), '3')
})

test('a Worker gets the wasm as compiled modules, the second when it uses it', async () => {
  for (const [name, program, modules, said] of [
    ['worker', reading, ['core'], '3'],
    ['author', writing, ['core', 'authoring'], 'hello'],
  ]) {
    const options = { platform: 'neutral', format: 'esm', conditions: ['workerd'], external: ['*.wasm'] }
    const out = await bundle(name, options, program)
    let code = readFileSync(join(out, `${name}.js`), 'utf8')
    assert.ok(code.length < 200_000, 'the wasm is inlined as well')
    let compiled = "import { readFileSync } from 'node:fs'\n"
    const imported = [...code.matchAll(/import (\w+) from "[^"]*?(\w+)\.wasm";?/g)]
    assert.deepEqual(imported.map(([, , module]) => module).sort(), [...modules].sort())
    for (const [whole, variable, module] of imported) {
      const wasm = join(folder, `node_modules/transcript-workbench/dist/${module}.wasm`)
      compiled += `const ${variable} = new WebAssembly.Module(readFileSync(${JSON.stringify(wasm)}))\n`
      code = code.replace(whole, '')
    }
    writeFileSync(join(folder, `${name}.mjs`), compiled + code)
    assert.equal(execFileSync(process.execPath, [`${name}.mjs`], { cwd: folder, encoding: 'utf8' }).trim(), said)
  }
})

test('the packed file keeps to its size and holds nothing else', () => {
  const files = readdirSync(join(folder, 'node_modules/transcript-workbench'), { recursive: true }).sort()
  const others = files.filter((name) => !/^(dist|docs|schema)\b/.test(name))
  assert.deepEqual(others, ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json'])
  const ours = (folder) => readdirSync(join(repository, 'public', folder)).sort()
  const packedIn = (folder) => files.filter((name) => name.startsWith(`${folder}/`) && name !== 'docs/diagnostics').map((name) => name.slice(folder.length + 1))
  assert.deepEqual(packedIn('docs/diagnostics'), ours('docs/diagnostics'))
  assert.deepEqual(packedIn('schema'), ours('schema'))
  const kinds = new Set(files.filter((name) => name.startsWith('dist/')).map((name) => name.replace(/^.*?\./, '')))
  assert.deepEqual([...kinds].sort(), [
    'cjs', 'd.cts', 'd.ts', 'inline.js', 'js', 'node.cjs', 'node.js', 'wasm', 'wasm.base64.js', 'workerd.js',
  ])
  const packed = readFileSync(tarball()).length
  assert.ok(packed < 5_000_000, `${packed} bytes`)
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/transcript-workbench/package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  assert.equal(manifest.scripts, undefined)
})
