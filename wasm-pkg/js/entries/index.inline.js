// Pages, workers and bundlers: one file of wasm inside of a module, started without a request of its own.
import { initSync } from './core.js'
import base64 from './core.wasm.base64.js'
import { decode } from './base64.js'

initSync(decode(base64))

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailure, MockNoMatchError, RecordedModelError,
  RecordedToolError, TranscriptAssertionError, TranscriptDivergence, TranscriptError, UnknownStateError,
  check, checkRun, createRecorder, detect, expand, mockModel, parse, readProject, recover, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, simulate, transcript, travel,
} from './authoring.inline.js'
