// Decides which code blocks of the documentation open in the workbench, and makes the links that open them.
//
// The core itself decides: a block has a link when the reader takes it for a transcript, a document of handlers, a log of
// events or the file of another program. An example of a mistake has one too.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateRawSync } from 'node:zlib'

/** The letters of the kinds in a link; see `web/src/state/inline.rs`. */
const KINDS = { yaml: 'y', json: 'j', jsonl: 'l' }

/** Returns a function that opens a text with the reader of the page. `glue` is the script of the module `wasm`. */
export async function documentReader(wasm, glue) {
  const work = mkdtempSync(join(tmpdir(), 'reader-'))
  try {
    const file = join(work, 'glue.mjs')
    writeFileSync(file, glue)
    const { initSync, Reader } = await import(pathToFileURL(file))
    initSync({ module: wasm })
    const reader = new Reader()
    return (text) => {
      const { outline } = JSON.parse(reader.read(1, text, [0], [0]))
      reader.forget(1)
      return outline
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The checksum of a link: FNV-1a with the upper bits folded onto the lower ones. */
function checksum(bytes) {
  let sum = 0x811c9dc5
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0
  return ((sum >>> 20) ^ sum) & 0xfffff
}

/** A text as the workbench takes it from an address; `pack` of `web/src/state/inline.rs` writes the same form. */
export function payload(language, name, text) {
  const bytes = Buffer.from(text)
  const head = `${KINDS[language]}${bytes.length.toString(36)}.${checksum(bytes).toString(36)} ${name}\n`
  return `z1:${deflateRawSync(Buffer.concat([Buffer.from(head), bytes]), { level: 9 }).toString('base64url')}`
}

/** The view that shows a text best, or nothing for a text that is no whole document. `isExample` is true for an example of a diagnostic. */
function viewOf({ form, other }, isExample) {
  if (isExample) return 'edit'
  if (other === 'event-log') return 'agents'
  if (form === 'handlers') return 'handlers'
  return form !== 'unknown' || other ? 'edit' : undefined
}

/** The fragment that opens a block in the workbench, or nothing for a block that has none. */
export function linkOf({ open, language, text, name, isExample }) {
  if (!Object.hasOwn(KINDS, language)) return undefined
  const view = viewOf(open(text), isExample)
  return view && `#/${view}?d=${payload(language, name, text)}`
}
