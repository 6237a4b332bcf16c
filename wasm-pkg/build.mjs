// Assembles the npm package from the wasm and its glue.
//
//     node build.mjs --bindgen FOLDER --out FOLDER [--site FOLDER]
//
// FOLDER of --bindgen holds the two parts of the module and the glue that `wasm-bindgen --target web` wrote for it; the package
// is written to --out, whole, so that nothing of an earlier build is packed. --site is the built site, for `transcript open`.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { build, transformSync } from 'esbuild'
import { checkGlueTypes, writeDeclarations } from './declarations.mjs'
import { MODULES, manifest } from './manifest.mjs'
import { packSite } from './site.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(here)
const { values } = parseArgs({ options: { bindgen: { type: 'string' }, out: { type: 'string' }, site: { type: 'string' } } })
if (!values.bindgen || !values.out) {
  console.error('usage: node build.mjs --bindgen FOLDER --out FOLDER [--site FOLDER]')
  process.exit(2)
}
const bindgen = resolve(values.bindgen)
const out = resolve(values.out)
const dist = join(out, 'dist')

const version = () => {
  const text = readFileSync(join(root, 'Cargo.toml'), 'utf8')
  const found = /\[workspace\.package\][^[]*?\nversion = "([^"]+)"/.exec(text)
  if (!found) throw new Error('Cargo.toml names no version of the workspace')
  return found[1]
}

/** The function that adds the second part, which wasm-bindgen does not know. */
const ADDING = `
let whole
export const addAuthoring = (module) => {
  if (whole !== undefined && wasm === whole) return
  try {
    const { exports } = new WebAssembly.Instance(module, { first: wasm })
    whole = { ...wasm, ...exports }
  } catch (error) {
    if (!(error instanceof WebAssembly.LinkError)) throw error
    throw new Error('core.wasm and authoring.wasm are of different versions', { cause: error })
  }
  wasm = whole
}
`

/**
 * The glue without its own way to find the wasm: bundlers take that address for a file to be shipped, which
 * would add the whole wasm to bundles that hold it already.
 */
const glue = () => {
  const text = readFileSync(join(bindgen, 'core.js'), 'utf8')
  const fallback = /module_or_path = new URL\([^)]*import\.meta\.url\);/
  if (!fallback.test(text)) throw new Error('the glue of wasm-bindgen has another form than this build knows')
  const checked = text.replace(fallback, "throw new TypeError('the address of core.wasm has to be given');").concat(ADDING)
  // The package disposes of its own objects. What only the workers of the site use falls away when nothing is done with it
  // while the module is loaded.
  const pure = checked
    .replace(/^if \(Symbol\.dispose\) \w+\.prototype.*\n/gm, '')
    .replaceAll(': new FinalizationRegistry(', ': /* @__PURE__ */ new FinalizationRegistry(')
  // Generated code is not read: its names may be short, as may fields that it alone uses.
  const mangleProps = /^__(wbg_ptr|destroy_into_raw)$/
  return transformSync(pure, { minifyIdentifiers: true, minifySyntax: true, mangleProps, target: 'es2022' }).code
}

/** For long code that bundlers keep whole: stack traces need the names. */
const short = { minifyWhitespace: true, minifySyntax: true }
/** The same for code that throws: Node prints the line of an error. */
const shortLines = { ...short, lineLimit: 160 }

const bundled = {
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
  legalComments: 'none',
}

/** The path of a module of `js`. */
const source = (name) => join(here, 'js', `${name}.ts`)

const bundle = (entry, outfile, options) => build({ ...bundled, entryPoints: [entry], outfile: join(dist, outfile), ...options })

/** The raw deflate of a module: that of the file, unless it is of another module or was never written. */
const deflated = (wasm, path) => {
  if (existsSync(path)) {
    const packed = readFileSync(path)
    if (inflateRawSync(packed).equals(wasm)) return packed
  }
  return deflateRawSync(wasm, { level: 9 })
}

rmSync(out, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })

for (const name of ['core', 'authoring']) {
  const wasm = readFileSync(join(bindgen, `${name}.wasm`))
  writeFileSync(join(dist, `${name}.wasm`), wasm)
  const text = deflated(wasm, join(bindgen, `${name}.wasm.deflate`)).toString('base64')
  const inlined = `export default { name: '${name}', size: ${wasm.length}, text: '${text}' }\n`
  writeFileSync(join(dist, `${name}.wasm.deflate.js`), inlined)
  writeFileSync(join(dist, `${name}.wasm.file.js`), `export default { file: new URL('./${name}.wasm', import.meta.url) }\n`)
}

const gluePlugin = {
  name: 'glue',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#core$/ }, ({ path }) => ({ path, namespace: 'glue' }))
    onLoad({ filter: /.*/, namespace: 'glue' }, () => ({ contents: glue(), loader: 'js' }))
  },
}
/** Resolves the two bundles of the package to files in the same folder. */
const siblings = {
  name: 'siblings',
  setup: ({ onResolve }) => {
    const sibling = (filter, path) => onResolve({ filter }, () => ({ path, external: true }))
    sibling(/^(\.\.\/)+api\/bundle\.ts$/, './core.js')
    sibling(/^\.\.\/authoring\/bundle\.ts$/, './authoring.js')
    // Of the modules of the core, the authoring functions have those that its bundle exports.
    const helpers = /^(\.\.\/)+api\/(abort|context|data|functions|gzip|misuse|options|source|suggest)\.ts$/
    onResolve({ filter: helpers }, ({ importer }) =>
      importer.startsWith(join(here, 'js/authoring')) ? { path: './core.js', external: true } : undefined,
    )
    sibling(/^\.\.\/entries\/wasm\.node\.ts$/, './wasm.node.js')
  },
}
await bundle(source('api/bundle'), 'core.js', { plugins: [gluePlugin], ...shortLines })
await bundle(source('authoring/bundle'), 'authoring.js', { plugins: [siblings], ...shortLines })
/** The names that a module exports: the one list of them. */
const exportsOf = async (name) => {
  const { metafile } = await build({
    ...bundled,
    entryPoints: [source(name)],
    write: false,
    outdir: dist,
    metafile: true,
    external: ['#core'],
  })
  return Object.values(metafile.outputs)[0].exports.sort()
}
const ofCore = (await exportsOf('api/index')).join(', ')
const ofAuthoring = (await exportsOf('authoring/index')).join(', ')
const ofExperimental = (await exportsOf('authoring/experimental')).join(', ')
/** Where the bundles are that entries import. */
const bundles = {
  '../api/bundle.ts': './core.js',
  '../authoring/bundle.ts': './authoring.js',
  '../worker/index.ts': './worker.js',
  '../worker/thread.ts': './worker-answer.js',
}
/**
 * Packs an entry, which stays a module of its own. It exports an object of functions by default; the packed entry exports the
 * functions by name. `more` is added to it.
 */
const packEntry = (name, functions = '', more = '', outfile = name) => {
  const text = readFileSync(source(`entries/${name}`), 'utf8')
    .replace('\nexport default ', `\nexport const { ${functions} } = `)
    .replaceAll(/(?<= from ')\.[^']+\.ts(?=')/g, (path) => bundles[path] ?? path.replace(/ts$/, 'js'))
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } }
  const { code } = transformSync(text, { loader: 'ts', target: 'es2022', charset: 'utf8', tsconfigRaw })
  writeFileSync(join(dist, `${outfile}.js`), code + more)
}
for (const platform of ['node', 'inline', 'workerd']) {
  const index = `export { ${ofCore} } from './core.js'\nexport { ${ofAuthoring} } from './authoring.${platform}.js'\n`
  packEntry(`index.${platform}`, '', index)
  packEntry(`authoring.${platform}`, ofAuthoring)
  packEntry(`experimental.${platform}`, ofExperimental)
}
packEntry('slim.universal', ofAuthoring, `export { ${ofCore} } from './core.js'\n`, 'slim')
for (const name of [
  'proof.node',
  'folder.node',
  'wasm.node',
  'worker.node',
  'worker.inline',
  'worker.workerd',
  'worker-thread.node',
  'worker-thread.inline',
]) {
  packEntry(name)
}
// The licence requires its text wherever the code goes: bundlers keep a comment of this form.
const licence = readFileSync(join(here, 'node_modules/fflate/LICENSE'), 'utf8').trim()
const notice = `/*! The inflate of this file is from fflate.\n${licence}\n*/`
await bundle(source('entries/wasm.inline'), 'wasm.inline.js', { minify: true, banner: { js: notice } })

await bundle(source('worker/index'), 'worker.js', short)
await bundle(source('worker/thread'), 'worker-answer.js', short)

// The bundles for CommonJS are not read: they have the code of the modules.
const commonjs = { format: 'cjs', platform: 'node', minify: true }
const required = source('entries/wasm.required')
const requiredPlugin = {
  name: 'required',
  setup: ({ onLoad, onResolve }) => {
    const node = /\/wasm\.node\.js$/
    const inlined = /\.wasm\.deflate\.js$/
    onResolve({ filter: node }, () => ({ path: required }))
    onResolve({ filter: /^#(core|authoring)\.wasm$/ }, ({ path }) => ({ path: join(dist, `${path.slice(1)}.deflate.js`) }))
    onResolve({ filter: inlined }, ({ kind, path }) => (kind === 'require-call' ? { path, external: true } : undefined))
    onLoad({ filter: inlined }, ({ path }) => {
      const name = basename(path).replace(inlined, '')
      const { size } = statSync(join(dist, `${name}.wasm`))
      const load = `() => require('./${basename(path)}').default`
      return { contents: `export default { name: '${name}', size: ${size}, inlined: ${load} }` }
    })
  },
}
// The shared code of both entries is in the package once, as for modules.
const halves = {
  name: 'halves',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(core|authoring)\.js$/ }, ({ path }) => ({ path: path.replace(/js$/, 'cjs'), external: true })),
}
for (const name of ['core', 'authoring']) await bundle(join(dist, `${name}.js`), `${name}.cjs`, { ...commonjs, plugins: [halves] })
await bundle(join(dist, 'index.node.js'), 'index.node.cjs', { ...commonjs, plugins: [requiredPlugin, halves] })
await bundle(join(dist, 'experimental.node.js'), 'experimental.node.cjs', {
  ...commonjs,
  plugins: [requiredPlugin, halves],
  logOverride: { 'empty-import-meta': 'silent' },
  external: ['transcript-workbench'],
})
await bundle(join(dist, 'slim.js'), 'slim.cjs', { ...commonjs, plugins: [halves] })
// The worker is a module of its own, which a require() starts as an import does.
writeFileSync(join(dist, 'worker-thread.node.cjs'), "void import('./worker-thread.node.js')\n")
await bundle(join(dist, 'worker.node.js'), 'worker.node.cjs', {
  ...commonjs,
  define: { 'import.meta.url': 'here' },
  banner: { js: "const here = require('node:url').pathToFileURL(__filename).href" },
})
for (const name of ['ai-sdk', 'mcp']) {
  await bundle(source(`${name}/index`), `${name}.js`, short)
  await bundle(source(`${name}/index`), `${name}.cjs`, commonjs)
}
// The matchers of both runners are in the package once.
for (const [ending, form] of [
  ['js', {}],
  ['cjs', commonjs],
]) {
  const options = { ...short, ...form, platform: 'node', target: 'node20', external: ['transcript-workbench', 'vitest'] }
  const matchers = {
    name: 'matchers',
    setup: ({ onResolve }) => onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: `./matchers.${ending}`, external: true })),
  }
  await bundle(source('matchers/index'), `matchers.${ending}`, options)
  for (const name of ['vitest', 'jest']) await bundle(source(`matchers/${name}`), `${name}.${ending}`, { ...options, plugins: [matchers] })
}
for (const name of ['openai-agents', 'langchain']) {
  const external = ['@langchain/core/*']
  await bundle(source(`${name}/index`), `${name}.js`, { ...short, external })
  await bundle(source(`${name}/index`), `${name}.cjs`, { ...commonjs, external })
}
// The shared code of fetch and servers is in the package once.
const onNode = { ...short, platform: 'node', target: 'node20', external: ['transcript-workbench'] }
const shared = (ending) => ({
  name: 'shared',
  setup: ({ onResolve }) => {
    const sibling = (name) => ({ path: `./${name}.${ending}`, external: true })
    onResolve({ filter: /^\.\.\/wire\/index\.ts$/ }, () => sibling('wire'))
    onResolve({ filter: /^\.\.\/fetch\/record\.ts$/ }, () => sibling('fetch'))
  },
})
for (const [ending, form] of [
  ['js', {}],
  ['cjs', commonjs],
]) {
  await bundle(source('wire/index'), `wire.${ending}`, { ...short, ...form })
  await bundle(source('fetch/index'), `fetch.${ending}`, { ...short, ...form, plugins: [shared(ending)] })
  await bundle(source('server/index'), `server.${ending}`, { ...onNode, ...form, plugins: [shared(ending)] })
}
// A command loads its own code, and only the bundle of the package that it needs. Nobody imports it, so that its names may be short.
await build({
  ...bundled,
  ...onNode,
  minifyIdentifiers: true,
  entryPoints: { cli: source('cli/main') },
  outdir: dist,
  splitting: true,
  chunkNames: 'cli-[name]-[hash]',
  external: ['transcript-workbench', '#core.wasm', '#authoring.wasm'],
  plugins: [siblings],
})
chmodSync(join(dist, 'cli.js'), 0o755)
await bundle(source('cli/verify-worker'), 'verify-worker.js', {
  ...short,
  platform: 'node',
  target: 'node20',
  external: ['transcript-workbench'],
})

checkGlueTypes(bindgen)
writeDeclarations(MODULES, dist)
if (values.site) packSite(resolve(values.site), join(dist, 'site'), bindgen)
copyFileSync(join(here, 'README.md'), join(out, 'README.md'))
cpSync(join(root, 'public/docs'), join(out, 'docs'), { recursive: true })
cpSync(join(root, 'public/examples'), join(out, 'examples'), { recursive: true })
// Programs read them; `transcript schema` prints them for people.
mkdirSync(join(out, 'schema'))
for (const name of readdirSync(join(root, 'public/schema'))) {
  const schema = JSON.parse(readFileSync(join(root, 'public/schema', name), 'utf8'))
  writeFileSync(join(out, 'schema', name), JSON.stringify(schema))
}
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, name), join(out, name))
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(version()), null, 2)}\n`)

// The package is whole now, and writes its own manual.
mkdirSync(join(out, 'man'))
writeFileSync(join(out, 'man/transcript.1'), execFileSync(process.execPath, [join(dist, 'cli.js'), 'help', '--man']))
