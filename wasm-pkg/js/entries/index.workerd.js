// Cloudflare Workers, where wasm may not be compiled at run time: the module comes compiled.
import { initSync } from './core.js'
import module from './core.wasm'

initSync(module)

export {
  RecordedModelError, RecordedToolError, TranscriptDivergence, TranscriptError,
  detect, expand, parse, readProject, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, transcript,
} from './authoring.workerd.js'
