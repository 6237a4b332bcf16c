// Splits the page's wasm: what is hidden at first is in files of its own (see src/panes/lazy_panes.rs).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

// Takes the place of what the splitter writes to load a part: any host's type of the file will do, and one that is not there is no
// module. The parts are named without their extension, since they are no part of the first load.
const LOADING = `const address = (file) => new URL(\`./\${file}.wasm\`, import.meta.url);
async function instantiate(answer, imports) {
  const found = await answer;
  if (!found.ok) throw new Error(\`\${found.status} \${found.url}\`);
  return WebAssembly.instantiate(await found.arrayBuffer(), imports);
}
`
const STREAMING = 'WebAssembly.instantiateStreaming(src, imports)'

/** Runs a program; its messages matter only when it fails. */
const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' })

/** The module as cargo has linked it. */
function linkedModule(name) {
  const args = ['metadata', '--no-deps', '--offline', '--format-version', '1']
  const { target_directory: target } = JSON.parse(execFileSync('cargo', args, { maxBuffer: 1 << 26 }))
  return join(target, 'wasm32-unknown-unknown', 'page', `${name}.wasm`)
}

/** What a part is called: as in src/panes/lazy_panes.rs, or after all those that share it, which the splitter tells in a comment. */
function fileNameOf(part, links) {
  const [, own] = /^split_(\w+)\.wasm$/.exec(part) ?? []
  const [, sharers] = own ? [] : (links.match(new RegExp(`/\\* ([\\w, ]+) \\*/\\s*const \\w+ = makeLoad\\([^"]*"\\./${part}"`)) ?? [])
  if (!own && !sharers) throw new Error(`nothing says what shares ${part}`)
  return own ?? sharers.replaceAll(', ', '_')
}

/**
 * Splits the module `name`, which cargo has built for a release. `optimise` are the arguments of wasm-opt; `publish(name, extension,
 * contents)` writes a file of the site and returns its name. Returns the names of the script and of the module that come first.
 */
export function splitPage(name, optimise, publish) {
  const work = mkdtempSync(join(tmpdir(), 'split-'))
  const at = (file) => join(work, file)
  const optimised = (file) => {
    run('wasm-opt', ...optimise, at(file), '-o', at(`${file}.opt`))
    return readFileSync(at(`${file}.opt`))
  }
  try {
    run('wasm-split-cli', linkedModule(name), work, '--out-name', name)
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
      const file = publish(`${name}-${fileNameOf(part, links)}`, 'wasm', optimised(part))
      const named = `new URL("./${part}", import.meta.url)`
      if (!links.includes(named)) throw new Error(`nothing loads ${part}`)
      links = links.replaceAll(named, `address(${JSON.stringify(file.replace(/\.wasm$/, ''))})`)
    }
    writeFileSync(at('__wasm_split.js'), links)
    const { outputFiles } = buildSync({
      entryPoints: [at(`${name}.js`)],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      charset: 'utf8',
      logLevel: 'error',
    })
    return {
      wasm: publish(`${name}_bg`, 'wasm', optimised(`${name}_bg.wasm`)),
      script: publish(name, 'js', outputFiles[0].text),
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
