import type { Options, Source, Validation } from '../types/index.ts'
import { invoke, invokeJson } from './core.ts'
import { checkOptions } from './options.ts'
import { open } from './open.ts'

/**
 * Checks a transcript.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns Whether it has no error, and everything found, in the order of the text.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { ok, diagnostics } = validate({ text, file: 'run.yaml' })
 */
export const validate = (source: Source, options?: Options): Validation => {
  const handle = open('validate', source, checkOptions('validate', options, []))
  try {
    return { ok: invoke(handle, 'isOk'), diagnostics: invokeJson(handle, 'diagnostics') }
  } finally {
    handle.free()
  }
}
