// What a caller hands over as a transcript: a text, bytes, or either with the name of its file.
import { decompressed } from './gzip.js'
import { misuse } from './misuse.ts'
import { kindOf } from './options.js'

const UNNAMED = '<text>'

/** Reads a source into `{text, file}` or `{bytes, file}`; bytes in gzip are decompressed, to at most `maxBytes`. */
export const sourceOf = (call, source, { maxBytes } = {}) => {
  if (typeof source === 'string') return { text: source, file: UNNAMED }
  if (source instanceof Uint8Array) return { bytes: decompressed(source, maxBytes), file: UNNAMED }
  if (typeof source === 'object' && source !== null) {
    const { text, bytes, file = UNNAMED } = source
    if (typeof file !== 'string') {
      throw misuse(`\`file\` is the name of the file that ${call}() gets, but it is ${kindOf(file)}`)
    }
    if (typeof text === 'string' && bytes === undefined) return { text, file }
    if (bytes instanceof Uint8Array && text === undefined) return { bytes: decompressed(bytes, maxBytes), file }
  }
  throw misuse(`${call}() takes a text, a Uint8Array, {text, file} or {bytes, file}, but got ${kindOf(source)}`)
}
