// The start of the core.
import { initSync as startGlue } from '#core'
import { type WasmSource, createStart } from './wasm-start.ts'

const core = createStart({
  file: 'core.wasm',
  importsFrom: './core_bg.js',
  startModule: (module) => startGlue({ module }),
  init: 'init',
  initSync: 'initSync',
  notStarted: 'transcript-workbench/slim is not started: call init() or initSync() with core.wasm first',
})

/**
 * Has `work` start the core at the first call that needs it, for a program that may need none.
 * @internal
 */
export const useStart = core.useStart

/** Starts the core at once, from a compiled module or from the bytes of `transcript-workbench/core.wasm`. */
export const initSync: (module: WebAssembly.Module | BufferSource) => void = core.initSync

/** Starts the core; a second call does nothing. */
export const init: (source: WasmSource) => Promise<void> = core.init

/**
 * Starts the core unless it has started.
 * @internal
 */
export const ensureStarted = core.ensureStarted

/**
 * Runs work on the core, which is started before.
 * @internal
 */
export const guarded = core.guarded
