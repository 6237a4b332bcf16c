// The authoring functions for the entries, which start them and say what the platform can do.
import { useStart as useCoreStart } from '../api/bundle.ts'
import { TranscriptBuilder, transcript } from './builder.ts'
import { compact, complete, coverage, diff, edit, fix, format, hover, redact, runTwice, travel } from './documents.ts'
import { EventWriter, SCHEMA_URI, compareTraces, orderEvents, payloadHash, readEvents, verifyDeterminism, writeEvents } from './events.ts'
import type * as unstable from './experimental.ts'
import { exportTranscript } from './export.ts'
import { GenerateError } from './generate-error.ts'
import { attachParts, generate } from './generate.ts'
import { drift, importLog, promptHash, repairLog } from './import.ts'
import type * as stable from './index.ts'
import { simulate } from './simulate.ts'
import { useStart } from './start.ts'
import { timeTravel } from './travel.ts'

export { useGunzip } from '../api/gzip.ts'
export { useWriting } from './builder.ts'
export { useNode } from './events.ts'
export { importSessions } from './import.ts'
export { initAuthoring, initAuthoringSync } from './start.ts'

/**
 * All functions; `start` compiles their wasm. An entry takes them from here, so that a bundler that leaves them out
 * leaves out the start as well, and the wasm with it. The types hold the lists of `index.ts` and of `experimental.ts`.
 */
export const operations = (start?: () => void): typeof stable => {
  if (start !== undefined) useStart(start)
  TranscriptBuilder.defineMethods()
  attachParts()
  return {
    GenerateError,
    TranscriptBuilder,
    compact,
    complete,
    coverage,
    diff,
    drift,
    edit,
    exportTranscript,
    fix,
    format,
    generate,
    hover,
    importLog,
    promptHash,
    redact,
    repairLog,
    runTwice,
    simulate,
    timeTravel,
    transcript,
    travel,
  }
}

/** The same for those of `transcript-workbench/experimental`; `startCore` starts a core that no other entry has started. */
export const experimental = (startCore: () => void, start: () => void): typeof unstable => {
  useCoreStart(startCore)
  useStart(start)
  return { EventWriter, SCHEMA_URI, compareTraces, orderEvents, payloadHash, readEvents, verifyDeterminism, writeEvents }
}
