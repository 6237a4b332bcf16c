// The core for the entries, which start it and say what the platform can do.
export * from './index.ts'
export { init, initSync, useStart } from './start.ts'
export { useGunzip } from './gzip.ts'
export { useRecording } from './recorder.ts'
export { useFiles } from './replay.ts'
export { useLogs } from './writer.ts'
