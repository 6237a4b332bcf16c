// Pages, workers and bundlers: the wasm compressed inside of a module, started without a request of its own.
import { initSync } from './core.js'
import inlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.js'

initSync(wasm(inlined))

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailureError, MockFunctionError, MockNoMatchError,
  RecordedModelError, RecordedToolError, TranscriptAssertionError, TranscriptDivergenceError, TranscriptError, UnknownStateError,
  TranscriptWriter, canonicalMessages, check, checkRun, createRecorder, detect, expand, formats, mock, mockModel, parse, readProject,
  recover, replay, transcriptFolder, transcriptPath, validate,
} from './core.js'
export {
  GenerateError, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, exportTranscript, fix, format, generate, hover,
  importLog, promptHash, redact, repairLog, runTwice, simulate, timeTravel, transcript, travel,
} from './authoring.inline.js'
