// What a caller hands over as a transcript: a text, bytes, or either with the name of its file.
import { openBytes, openText, openTooLarge } from './core.js'
import { kindOf, limitsOf } from './options.js'

const UNNAMED = '<text>'
/** A text shorter than this is handed to the core unmeasured. */
const SHORT = 1 << 20

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

const utf8Length = (text) => {
  let length = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair adds one byte to its own unit: four bytes for two units.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return length
}

/** Opens a source; what is too large is measured here, so that it is not copied into the core first. */
export const open = (call, source, options) => {
  const { text, bytes, file } = sourceOf(call, source)
  const limits = limitsOf(call, options)
  if (bytes !== undefined) return openTooLarge(bytes.length, file, limits) ?? openBytes(bytes, file, limits)
  const tooLarge = text.length > SHORT ? openTooLarge(utf8Length(text), file, limits) : undefined
  return tooLarge ?? openText(text, file, limits)
}
