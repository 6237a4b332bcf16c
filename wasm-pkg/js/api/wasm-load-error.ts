// The error of a wasm file that cannot be loaded.
import { errorMark } from './error-mark.ts'
import { MarkedError } from './marked-error.ts'

const DAMAGED = 'if it is damaged, install transcript-workbench again, and build again what has a copy of it'

/** A part of the wasm cannot be loaded: its file is missing or damaged, or the platform refuses it. */
export class WasmLoadError extends MarkedError {
  declare readonly name: 'WasmLoadError'
  declare readonly code: 'ERR_TRANSCRIPT_WASM'
  /** The part: `core.wasm` or `authoring.wasm`. */
  declare readonly file: string

  /** @internal */
  static override mark() {
    return errorMark('WasmLoadError', 'ERR_TRANSCRIPT_WASM')
  }

  /** The error about `cause`, which may have a `help` of its own. @internal */
  static create(file: string, cause: unknown) {
    const { message = String(cause), help = DAMAGED } = Object(cause) as { message?: string; help?: string }
    return Object.assign(new this(`${file} cannot be loaded: ${message}; ${help}`, { cause }), { file })
  }
}

const isOwn = (error: unknown) => String((error as { code?: unknown } | null)?.code).startsWith('ERR_TRANSCRIPT_')

/** An error of the package as it is; any other as a `WasmLoadError` of `file`. */
export const toLoadError = (file: string, error: unknown) => (isOwn(error) ? error : WasmLoadError.create(file, error))
