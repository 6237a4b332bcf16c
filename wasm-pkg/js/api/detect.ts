import type { Detection, ImportFormat, Options, Source } from '../types/index.ts'
import { detectBytes, knownFormats } from './core.ts'
import { checkOptions, openingText } from './options.ts'
import { sourceOf } from './source.ts'

const encoder = new TextEncoder()

/**
 * Detects the kind of document that a source is, by its content; the name of the file does not count.
 *
 * @returns The kind, how certain that is, and the reason.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * detect("messages: ['user: Hi']").kind // 'compact'
 */
export const detect = (source: Source, options?: Options): Detection => {
  const checked = checkOptions('detect', options, [])
  const opening = openingText('detect', checked)
  const { text, bytes } = sourceOf('detect', source, checked)
  return detectBytes(bytes ?? encoder.encode(text), opening)
}

/**
 * The formats of other programs that `importLog` reads.
 *
 * @returns Each with its names for the option `from`, and how its files belong together.
 * @example
 * formats().flatMap(({ names }) => names)
 */
export const formats = (): ImportFormat[] => knownFormats()
