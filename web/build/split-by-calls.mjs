// Splits a wasm module in two: the functions that a first use calls, and the rest, which loads later, or when it is needed
// (`static/two-parts.js`).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the glue of wasm-bindgen lists what the module imports. */
const IMPORTS = /return ?\{\s*__proto__: ?null,/

const OPTIMISE = ['--remove-unused-module-elements', '--dealign']

/** The glue of wasm-bindgen, `script`, for a first part: it calls `loadRestNow(EXPORTS)` when a function of the rest is called. */
export function glueOfFirst(script) {
  if (!IMPORTS.test(script)) throw new Error('the glue of wasm-bindgen lists its imports in another way')
  return script.replace(IMPORTS, '$& split: { load: () => globalThis.loadRestNow(wasm) },')
}

/** The functions that were called in a module that notes its calls. */
export function called(exports) {
  const used = []
  for (let at = 0; exports[`called_${at}`]; at += 1) if (exports[`called_${at}`].value) used.push(at)
  return used
}

/**
 * Splits a module. `use(noting)` uses a copy that notes its calls, a file, as a person does first, and returns the functions that
 * were called. Returns the bytes of both parts.
 */
export async function splitByCalls(wasm, use) {
  const work = mkdtempSync(join(tmpdir(), 'parts-'))
  const at = (file) => join(work, file)
  if (!process.env.TRANSCRIPT_XTASK) throw new Error('a release is built by `cargo xtask build`, which splits its modules')
  const xtask = (...args) => execFileSync(process.env.TRANSCRIPT_XTASK, ['wasm', ...args], { stdio: 'inherit' })
  const optimised = (file) => {
    execFileSync('wasm-opt', [...OPTIMISE, at(file), '-o', at(`small-${file}`)])
    return readFileSync(at(`small-${file}`))
  }
  try {
    writeFileSync(at('whole.wasm'), wasm)
    xtask('note-calls', at('whole.wasm'), at('noting.wasm'))
    writeFileSync(at('called.txt'), (await use(at('noting.wasm'))).join('\n'))
    xtask('split', at('whole.wasm'), at('called.txt'), at('first.wasm'), at('rest.wasm'))
    return { first: optimised('first.wasm'), rest: optimised('rest.wasm') }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
