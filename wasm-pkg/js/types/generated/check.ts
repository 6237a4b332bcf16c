// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** One value that was checked. Long texts and large data are cut, and marked with an ellipsis. */
export interface Evidence {
  /** The step, such as `2` or `2.1`; `0` for the initial state. */
  step?: string
  /** The id of the message. */
  message?: string
  /** The part of it, such as `context.city` or `arguments.days`. */
  path?: string
  /** The expected value; absent where there is none. */
  expected?: Json
  /** The actual value; absent where there is none. */
  actual?: Json
}
