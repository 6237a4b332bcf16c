// Without the wasm: the caller starts the core, from `transcript-workbench/core.wasm` or wherever it lies.
export { init, initSync } from './core.js'

export {
  RecordedModelError, TranscriptDivergence, TranscriptError,
  expand, parse, replay, validate,
} from './core.js'
