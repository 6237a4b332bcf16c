/**
 * The package without its wasm: call `init` or `initSync` once, before anything else, and `initAuthoring` or
 * `initAuthoringSync` before the first call that writes, changes or compares documents.
 *
 * @example
 * import { init, validate } from 'transcript-workbench/slim'
 * await init(new URL('./core.wasm', import.meta.url))
 */
export * from './index.ts'
export { init, initSync } from '../api/start.ts'

/** Starts what writes, changes and compares documents; a second call does nothing. */
export declare function initAuthoring(
  source: string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>

/** The same at once, from a compiled module or from the bytes of `transcript-workbench/authoring.wasm`. */
export declare function initAuthoringSync(module: WebAssembly.Module | BufferSource): void
