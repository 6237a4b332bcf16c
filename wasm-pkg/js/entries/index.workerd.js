// Cloudflare Workers, where wasm may not be compiled at run time: the module comes compiled.
import { initSync } from './core.js'
import module from './core.wasm'

initSync(module)

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailureError, MockFunctionError, MockNoMatchError,
  RecordedModelError, RecordedToolError, TranscriptAssertionError, TranscriptDivergenceError, TranscriptError, UnknownStateError,
  TranscriptWriter, canonicalMessages, check, checkRun, createRecorder, detect, expand, formats, mock, mockModel, parse, readProject,
  recover, replay, transcriptFolder, transcriptPath, validate,
} from './core.js'
export {
  GenerateError, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, exportTranscript, fix, format, generate, hover,
  importLog, promptHash, redact, repairLog, runTwice, simulate, timeTravel, transcript, travel,
} from './authoring.workerd.js'
