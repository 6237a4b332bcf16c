// A source becomes an open document of the core.
import type { DocumentHandle } from '#core'
import type { Options, Source } from '../types/index.ts'
import { openBytes, openText, openTooLarge } from './core.ts'
import { openingText } from './options.ts'
import { sourceOf } from './source.ts'

/** A string shorter than this is handed to the core unmeasured. */
const SHORT = 1 << 20

const utf8Length = (text: string) => {
  let length = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair adds one byte to its own unit: four bytes for two units.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return length
}

/** Opens a source; what is too large is measured here, so that it is not copied into the core first. */
export const open = (call: string, source: Source, options: Options): DocumentHandle => {
  const opening = openingText(call, options)
  const { text, bytes, file } = sourceOf(call, source, options)
  if (bytes !== undefined) return openTooLarge(bytes.length, file, opening) ?? openBytes(bytes, file, opening)
  const tooLarge = text.length > SHORT ? openTooLarge(utf8Length(text), file, opening) : undefined
  return tooLarge ?? openText(text, file, opening)
}
