// Node, Deno and Bun. The wasm is inlined here too, compressed, so that a bundle of a server needs no file
// beside it. The CommonJS entry is made of this one, and reads the wasm from the file: see wasm.required.js.
import { appendFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { useGunzip as useGunzipInAuthoring, useWriting } from './authoring.js'
import { initSync, useFiles, useGunzip, useRecording } from './core.js'
import inlined from './core.wasm.deflate.js'
import { wasm } from './wasm.node.js'

const gunzip = (bytes, most) => gunzipSync(bytes, { maxOutputLength: most })

initSync(wasm(inlined))
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
  ConditionError, InvalidReplyError, MockError, MockExhaustedError, MockFailure, MockFunctionError, MockNoMatchError,
  RecordedModelError, RecordedToolError, TranscriptAssertionError, TranscriptDivergence, TranscriptError, UnknownStateError,
  check, checkRun, createRecorder, detect, expand, mock, mockModel, parse, readProject, record, recover, replay, validate,
} from './core.js'
export {
  T, TranscriptBuilder, compact, complete, coverage, diff, drift, edit, fix, format, hover, importLog, promptHash, redact,
  simulate, timeTravel, transcript, travel,
} from './authoring.node.js'
