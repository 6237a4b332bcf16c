import { detectBytes, knownFormats } from './core.js'
import { checkOptions, openingText } from './options.js'
import { sourceOf } from './source.js'

const encoder = new TextEncoder()

/** Detects what kind of document a source is, from its content. */
export const detect = (source, options) => {
  const checked = checkOptions('detect', options, [])
  const opening = openingText('detect', checked)
  const { text, bytes } = sourceOf('detect', source, checked)
  return detectBytes(bytes ?? encoder.encode(text), opening)
}

/** The formats of other programs that `importLog` reads. */
export const formats = () => knownFormats()
