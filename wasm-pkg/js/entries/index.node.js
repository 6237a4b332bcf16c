// Node, Deno and Bun. The wasm is inlined here too, so that a bundle of a server needs no file beside it.
import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { initSync, useFiles } from './core.js'
import base64 from './core.wasm.base64.js'

initSync(Buffer.from(base64, 'base64'))
useFiles(readFile)

export {
  RecordedModelError, TranscriptDivergence, TranscriptError,
  expand, parse, readProject, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, transcript,
} from './authoring.inline.js'
