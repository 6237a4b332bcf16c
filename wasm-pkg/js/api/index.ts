// Everything that does not depend on where it runs. The entries start the core and export this.
export { canonicalMessages } from './canonical.ts'
export { check, checkRun } from './check.ts'
export { init, initSync, useStart } from './core.ts'
// For the second part of the package, whose wasm is a part of the same module.
export { ensureStarted } from './core.ts'
export { EventLogHandle, RerunHandle, SimulationHandle, addAuthoring, author, eventCall } from '#core'
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
export { useGunzip } from './gzip.ts'
export { mock } from './handlers.ts'
export { mockModel } from './mock.ts'
export { readProject } from './project.ts'
export { createRecorder, recover, useRecording } from './recorder.ts'
export { replay, useFiles } from './replay.ts'
export { validate } from './validate.ts'
export { TranscriptWriter, transcriptFolder, transcriptPath, useLogs } from './writer.ts'
