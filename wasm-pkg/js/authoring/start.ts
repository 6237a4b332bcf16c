// The start of the second wasm module, which writes, changes and compares documents: by the first call that needs it, so that a
// program that only replays never compiles it.
import initAsync, { initSync as initGlue } from '#authoring'
import { checkModule, checkSource, guarded as guard } from '../api/guard.ts'
import type { WasmSource } from '../api/start.ts'

let ready = false
let start = (): void => {
  throw new Error('authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first')
}

/**
 * Has `work` start the module at the first call that needs it.
 * @internal
 */
export const useStart = (work: () => void) => {
  start = work
}

/** The same at once, from a compiled module or from the bytes of `transcript-workbench/authoring.wasm`. */
export const initAuthoringSync = (module: WebAssembly.Module | BufferSource): void => {
  if (ready) return
  checkModule('initAuthoringSync', 'authoring.wasm', module)
  initGlue({ module })
  ready = true
}

/** Starts what writes, changes and compares documents; a second call does nothing. */
export const initAuthoring = async (source: WasmSource): Promise<void> => {
  if (ready) return
  checkSource('initAuthoring', 'authoring.wasm', source)
  await initAsync({ module_or_path: source })
  ready = true
}

/**
 * Runs work on the module, which is started before.
 * @internal
 */
export const guarded = <Result>(work: () => Result) => {
  if (!ready) start()
  return guard(work)
}
