// Without the wasm: the caller starts the core, from `transcript-workbench/core.wasm` or wherever it lies.
import { operations } from './authoring.js'

export { init, initSync } from './core.js'
export { initAuthoring, initAuthoringSync } from './authoring.js'

export {
  RecordedModelError, RecordedToolError, TranscriptDivergence, TranscriptError,
  detect, expand, parse, readProject, replay, validate,
} from './core.js'

export const {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, transcript,
} = operations()
