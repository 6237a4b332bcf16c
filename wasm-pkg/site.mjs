// Puts the built site into the package, as small as it goes: texts together in one file, wasm modules in another, both
// in brotli. What the package has elsewhere is left out: the schemas, and most of the module of the workers, whose code
// core.wasm and authoring.wasm have too.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const TEXTS = /\.(html|js|css|svg|txt|yaml|jsonl?)$/

const compressed = (bytes, mode) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: mode,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/** The module of the workers, its later parts and its glue, by their names in the site; `js/cli/workbench/site.ts` knows the first too. */
const MODULE = /^engine_bg-[\da-f]{16}\.wasm$/
const REST = /^engine_(?!bg-)\w+-[\da-f]{16}\.wasm$/
const GLUE = /^engine-[\da-f]{16}\.js$/

/** The parts for offline use, left out: `transcript open` serves everything or nothing. */
const OFFLINE = /^(service-worker\.js|offline-[\da-f]{16}\.js|manifest\.webmanifest|icon-[\w-]+\.png)$/

/** The search of the documentation, the API reference and the links that open examples: they are as large as the documentation itself. */
const SEARCH = /^docs-search-[\da-f]{16}\.js(on)?$/
const REFERENCE = /^docs\/reference\//
const ONLINE = / data-offline="[^"]*"|<search>[^]*?<\/search>|<p class="try">.*?<\/p>\n|<(\w+) class="online">[^]*?<\/\1>\n/g

/** The exports of the glue, and those that replace them in the site, which start all parts of the module first. */
const EXPORTS = /export \{ initSync, __wbg_init as default \};/
const STARTING_ALL = `
const compiled = async (name) => {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(\`\${answer.status} \${answer.url}\`);
  return WebAssembly.compile(await answer.arrayBuffer());
};
let all;
const startAll = async (options) => {
  const [first, ...later] = await Promise.all([__wbg_init(options), compiled('./authoring.wasm'), compiled('./workers.wasm')]);
  wasm = { ...first };
  // A part calls functions of those before it.
  for (const part of later) Object.assign(wasm, new WebAssembly.Instance(part, { first }).exports);
};
export default (options) => (all ??= startAll(options).then(() => ({})));
export const addExports = () => {};
`

/** The glue of the package's module for the workers, which name it `module`. */
const glueOf = (glue, module) => {
  if (!EXPORTS.test(glue)) throw new Error('the glue of wasm-bindgen has another form than this build knows')
  return glue.replace(EXPORTS, STARTING_ALL).replaceAll('core_bg.wasm', module)
}

/** Writes the site of the folder `site` into the folder `out`; `bindgen` is the folder of the module and its glue. */
export const packSite = (site, out, bindgen) => {
  const glue = readFileSync(join(bindgen, 'core.js'), 'utf8')
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(site.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((name) => !name.startsWith('schema/') && !OFFLINE.test(name) && !SEARCH.test(name) && !REFERENCE.test(name) && !REST.test(name))
    .sort()
  if (!files.includes('index.html')) throw new Error(`there is no index.html in ${site}`)
  mkdirSync(out, { recursive: true })
  const workers = files.filter((name) => MODULE.test(name))
  if (workers.length !== 1) throw new Error(`the workers have another module in ${site} than this build knows: ${workers.join(', ')}`)
  const texts = {}
  const wasm = []
  for (const name of files) {
    const bytes = readFileSync(join(site, name))
    if (GLUE.test(name)) texts[name] = glueOf(glue, workers[0])
    else if (TEXTS.test(name)) texts[name] = bytes.toString().replaceAll(ONLINE, '')
    else if (workers.includes(name)) continue
    else if (!name.includes('/')) wasm.push([name, bytes])
    else throw new Error(`nothing is known of files such as ${name}`)
  }
  wasm.push(['workers.wasm', readFileSync(join(bindgen, 'workers.wasm'))])
  // Modules share much. A line says how long each is.
  const head = Buffer.from(`${JSON.stringify(wasm.map(([name, bytes]) => [name, bytes.length]))}\n`)
  const modules = Buffer.concat([head, ...wasm.map(([, bytes]) => bytes)])
  writeFileSync(join(out, 'modules.br'), compressed(modules, constants.BROTLI_MODE_GENERIC))
  writeFileSync(join(out, 'texts.json.br'), compressed(Buffer.from(JSON.stringify(texts)), constants.BROTLI_MODE_TEXT))
}
