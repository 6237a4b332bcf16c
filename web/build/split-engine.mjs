// Splits the module of the page's workers in six: what opening a document calls, the rest of what the reader needs, what only some of
// its methods need, what only opening a log needs besides, what only unpacking archives needs, and what only authoring needs. Each part
// calls functions of the parts before it (`static/engine.js`).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDocuments } from './open-documents.mjs'
import { splitByCalls } from './split-by-calls.mjs'
import { linkedModule, optimisedPart, xtask } from './wasm-tools.mjs'

/** Splits the module `wasm` with its glue; `examples` is the folder of documents to open. Returns the bytes of each part. */
export async function splitEngine({ wasm, glue, examples }) {
  const work = mkdtempSync(join(tmpdir(), 'engine-'))
  const at = (file) => join(work, file)
  try {
    writeFileSync(at('whole.wasm'), wasm)
    const files = ['reader.wasm', 'extra.wasm', 'logs.wasm', 'archives.wasm', 'authoring.wasm'].map(at)
    xtask('split-page', linkedModule('release', 'transcript_wasm.wasm'), at('whole.wasm'), ...files)
    const [reader, ...later] = files
    const use = (noting) => openDocuments({ noting, glue, examples })
    // A function of up to 30 bytes is not much longer than what would stand for it.
    const { first, rest } = await splitByCalls(readFileSync(reader), use, 30)
    const [extra, logs, archives, authoring] = later.map(optimisedPart)
    return { bg: first, rest, extra, logs, archives, authoring }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
