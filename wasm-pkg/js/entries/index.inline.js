// Pages, workers and bundlers: the wasm compressed inside of a module, started without a request of its own.
import { initSync } from './core.js'
import inlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.js'

initSync(wasm(inlined))

export {
  RecordedModelError, RecordedToolError, TranscriptDivergence, TranscriptError,
  detect, expand, parse, readProject, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, transcript,
} from './authoring.inline.js'
