// Splits the page's wasm: what is hidden at first is in files of its own (see src/panes/lazy_panes.rs).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { payload } from './docs-snippets.mjs'
import { glueOfFirst, splitByCalls } from './split-by-calls.mjs'
import { linkedModule, orderedBySimilarity } from './wasm-tools.mjs'

// Takes the place of what the splitter writes to load a part: any host's type of the file will do, and one that is not there is no
// module. The parts are named without their extension, since they are no part of the first load.
const LOADING = `const address = (file) => new URL(\`./\${file}.wasm\`, import.meta.url);
async function instantiate(answer, imports) {
  // What such a part calls is often in the rest of the module (see boot.js).
  const [found] = await Promise.all([answer, globalThis.loadRest()]);
  if (!found.ok) throw new Error(\`\${found.status} \${found.url}\`);
  return WebAssembly.instantiate(await found.arrayBuffer(), imports);
}
`
const STREAMING = 'WebAssembly.instantiateStreaming(src, imports)'

/** Runs a program; its messages matter only when it fails. */
const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' })

/** What a part is called: as in src/panes/lazy_panes.rs, or after all those that share it, which a comment of the splitter lists. */
function fileNameOf(part, links) {
  const [, own] = /^split_(\w+)\.wasm$/.exec(part) ?? []
  const [, sharers] = own ? [] : (links.match(new RegExp(`/\\* ([\\w, ]+) \\*/\\s*const \\w+ = makeLoad\\([^"]*"\\./${part}"`)) ?? [])
  if (!own && !sharers) throw new Error(`nothing says what shares ${part}`)
  return own ?? sharers.replaceAll(', ', '_')
}

const SHARED = payload('yaml', 'run.yaml', "messages:\n  - 'user: Hi'\n  - 'asistant: Hello'\n")

/**
 * How people come to the page: to the gallery, to a step of an example on a phone and on a wide screen, by a link to a document with an error on a slow
 * network, and to a document that is not on this device. Other screens need the rest too (see boot.js).
 */
const VISITS = [
  { fragment: '', width: 1280, language: 'en' },
  { fragment: '#/edit?d=ex:context_management&s=t2', width: 390, language: 'de' },
  { fragment: '#/edit?d=ex:error_handling&s=t3', width: 1280, language: 'en' },
  { fragment: `#/edit?d=${SHARED}`, width: 1280, language: 'en', isSlow: true },
  { fragment: '#/edit?d=l:01HQ0000000000000000000000', width: 1280, language: 'en', isMissing: true },
]

/** Uses the page `html` of the folder `site` with the module `noting`. Returns the functions that were called. */
function firstVisits({ site, html, script, german, noting }) {
  const work = mkdtempSync(join(tmpdir(), 'visit-'))
  const [page, output] = [join(work, 'index.html'), join(work, 'called.json')]
  const visit = (how) => {
    // A program of its own, since it becomes a browser.
    const program = fileURLToPath(new URL('./first-visit.mjs', import.meta.url))
    const settings = JSON.stringify({ site, page, script: join(site, script), german: join(site, german), noting, output, ...how })
    execFileSync(process.execPath, [program, settings], { stdio: ['ignore', 'ignore', 'pipe'] })
    return JSON.parse(readFileSync(output, 'utf8'))
  }
  try {
    writeFileSync(page, html)
    return [...new Set(VISITS.flatMap(visit))].sort((a, b) => a - b)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Splits the module `name`, which cargo has built for a release. `optimise` are the arguments of wasm-opt; `publish(name, extension,
 * contents)` writes a file of the folder `site` and returns its name; `html` is the page, with all that it names except this module, and
 * `german` the file of its translation.
 * Returns the names of the script, of the module that comes first and of its rest.
 */
export async function splitPage({ name, optimise, site, html, german, publish }) {
  const work = mkdtempSync(join(tmpdir(), 'split-'))
  const at = (file) => join(work, file)
  const optimised = (file) => {
    run('wasm-opt', ...optimise, at(file), '-o', at(`${file}.opt`))
    return at(`${file}.opt`)
  }
  try {
    run('wasm-split-cli', linkedModule('page', `${name}.wasm`), work, '--out-name', name)
    const parts = readdirSync(work)
      .filter((file) => /^(split|chunk)_.*\.wasm$/.test(file))
      .sort()
    if (parts.length === 0) throw new Error(`${name} was not split`)
    run(
      'wasm-bindgen',
      at(`${name}.wasm`),
      '--target',
      'web',
      '--keep-lld-exports',
      '--no-demangle',
      '--no-typescript',
      '--out-dir',
      work,
      '--out-name',
      name,
    )
    let links = readFileSync(at('__wasm_split.js'), 'utf8')
    if (!links.includes(STREAMING)) throw new Error('the splitter writes another way of loading')
    links = LOADING + links.replaceAll(STREAMING, 'instantiate(src, imports)')
    for (const part of parts) {
      const file = publish(`${name}-${fileNameOf(part, links)}`, 'wasm', orderedBySimilarity(optimised(part)))
      const named = `new URL("./${part}", import.meta.url)`
      if (!links.includes(named)) throw new Error(`nothing loads ${part}`)
      links = links.replaceAll(named, `address(${JSON.stringify(file.replace(/\.wasm$/, ''))})`)
    }
    writeFileSync(at('__wasm_split.js'), links)
    const glue = at(`${name}.js`)
    writeFileSync(glue, glueOfFirst(readFileSync(glue, 'utf8')))
    const { outputFiles } = buildSync({
      entryPoints: [glue],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      charset: 'utf8',
      logLevel: 'error',
    })
    const script = publish(name, 'js', outputFiles[0].text)
    const two = await splitByCalls(readFileSync(optimised(`${name}_bg.wasm`)), (noting) =>
      firstVisits({ site, html, script, german, noting }),
    )
    return { script, wasm: publish(`${name}_bg`, 'wasm', two.first), rest: publish(`${name}_rest`, 'wasm', two.rest) }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
