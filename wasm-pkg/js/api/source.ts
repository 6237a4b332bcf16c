// What a caller hands over as a transcript: a string, bytes, or either with the name of its file.
import type { Source } from '../types/index.ts'
import { decompressed } from './gzip.ts'
import { misuse } from './misuse.ts'
import { kindOf } from './options.ts'

const UNNAMED = '<text>'

/** A source whose bytes are decompressed: its text, or its bytes. */
export type LoadedSource = { text: string; bytes?: undefined; file: string } | { text?: undefined; bytes: Uint8Array; file: string }

/** Rejects the name of a file where the text of a document is wanted. */
export const checkNoFileName = (call: string, source: unknown) => {
  if (!(source instanceof URL) && !(typeof source === 'string' && /^[^\r\n]*\.(ya?ml|json)$/i.test(source))) return
  throw misuse(`${call}() takes a document, not the name of a file: read the file and pass its text`)
}

/** Reads a source into `{text, file}` or `{bytes, file}`; bytes in gzip are decompressed, to at most `maxBytes`. */
export const sourceOf = (call: string, source: Source, { maxBytes }: { maxBytes?: number } = {}): LoadedSource => {
  if (typeof source === 'string') return { text: source, file: UNNAMED }
  if (source instanceof Uint8Array) return { bytes: decompressed(source, maxBytes), file: UNNAMED }
  if (typeof source === 'object' && source !== null) {
    const { text, bytes, file = UNNAMED }: { text?: unknown; bytes?: unknown; file?: unknown } = source
    if (typeof file !== 'string') {
      throw misuse(`\`file\` of the source of ${call}() is a string, but got ${kindOf(file)}`)
    }
    if (typeof text === 'string' && bytes === undefined) return { text, file }
    if (bytes instanceof Uint8Array && text === undefined) return { bytes: decompressed(bytes, maxBytes), file }
  }
  throw misuse(`${call}() takes a string, a Uint8Array, {text, file} or {bytes, file}, but got ${kindOf(source)}`)
}
