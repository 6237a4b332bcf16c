// Without the wasm: the caller starts the core, from `transcript-workbench/core.wasm` or wherever it is.
import { operations } from '../authoring/bundle.ts'

export { init, initSync } from '../api/bundle.ts'
export { initAuthoring, initAuthoringSync } from '../authoring/bundle.ts'

export default operations()
