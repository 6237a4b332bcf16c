// The core for the command line: the first call that needs it starts it, so that help and mistakes cost nothing of it.
import { readFileSync } from 'node:fs'
import { initSync, useGunzip, useStart } from '../api/bundle.ts'
import { builtin } from './builtin.ts'

/** Deno and Bun have the wasm as text in a module, as the package itself does: see `imports` of the manifest. */
const readInlined = async () => {
  const [{ default: coreWasm }, { wasm }] = await Promise.all([import('#core.wasm'), import('../entries/wasm.node.ts')])
  return () => wasm(coreWasm)
}
const isNode = process.versions.deno === undefined && process.versions.bun === undefined
const readWasm = isNode ? () => readFileSync(new URL('./core.wasm', import.meta.url)) : await readInlined()

/**
 * Has V8 validate a function of the wasm when it is called first, instead of all functions at the start, which takes as long as a
 * short document. Later releases of Node may not know the flag, and would report an error.
 */
const validateLazily = (isOn: boolean) => {
  if (isNode && Number.parseInt(process.versions.node, 10) <= 24)
    builtin('node:v8').setFlagsFromString(`--${isOn ? '' : 'no-'}wasm-lazy-validation`)
}

/** Compiles a part of the core. */
export const compile = (bytes: BufferSource) => {
  validateLazily(true)
  try {
    return new WebAssembly.Module(bytes)
  } finally {
    // Modules of the user, such as those of an agent, are checked at once.
    validateLazily(false)
  }
}

useStart(() => initSync(compile(readWasm())))
useGunzip((bytes, most, isZstandard) => {
  const zlib = builtin('node:zlib')
  return isZstandard ? zlib.zstdDecompressSync(bytes, { maxOutputLength: most }) : zlib.gunzipSync(bytes, { maxOutputLength: most })
})

export {
  TranscriptAssertionError,
  TranscriptDivergenceError,
  TranscriptError,
  checkRun,
  detect,
  expand,
  formats,
  mockModel,
  parse,
  readProject,
  recover,
  replay,
} from '../api/bundle.ts'
