// The authoring functions for Cloudflare Workers, where wasm may not be compiled at run time.
import { initAuthoringSync, operations } from './authoring.js'
import module from './authoring.wasm'

export const {
  GenerateError, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, exportTranscript, fix, format, generate, hover,
  importLog, promptHash, redact, repairLog, runTwice, simulate, timeTravel, transcript, travel,
} = operations(() => initAuthoringSync(module))
