// Node, Deno and Bun. The wasm is inlined here too, so that a bundle of a server needs no file beside it.
import { Buffer } from 'node:buffer'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useWriting } from './authoring.js'
import { initSync, useFiles } from './core.js'
import base64 from './core.wasm.base64.js'

initSync(Buffer.from(base64, 'base64'))
useFiles(readFile)
useWriting(async (path, text) => {
  await mkdir(dirname(path instanceof URL ? fileURLToPath(path) : path), { recursive: true })
  await writeFile(path, text)
})

export {
  RecordedModelError, TranscriptDivergence, TranscriptError,
  detect, expand, parse, readProject, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, transcript,
} from './authoring.inline.js'
