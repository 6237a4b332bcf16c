// What the package exports of the core: the one list of it.
export { canonicalMessages } from './canonical.ts'
export { check, checkRun } from './check.ts'
export { detect, formats } from './detect.ts'
export { parse } from './document.ts'
export {
  ConditionError,
  InvalidReplyError,
  MockError,
  MockExhaustedError,
  MockFailureError,
  MockFunctionError,
  MockNoMatchError,
  RecordedModelError,
  RecordedToolError,
  TranscriptAssertionError,
  TranscriptDivergenceError,
  TranscriptError,
  UnknownStateError,
} from './errors.ts'
export { expand } from './expand.ts'
export { mock } from './handlers.ts'
export { mockModel } from './mock.ts'
export { readProject } from './project.ts'
export { createRecorder, recover } from './recorder.ts'
export { replay } from './replay.ts'
export { validate } from './validate.ts'
export { WasmLoadError } from './wasm-load-error.ts'
export { TranscriptWriter, transcriptFolder, transcriptPath } from './writer.ts'
