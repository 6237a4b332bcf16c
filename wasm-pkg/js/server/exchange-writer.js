// Writes what vendors send. The core does it, which the objects of the package lead to: a recorder can be made of nothing.
import { createRecorder } from 'transcript-workbench'
import * as wire from '../wire/index.ts'

let recorder

/** Writes a `response`, a `stream` or an `error` in a format. */
export const write = (operation, format, data) => {
  recorder ??= createRecorder()
  return recorder[wire.WRITE_EXCHANGE](operation, format, data)
}

/** An error in the form that clients of `path` read. */
export const requestError = (path, headers, status, message, code) => wire.requestError(write, path, headers, status, message, code)
