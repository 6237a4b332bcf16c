// Cloudflare Workers, where wasm may not be compiled at run time: the module comes compiled.
import { initSync } from './core.js'
import module from './core.wasm'

initSync(module)

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailure, MockFunctionError, MockNoMatchError,
  RecordedModelError, RecordedToolError, TranscriptAssertionError, TranscriptDivergence, TranscriptError, UnknownStateError,
  TranscriptWriter, canonicalMessages, check, checkRun, createRecorder, detect, expand, formats, mock, mockModel, parse, readProject,
  record, recover, replay, transcriptFolder, transcriptPath, validate,
} from './core.js'
export {
  GenerateError, T, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, exportAs, fix, format, generate, hover,
  importLog, promptHash, redact, repairLog, runTwice, simulate, timeTravel, transcript, travel,
} from './authoring.workerd.js'
