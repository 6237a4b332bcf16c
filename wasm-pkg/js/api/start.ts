// The start of the core: whether it has started, and what its failures mean.
import initAsync, { initSync as initGlue } from '#core'
import { checkModule, checkSource, guarded as guard } from './guard.ts'

/** What a wasm module starts from. */
export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>

let ready = false
let start = (): void => {
  throw new Error('transcript-workbench/slim is not started: call init() or initSync() with core.wasm first')
}

/**
 * Has `work` start the core at the first call that needs it, for a program that may need none.
 * @internal
 */
export const useStart = (work: () => void) => {
  start = work
}

/** Starts the core at once, from a compiled module or from the bytes of `transcript-workbench/core.wasm`. */
export const initSync = (module: WebAssembly.Module | BufferSource): void => {
  if (ready) return
  checkModule('initSync', 'core.wasm', module)
  initGlue({ module })
  ready = true
}

/** Starts the core; a second call does nothing. */
export const init = async (source: WasmSource): Promise<void> => {
  if (ready) return
  checkSource('init', 'core.wasm', source)
  await initAsync({ module_or_path: source })
  ready = true
}

/**
 * Starts the core unless it has started.
 * @internal
 */
export const ensureStarted = () => {
  if (!ready) start()
}

/**
 * Runs work on the core, which is started before.
 * @internal
 */
export const guarded = <Result>(work: () => Result) => {
  ensureStarted()
  return guard(work)
}
