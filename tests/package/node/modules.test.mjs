// The ways in: ES modules, CommonJS, the entry without wasm, bundles.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, inflateRawSync } from 'node:zlib'
import { build } from 'esbuild'
import { weather } from '../support/samples.mjs'
import { install, repository, tarball } from '../support/tarball.mjs'

const folder = install()
const { bytes } = JSON.parse(readFileSync(join(repository, 'tests/budgets.json'), 'utf8'))
writeFileSync(join(folder, 'weather.yaml'), weather)

/** Runs a program in the consumer's folder and returns what it prints. */
const node = (name, code) => {
  writeFileSync(join(folder, name), code)
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' }).trim()
}

/** What the authors' functions do, by the names that a program imports. */
const author = `
  if (format('name:   run').text !== 'name: run\\n') throw new Error('not formatted')
  console.log(transcript('hello').withUserMessage('Hi').build().metadata.name)`

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
  assert.equal(node('a2.mjs', `import { format, transcript } from 'transcript-workbench'${author}`), 'hello')
})

test('a CommonJS module requires it', () => {
  const code = `const { expand, replay, validate } = require('transcript-workbench')
    const { aiSdkModel } = require('transcript-workbench/ai-sdk')
    ${text}${use}
    replay('weather.yaml').then((tape) => console.log(aiSdkModel(tape).specificationVersion))`
  assert.equal(node('a.cjs', code), '3\nv4')
  assert.equal(node('a2.cjs', `const { format, transcript } = require('transcript-workbench')${author}`), 'hello')
})

test('errors of one kind of module are known to the other', () => {
  const code = `import { createRequire } from 'node:module'
    import { TranscriptDivergenceError, TranscriptError } from 'transcript-workbench'
    const { replay } = createRequire(import.meta.url)('transcript-workbench')
    const tape = await replay('weather.yaml')
    try { tape.assertComplete() } catch (error) {
      console.log(error instanceof TranscriptDivergenceError, error instanceof TranscriptError)
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

test('the slim entry starts the second part apart, before or after the first, and says so when one is not', () => {
  const head = `import { createRequire } from 'node:module'
    import { readFileSync } from 'node:fs'
    import { format, transcript, init, initAuthoring, initAuthoringSync, initSync } from 'transcript-workbench/slim'
    const bytesOf = (name) => readFileSync(createRequire(import.meta.url).resolve('transcript-workbench/' + name))
    const [core, bytes] = ['core.wasm', 'authoring.wasm'].map(bytesOf)\n`
  const code = `${head}initSync(core)
    try { format('x') } catch (error) { console.log(error.message.includes('initAuthoring()')) }
    try { initAuthoringSync('x') } catch (error) { console.log(error.name, error.message.includes('authoring.wasm')) }
    await initAuthoring(new WebAssembly.Module(bytes))
    initAuthoringSync(bytes)${author}`
  assert.equal(node('f.mjs', code), 'true\nTypeError true\nhello')
  const before = `${head}initAuthoringSync(bytes)
    try { format('x') } catch (error) { console.log(error.message.includes('init()')) }
    initSync(core)${author}`
  assert.equal(node('g.mjs', before), 'true\nhello')
  const other = `${head}initSync(core)
    const marked = bytes.toString('latin1').replace(/split_[\\da-f]{4}/, 'split_zzzz')
    initAuthoringSync(Buffer.from(marked, 'latin1'))
    try { format('x') } catch (error) { console.log(error.code, error.message) }
    await initAuthoring(bytes)${author}`
  assert.equal(node('k.mjs', other), 'ERR_TRANSCRIPT_MISUSE core.wasm and authoring.wasm are of different versions\nhello')
  const wrong = `${head}await init(core)
    try { await initAuthoring(core) } catch (error) { console.log(error.message) }
    try { initSync(bytes) } catch (error) { console.log(error.message) }
    await initAuthoring(bytes)${author}`
  assert.equal(node('l.mjs', wrong), 'initAuthoring() takes authoring.wasm, but got another module\nhello')
  const swapped = `${head}try { initSync(bytes) } catch (error) { console.log(error.message) }
    initSync(core)
    initAuthoringSync(bytes)${author}`
  assert.equal(node('m.mjs', swapped), 'initSync() takes core.wasm, but got another module\nhello')
  const response = "new Response(bytes, { headers: { 'content-type': 'application/wasm' } })"
  assert.equal(node('h.mjs', `${head}await Promise.all([initAuthoring(${response}), init(core)])${author}`), 'hello')
})

test('the parts start once, in whatever order entries start them', () => {
  const head = `import { createRequire } from 'node:module'
    import { readFileSync } from 'node:fs'
    import * as slim from 'transcript-workbench/slim'
    const bytesOf = (name) => readFileSync(createRequire(import.meta.url).resolve('transcript-workbench/' + name))
    const [core, bytes] = ['core.wasm', 'authoring.wasm'].map(bytesOf)\n`
  const late = `${head}${text}
    const started = slim.init(new Promise((done) => setTimeout(() => done(core), 50)))
    const { format, parse } = await import('transcript-workbench')
    const document = parse(text)
    format(text)
    await started
    console.log(format(text).ok, document.steps.length)`
  assert.equal(node('n.mjs', late), 'true 4')
  const part = `${head}const { payloadHash } = await import('transcript-workbench/experimental')
    slim.initAuthoringSync(bytes)
    console.log(payloadHash({ a: 1 }))`
  assert.equal(node('o.mjs', part), 'f9d86028c6e0d64e')
})

test('both entries have the same core', () => {
  const code = `const { Instance } = WebAssembly
    let count = 0
    WebAssembly.Instance = class extends Instance {
      constructor(...args) {
        super(...args)
        count += 1
      }
    }
    const { readEvents } = await import('transcript-workbench/experimental')
    const { format, validate } = await import('transcript-workbench')
    ${text}
    readEvents(new TextEncoder().encode('{}'))
    if (!validate(text).ok || !format(text).ok) throw new Error('not ok')
    console.log(count)`
  assert.equal(node('i.mjs', code), '2')
})

const reading = `import { expand, validate } from 'transcript-workbench'\n${text}${use}`
const writing = `import { format, transcript } from 'transcript-workbench'${author}`
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

/** Runs a bundle far from the package, so that it has to bring everything along; `others` lie next to it. */
const runAlone = (out, file, name, others = {}) => {
  const alone = install()
  cpSync(join(out, file), join(alone, name))
  for (const [other, content] of Object.entries(others)) writeFileSync(join(alone, other), content)
  execFileSync('rm', ['-rf', join(alone, 'node_modules')])
  return execFileSync(process.execPath, [name], { cwd: alone, encoding: 'utf8' }).trim()
}

const dist = join(folder, 'node_modules/transcript-workbench/dist')
const sizeOf = (name) => readFileSync(join(dist, name)).length

/** How much of a bundle is the wasm of `core` or `authoring`. */
const inlined = (name) => sizeOf(`${name}.wasm.deflate.js`)

for (const name of ['core', 'authoring']) {
  test(`the inlined ${name} is the wasm itself, compressed`, async () => {
    const wasm = readFileSync(join(dist, `${name}.wasm`))
    const held = (await import(pathToFileURL(join(dist, `${name}.wasm.deflate.js`)).href)).default
    assert.deepEqual([held.name, held.size], [name, wasm.length])
    assert.ok(inflateRawSync(Buffer.from(held.text, 'base64')).equals(wasm))
    assert.ok(inlined(name) < wasm.length * 0.54, `${inlined(name)} bytes for a wasm of ${wasm.length}`)
  })
}

/** The part of the module that only the site has. */
const workersModule = () => {
  const whole = brotliDecompressSync(readFileSync(join(dist, 'site/modules.br')))
  const end = whole.indexOf('\n')
  let at = end + 1
  for (const [name, size] of JSON.parse(String(whole.subarray(0, end)))) {
    if (name === 'workers.wasm') return new WebAssembly.Module(whole.subarray(at, at + size))
    at += size
  }
  throw new Error('the site has no workers.wasm')
}

test('the three parts of the wasm fill the table of functions', () => {
  const [core, authoring] = ['core', 'authoring'].map((name) => new WebAssembly.Module(readFileSync(join(dist, `${name}.wasm`))))
  const imports = {}
  for (const { module, name } of WebAssembly.Module.imports(core)) {
    imports[module] ??= {}
    imports[module][name] = () => 0
  }
  const first = new WebAssembly.Instance(core, imports).exports
  for (const later of [authoring, workersModule()]) new WebAssembly.Instance(later, { first })
  const table = first.split_table_0
  // Place 0 is that of a null pointer.
  const empty = Array.from({ length: table.length }, (_, at) => at).filter((at) => at > 0 && table.get(at) === null)
  assert.deepEqual(empty, [])
})

test('the wasm stands in the package as a file and as one text, no more', () => {
  const big = readdirSync(dist).filter((name) => statSync(join(dist, name)).isFile() && sizeOf(name) > 200_000)
  assert.deepEqual(big.sort(), ['authoring.wasm', 'authoring.wasm.deflate.js', 'core.wasm', 'core.wasm.deflate.js'])
})

test('a bundle for the browser is one file that holds the wasm once, and the licence of what unpacks it', async () => {
  const out = await bundle('web', { platform: 'browser', format: 'esm', minify: true })
  assert.deepEqual(readdirSync(out), ['web.js'])
  const code = readFileSync(join(out, 'web.js'), 'utf8')
  assert.ok(code.length < inlined('core') + 100_000, `${code.length} bytes for a text of ${inlined('core')}`)
  assert.match(code, /fflate\.\s+MIT License\s+Copyright \(c\) \d+ Arjun Barrett[^]*THE SOFTWARE IS PROVIDED "AS IS"/)
  assert.equal(runAlone(out, 'web.js', 'web.mjs'), '3')
})

for (const platform of ['browser', 'node']) {
  test(`a bundle for ${platform} holds the wasm for authors only when something of it is used`, async () => {
    const both = inlined('core') + inlined('authoring')
    const file = async (name, program) => {
      const out = await bundle(name, { platform, format: 'esm', target: 'es2022' }, program)
      return { out, size: readFileSync(join(out, `${name}.js`)).length }
    }
    const plays = await file(`${platform}-replays`, replaying)
    assert.ok(plays.size < inlined('core') + 122_000, `${plays.size} bytes`)
    assert.equal(runAlone(plays.out, `${platform}-replays.js`, 'replays.mjs'), '2')
    const writes = await file(`${platform}-writes`, writing)
    assert.ok(writes.size > both && writes.size < both + 176_000, `${writes.size} bytes`)
    assert.equal(runAlone(writes.out, `${platform}-writes.js`, 'writes.mjs'), 'hello')
  })
}

test('a bundle for a server needs no file next to it', async () => {
  const esm = await bundle('server', { platform: 'node', format: 'esm' })
  assert.equal(runAlone(esm, 'server.js', 'server.mjs'), '3')
  const cjs = await bundle('serverless', { platform: 'node', format: 'cjs' })
  assert.equal(runAlone(cjs, 'serverless.js', 'serverless.cjs'), '3')
})

test('a bundle of a server that is written in CommonJS needs no file next to it either', async () => {
  const required = `const { expand, validate } = require('transcript-workbench')\n${text}${use}`
  const out = await bundle('required', { platform: 'node', format: 'cjs' }, required)
  assert.equal(runAlone(out, 'required.js', 'required.cjs'), '3')
  // A bundler that does not know the condition `module` takes the CommonJS entry, which looks for files first.
  const other = await bundle('other', { platform: 'node', format: 'cjs', conditions: ['other'] }, required)
  assert.match(readFileSync(join(other, 'other.js'), 'utf8'), /index\.node\.cjs/)
  assert.equal(runAlone(other, 'other.js', 'other.cjs'), '3')
  assert.equal(runAlone(other, 'other.js', 'other.cjs', { 'core.wasm': 'of another package' }), '3')
})

test('a Worker gets the wasm as compiled modules, the second when it uses it', async () => {
  for (const [name, program, modules, answer] of [
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
    assert.equal(execFileSync(process.execPath, [`${name}.mjs`], { cwd: folder, encoding: 'utf8' }).trim(), answer)
  }
})

test('the examples are found by their names, and replay', () => {
  const names = readdirSync(join(repository, 'public/examples'))
  assert.ok(names.includes('weather_query.yaml'))
  const code = `import { replay } from 'transcript-workbench'
    for (const name of ${JSON.stringify(names)}) import.meta.resolve('transcript-workbench/examples/' + name)
    const tape = await replay(new URL(import.meta.resolve('transcript-workbench/examples/weather_query.yaml')))
    console.log(tape.remainingSteps)`
  assert.equal(node('examples.mjs', code), '2')
  const required = "console.log(require.resolve('transcript-workbench/examples/handler_fsm.yaml').endsWith('handler_fsm.yaml'))"
  assert.equal(node('examples.cjs', required), 'true')
  const { status, stderr } = spawnSync('npx', ['--no-install', 'transcript', 'validate', 'node_modules/transcript-workbench/examples/'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.deepEqual([status, stderr.includes('error')], [0, false], stderr)
})

test('the packed file keeps to its size and holds nothing else', () => {
  const files = readdirSync(join(folder, 'node_modules/transcript-workbench'), { recursive: true }).sort()
  const others = files.filter((name) => !/^(dist|docs|examples|man|schema)\b/.test(name))
  assert.deepEqual(others, ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json'])
  const ours = (folder) => readdirSync(join(repository, 'public', folder)).sort()
  const packedIn = (folder) =>
    files
      .filter((name) => name.startsWith(`${folder}/`) && !name.slice(folder.length + 1).includes('/'))
      .map((name) => name.slice(folder.length + 1))
  assert.deepEqual(packedIn('docs'), ours('docs'))
  assert.deepEqual(packedIn('docs/diagnostics'), ours('docs/diagnostics'))
  assert.deepEqual(packedIn('schema'), ours('schema'))
  assert.deepEqual(packedIn('examples'), ours('examples'))
  assert.deepEqual(packedIn('man'), ['transcript.1'])
  // What the build of a package without a site leaves out is reported by the tests of `transcript open`.
  const site = files.filter((name) => name.startsWith('dist/site/')).map((name) => name.replace(/-?[\da-f]{16}/, ''))
  if (site.length > 0) assert.deepEqual(site.sort(), ['dist/site/modules.br', 'dist/site/texts.json.br'])
  const kinds = new Set(files.filter((name) => /^dist\/[^/]+\./.test(name)).map((name) => name.replace(/^.*?\./, '')))
  assert.deepEqual([...kinds].sort(), [
    'cjs',
    'd.cts',
    'd.ts',
    'inline.js',
    'js',
    'node.cjs',
    'node.js',
    'wasm',
    'wasm.deflate.js',
    'wasm.file.js',
    'workerd.js',
  ])
  const packed = readFileSync(tarball()).length
  // Half of a megabyte of it, unpacked, is what reads the logs of eleven other programs.
  assert.ok(packed < bytes['package, packed'], `${packed} bytes`)
  const sizes = files.map((name) => statSync(join(folder, 'node_modules/transcript-workbench', name)))
  const unpacked = sizes.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
  assert.ok(unpacked < bytes['package, unpacked'], `${unpacked} bytes`)
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/transcript-workbench/package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  assert.equal(manifest.scripts, undefined)
})

test('a command that reads loads the core alone, in three files', () => {
  const dist = join(folder, 'node_modules/transcript-workbench/dist')
  const imported = (name) =>
    [...readFileSync(join(dist, name), 'utf8').matchAll(/(?:^|[;}\n])import(?:[^;()'"]*?from)?"([^"]+)"/g)].map(([, path]) => path)
  const loaded = new Set(['./cli.js'])
  for (const path of loaded) if (path.startsWith('./')) for (const other of imported(path)) loaded.add(other)
  const files = [...loaded].filter((path) => path.startsWith('./')).map((path) => path.replace(/-chunk-\w+/, '-chunk'))
  assert.deepEqual(files.sort(), ['./cli-chunk.js', './cli.js', './core.js'])
  // The commands that write start the core only when they need it, too.
  const writing = readdirSync(dist).find((name) => /^cli-writing-\w+\.js$/.test(name))
  assert.deepEqual(
    imported(writing).filter((path) => path.startsWith('transcript-workbench')),
    [],
  )
  // Each of the others takes milliseconds to load: `node:http`, `node:crypto`, `node:zlib`, `node:child_process`.
  const others = [...loaded].filter((path) => !path.startsWith('./'))
  assert.deepEqual(others.sort(), ['node:buffer', 'node:fs', 'node:module', 'node:path', 'node:url'])
})
