// Splits the module of the page's workers in six: what opening a document calls, the rest of what the reader needs, what only some of
// its methods need, what only opening a log needs besides, what only unpacking archives needs, and what only authoring needs. Each part
// calls functions of the parts before it (`static/engine.js`).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDocuments } from './open-documents.mjs'
import { splitByCalls } from './split-by-calls.mjs'
import { linkedModule, optimisedPart, reorderedPart, xtask } from './wasm-tools.mjs'

/** The parts after what the reader needs to open a document. */
const LATER = ['extra', 'logs', 'archives', 'authoring']
/** In these, stubs compress better next to similar functions than before all others. */
const SMALL = ['extra', 'archives']

/** Splits the module `wasm` with its glue; `examples` is the folder of documents to open. Returns the bytes of each part. */
export async function splitEngine({ wasm, glue, examples }) {
  const work = mkdtempSync(join(tmpdir(), 'engine-'))
  const at = (file) => join(work, file)
  try {
    writeFileSync(at('whole.wasm'), wasm)
    const files = ['reader', ...LATER].map((name) => at(`${name}.wasm`))
    xtask('split-page', linkedModule('release', 'transcript_wasm.wasm'), at('whole.wasm'), ...files)
    const [reader, ...later] = files
    const use = (noting) => openDocuments({ noting, glue, examples })
    // A function of up to 30 bytes is not much longer than what would stand for it.
    const { first, rest } = await splitByCalls(readFileSync(reader), use, 30)
    const parts = { bg: first, rest }
    for (const [place, name] of LATER.entries()) parts[name] = optimisedPart(later[place])
    for (const [name, bytes] of Object.entries(parts)) writeFileSync(at(name), bytes)
    xtask('share-table', ...Object.keys(parts).map(at))
    for (const name of Object.keys(parts)) parts[name] = SMALL.includes(name) ? reorderedPart(at(name)) : readFileSync(at(name))
    return parts
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
