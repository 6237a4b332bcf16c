import type { Detection, ImportFormat, Options, Source } from '../types/index.ts'
import { detectBytes, knownFormats } from './core.ts'
import { checkOptions, openingText } from './options.ts'
import { sourceOf } from './source.ts'

const encoder = new TextEncoder()

/**
 * Detects the kind of document that a source is, by its content; the name of the file does not count.
 *
 * @example
 * detect("messages: ['user: Hi']").kind // 'compact'
 */
export const detect = (source: Source, options?: Options): Detection => {
  const checked = checkOptions('detect', options, [])
  const opening = openingText('detect', checked)
  const { text, bytes } = sourceOf('detect', source, checked)
  return detectBytes(bytes ?? encoder.encode(text), opening)
}

/** The formats of other programs that `importLog` reads. */
export const formats = (): ImportFormat[] => knownFormats()
