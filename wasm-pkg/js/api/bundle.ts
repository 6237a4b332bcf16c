// The core for the entries, which start it and say what the platform can do.
export * from './index.ts'
export { ensureStarted, init, initSync, useStart } from './start.ts'
export { readExchange } from './core.ts'
// For the authoring functions, which are in the second part of the same module.
export { guarded } from './guard.ts'
export { createStart } from './wasm-start.ts'
export { EventLogHandle, RerunHandle, SimulationHandle, addAuthoring, author, eventCall } from '#core'
export { useGunzip } from './gzip.ts'
export { useRecording } from './recorder.ts'
export { useFiles } from './replay.ts'
export { useLogs } from './writer.ts'
