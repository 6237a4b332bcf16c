// Splits a wasm module in two: the functions that a first use calls, and the rest, which loads later, or when it is needed
// (`static/two-parts.js`).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optimisedPart, xtask } from './wasm-tools.mjs'

/** Where the glue of wasm-bindgen lists what the module imports. */
const IMPORTS = /return ?\{\s*__proto__: ?null,/

/** The glue of wasm-bindgen, `script`, for a first part: it calls `loadRestNow(EXPORTS)` when a function of the rest is called. */
export function glueOfFirst(script) {
  if (!IMPORTS.test(script)) throw new Error('the glue of wasm-bindgen lists its imports in another way')
  return script.replace(IMPORTS, '$& split: { load: () => globalThis.loadRestNow(wasm) },')
}

/** The bytes of what stands for a function of the rest in the first part. */
const STUB = 24

/** The functions that were called in a module that notes its calls. */
export function called(exports) {
  const used = []
  for (let at = 0; exports[`called_${at}`]; at += 1) if (exports[`called_${at}`].value) used.push(at)
  return used
}

/**
 * Splits a module. `use(noting)` uses a copy that notes its calls, a file, as a person does first, and returns the functions that
 * were called. Functions of up to `short` bytes are in the first part, too. Returns the bytes of both parts.
 */
export async function splitByCalls(wasm, use, short = STUB) {
  const work = mkdtempSync(join(tmpdir(), 'parts-'))
  const at = (file) => join(work, file)
  try {
    writeFileSync(at('whole.wasm'), wasm)
    xtask('note-calls', at('whole.wasm'), at('noting.wasm'))
    writeFileSync(at('called.txt'), (await use(at('noting.wasm'))).join('\n'))
    xtask('split', at('whole.wasm'), at('called.txt'), String(short), at('first.wasm'), at('rest.wasm'))
    return { first: optimisedPart(at('first.wasm')), rest: optimisedPart(at('rest.wasm')) }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
