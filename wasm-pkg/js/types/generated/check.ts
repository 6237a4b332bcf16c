// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** One value that was checked. Long texts and large data are cut, and marked with an ellipsis. */
export interface Evidence {
  /** The step, such as `2` or `2.1`; `0` for the initial state. */
  step?: string
  /** The id of the message. */
  message?: string
  /** What of it, such as `context.city` or `arguments.days`. */
  path?: string
  /** What was expected; absent where nothing was. */
  expected?: Json
  /** What stands there; absent where nothing does. */
  actual?: Json
}
