// The start of the second part of the wasm module, which writes, changes and compares documents. The first call that needs it adds
// it to the core, so that a program that only replays never compiles it.
import { addAuthoring, createStart, ensureStarted, guarded as guard } from '../api/bundle.ts'
import type { WasmSource } from '../api/wasm-start.ts'

let compiled: WebAssembly.Module | undefined

const authoring = /* @__PURE__ */ createStart({
  file: 'authoring.wasm',
  importsFrom: 'first',
  startModule: (module) => {
    compiled = module
  },
  init: 'initAuthoring',
  initSync: 'initAuthoringSync',
  notStarted: 'authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first',
})

/**
 * Has `work` compile the module at the first call that needs it.
 * @internal
 */
export const useStart = authoring.useStart

/** Does the same as `initAuthoring` at once, from a compiled module or from the bytes of `transcript-workbench/authoring.wasm`. */
export const initAuthoringSync: (module: WebAssembly.Module | BufferSource) => void = authoring.initSync

/**
 * Adds the calls that write, change and compare documents to the core, from the `authoring.wasm` of the same version; a second
 * call does nothing.
 */
export const initAuthoring: (source: WasmSource) => Promise<void> = authoring.init

/**
 * Runs work on the core, to which the module is added before.
 * @internal
 */
export const guarded = <Result>(work: () => Result) => {
  authoring.ensureStarted()
  ensureStarted()
  try {
    guard(() => addAuthoring(compiled!))
  } catch (error) {
    // The next start may have the right file.
    authoring.reset()
    throw error
  }
  return guard(work)
}
