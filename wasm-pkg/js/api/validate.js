import { invoke, invokeJson } from './core.js'
import { checkOptions } from './options.js'
import { open } from './open.js'

/** Checks a transcript: whether it has no error, and everything that was found. */
export const validate = (source, options) => {
  const handle = open('validate', source, checkOptions('validate', options, []))
  try {
    return { ok: invoke(handle, 'isOk'), diagnostics: invokeJson(handle, 'diagnostics') }
  } finally {
    handle.free()
  }
}
