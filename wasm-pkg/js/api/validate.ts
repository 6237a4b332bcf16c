import type { Options, Source, Validation } from '../types/index.ts'
import { invoke, invokeJson } from './core.ts'
import { checkOptions } from './options.ts'
import { open } from './open.ts'

/** Checks a transcript: whether it has no error, and everything that was found. */
export const validate = (source: Source, options?: Options): Validation => {
  const handle = open('validate', source, checkOptions('validate', options, []))
  try {
    return { ok: invoke(handle, 'isOk'), diagnostics: invokeJson(handle, 'diagnostics') }
  } finally {
    handle.free()
  }
}
