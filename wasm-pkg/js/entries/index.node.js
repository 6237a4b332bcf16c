// Node, Deno and Bun. The wasm is inlined here too, so that a bundle of a server needs no file beside it.
import { Buffer } from 'node:buffer'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { useGunzip as useGunzipInAuthoring, useWriting } from './authoring.js'
import { initSync, useFiles, useGunzip } from './core.js'
import base64 from './core.wasm.base64.js'

const gunzip = (bytes, most) => gunzipSync(bytes, { maxOutputLength: most })

initSync(Buffer.from(base64, 'base64'))
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
} from './authoring.inline.js'
