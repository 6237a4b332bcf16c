// Node, Deno and Bun. The wasm is inlined here too, compressed, so that a bundle of a server needs no file
// beside it. The CommonJS entry is made of this one, and reads the wasm from the file: see wasm.required.js.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { useGunzip as useGunzipInAuthoring, useWriting } from './authoring.js'
import { initSync, useFiles, useGunzip } from './core.js'
import inlined from './core.wasm.deflate.js'
import { wasm } from './wasm.node.js'

const gunzip = (bytes, most) => gunzipSync(bytes, { maxOutputLength: most })

initSync(wasm(inlined))
useGunzip(gunzip)
useGunzipInAuthoring(gunzip)
useFiles(readFile)
useWriting(async (path, text) => {
  await mkdir(dirname(path instanceof URL ? fileURLToPath(path) : path), { recursive: true })
  await writeFile(path, text)
})

export {
  RecordedModelError, RecordedToolError, TranscriptDivergence, TranscriptError,
  detect, expand, parse, readProject, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, transcript,
} from './authoring.node.js'
