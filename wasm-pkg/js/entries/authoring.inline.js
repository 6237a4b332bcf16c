// The authoring functions with their wasm inside of a module. A bundler leaves all of it out of a program
// that uses none of them.
import { initAuthoringSync, operations } from './authoring.js'
import base64 from './authoring.wasm.base64.js'
import { decode } from './base64.js'

export const {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, simulate, transcript, travel,
} = operations(() => initAuthoringSync(decode(base64)))
