// Writes what vendors send. The core does it, which the objects of the package lead to: a recorder can be made of nothing.
import { type Recorder, createRecorder } from 'transcript-workbench'
import type { WriteExchange } from '../api/write-exchange.ts'
import * as wire from '../wire/index.ts'

let recorder: { [wire.WRITE_EXCHANGE]: WriteExchange } | undefined

/** Writes a `response`, a `stream` or an `error` in a format. */
export const write: WriteExchange = (operation, format, data) => {
  // Every recorder of the package writes.
  recorder ??= createRecorder() as Recorder & { [wire.WRITE_EXCHANGE]: WriteExchange }
  return recorder[wire.WRITE_EXCHANGE](operation, format, data)
}

/** An error in the form that clients of `path` read. */
export const requestError = (path: string, headers: Headers, status: number, message: string, code: string) =>
  wire.requestError(write, path, headers, status, message, code)
