// Without the wasm: the caller starts the core, from `transcript-workbench/core.wasm` or wherever it is.
import { operations } from './authoring.js'

export { init, initSync } from './core.js'
export { initAuthoring, initAuthoringSync } from './authoring.js'

export default operations()
