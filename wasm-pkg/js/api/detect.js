import { detectBytes } from './core.js'
import { checkOptions, openingText } from './options.js'
import { sourceOf } from './source.js'

const encoder = new TextEncoder()

/** Tells what kind of document a source is, by its content. */
export const detect = (source, options) => {
  const checked = checkOptions('detect', options, [])
  const opening = openingText('detect', checked)
  const { text, bytes } = sourceOf('detect', source, checked)
  return detectBytes(bytes ?? encoder.encode(text), opening)
}
