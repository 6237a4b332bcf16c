// Pages, workers and bundlers: the wasm compressed inside of a module, started without a request of its own.
import { initSync } from './core.js'
import inlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.js'

initSync(wasm(inlined))

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailure, MockFunctionError, MockNoMatchError,
  RecordedModelError, RecordedToolError, TranscriptAssertionError, TranscriptDivergence, TranscriptError, UnknownStateError,
  TranscriptWriter, canonicalMessages, check, checkRun, createRecorder, detect, expand, formats, mock, mockModel, parse, readProject,
  record, recover, replay, transcriptFolder, transcriptPath, validate,
} from './core.js'
export {
  GenerateError, T, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, exportAs, fix, format, generate, hover,
  importLog, promptHash, redact, repairLog, runTwice, simulate, timeTravel, transcript, travel,
} from './authoring.inline.js'
