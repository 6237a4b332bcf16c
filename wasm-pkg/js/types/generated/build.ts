// Written by the tests from the Rust types.
import type { Severity } from './diagnostic.ts'

/** A problem with a step. */
export interface BuildProblem {
  /** The number of the step, from 1, in the order of the calls; 0 for the transcript as a whole. */
  step: number
  /** The method, such as `thenToolExecutes`; `build` for the transcript as a whole. */
  method: string
  /** The code of the rule; null for a failed step. */
  code: string | null
  /** How bad it is: `error`, `warning` or `info`. */
  severity: Severity
  /** The problem. */
  message: string
  /** The remedy, if one is known. */
  help: string | null
}
