/**
 * The package without its wasm: call `init` or `initSync` once, before anything else, and `initAuthoring` or
 * `initAuthoringSync` before the first call that writes, changes or compares documents. Both files must be of the version of this
 * package.
 *
 * @example
 * import { init, validate } from 'transcript-workbench/slim'
 * await init(new URL('./core.wasm', import.meta.url))
 */
export * from './index.ts'
export { init, initSync } from '../api/start.ts'
export type { WasmSource } from '../api/wasm-start.ts'
export { initAuthoring, initAuthoringSync } from '../authoring/start.ts'
