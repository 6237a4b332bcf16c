// The start of the second wasm module, which writes, changes and compares documents: by the first call that needs it, so that a
// program that only replays never compiles it.
import initGlue, { initSync as initGlueSync } from '#authoring'
import { type WasmSource, createStart } from '../api/wasm-start.ts'

const authoring = /* @__PURE__ */ createStart({
  file: 'authoring.wasm',
  initGlue,
  initGlueSync,
  init: 'initAuthoring',
  initSync: 'initAuthoringSync',
  notStarted: 'authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first',
})

/**
 * Has `work` start the module at the first call that needs it.
 * @internal
 */
export const useStart = authoring.useStart

/** Starts it at once, from a compiled module or from the bytes of `transcript-workbench/authoring.wasm`. */
export const initAuthoringSync: (module: WebAssembly.Module | BufferSource) => void = authoring.initSync

/** Starts the calls that write, change and compare documents; a second call does nothing. */
export const initAuthoring: (source: WasmSource) => Promise<void> = authoring.init

/**
 * Runs work on the module, which is started before.
 * @internal
 */
export const guarded = authoring.guarded
