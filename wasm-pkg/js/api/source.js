// What a caller hands over as a transcript: a text, bytes, or either with the name of its file.
import { kindOf } from './options.js'

const UNNAMED = '<text>'

/** Reads a source into `{text, file}` or `{bytes, file}`. */
export const sourceOf = (call, source) => {
  if (typeof source === 'string') return { text: source, file: UNNAMED }
  if (source instanceof Uint8Array) return { bytes: source, file: UNNAMED }
  if (typeof source === 'object' && source !== null) {
    const { text, bytes, file = UNNAMED } = source
    if (typeof file !== 'string') {
      throw new TypeError(`\`file\` is the name of the file that ${call}() gets, but it is ${kindOf(file)}`)
    }
    if (typeof text === 'string' && bytes === undefined) return { text, file }
    if (bytes instanceof Uint8Array && text === undefined) return { bytes, file }
  }
  throw new TypeError(`${call}() takes a text, a Uint8Array, {text, file} or {bytes, file}, but got ${kindOf(source)}`)
}
