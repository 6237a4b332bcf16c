/**
 * The package without its wasm: call `init` or `initSync` once, before anything else.
 *
 * @example
 * import { init, validate } from 'transcript-workbench/slim'
 * await init(new URL('./core.wasm', import.meta.url))
 */
export * from './index.js'

/** Starts the core; a second call does nothing. */
export declare function init(
  source: string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>

/** Starts the core at once, from a compiled module or from the bytes of `transcript-workbench/core.wasm`. */
export declare function initSync(module: WebAssembly.Module | BufferSource): void
