// Written by the tests from the Rust types.
import type { Diagnostic } from './diagnostic.ts'

/** A text in canonical order and style, or why there is none. */
export interface FormatResult {
  /** Whether the text could be formatted. */
  ok: boolean
  /** The formatted text; the input when it could not be formatted. */
  text: string
  /** Whether that differs from the input. */
  changed: boolean
  /** Why the text could not be formatted; none otherwise. */
  diagnostics: Diagnostic[]
}
