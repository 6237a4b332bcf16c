// Node, Deno and Bun. The wasm is inlined here too, so that a bundle of a server needs no file beside it.
import { Buffer } from 'node:buffer'
import { appendFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { useGunzip as useGunzipInAuthoring, useWriting } from './authoring.js'
import { initSync, useFiles, useGunzip, useRecording } from './core.js'
import base64 from './core.wasm.base64.js'

const gunzip = (bytes, most) => gunzipSync(bytes, { maxOutputLength: most })

initSync(Buffer.from(base64, 'base64'))
useGunzip(gunzip)
useGunzipInAuthoring(gunzip)
useFiles(readFile)

const nameOf = (path) => (path instanceof URL ? fileURLToPath(path) : path)
const write = async (path, text) => {
  await mkdir(dirname(nameOf(path)), { recursive: true })
  await writeFile(path, text)
}
useWriting(write)
useRecording({ append: appendFileSync, write, beside: (path, name) => join(dirname(nameOf(path)), name) })

export {
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailure, MockNoMatchError, RecordedModelError,
  RecordedToolError, TranscriptAssertionError, TranscriptDivergence, TranscriptError, UnknownStateError,
  check, checkRun, createRecorder, detect, expand, mockModel, parse, readProject, recover, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, edit, fix, format, hover, redact, simulate, transcript, travel,
} from './authoring.inline.js'
