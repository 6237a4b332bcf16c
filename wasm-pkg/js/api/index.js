// Everything that does not depend on where it runs. The entries start the core and export this.
export { canonicalMessages } from './canonical.js'
export { check, checkRun } from './check.js'
export { init, initSync, useStart } from './core.js'
export { detect, formats } from './detect.js'
export { parse } from './document.js'
export {
  ConditionError,
  InvalidReplyError,
  MockError,
  MockExhaustedError,
  MockFailure,
  MockFunctionError,
  MockNoMatchError,
  RecordedModelError,
  RecordedToolError,
  TranscriptAssertionError,
  TranscriptDivergence,
  TranscriptError,
  UnknownStateError,
} from './errors.js'
export { expand } from './expand.js'
export { useGunzip } from './gzip.js'
export { mock } from './handlers.js'
export { mockModel } from './mock.js'
export { readProject } from './project.js'
export { createRecorder, createRecorder as record, recover, useRecording } from './recorder.js'
export { replay, useFiles } from './replay.js'
export { validate } from './validate.js'
export { TranscriptWriter, transcriptFolder, transcriptPath, useLogs } from './writer.js'
