// Without the wasm: the caller starts the core, from `transcript-workbench/core.wasm` or wherever it lies.
import { operations } from './authoring.js'

export { init, initSync } from './core.js'
export { initAuthoring, initAuthoringSync } from './authoring.js'

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailureError, MockFunctionError, MockNoMatchError,
  RecordedModelError, RecordedToolError, TranscriptAssertionError, TranscriptDivergenceError, TranscriptError, UnknownStateError,
  TranscriptWriter, canonicalMessages, check, checkRun, createRecorder, detect, expand, formats, mock, mockModel, parse, readProject,
  recover, replay, transcriptFolder, transcriptPath, validate,
} from './core.js'

export const {
  GenerateError, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, exportTranscript, fix, format, generate, hover,
  importLog, promptHash, redact, repairLog, runTwice, simulate, timeTravel, transcript, travel,
} = operations()
