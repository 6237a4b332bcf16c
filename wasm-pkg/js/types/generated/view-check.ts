// Written by the tests from the Rust types.
import type { Evidence } from './check.ts'
import type { Place } from './text.ts'

/** The outcome of one assertion, and its place. */
export interface CheckOutcome {
  /** The place of the assertion. */
  place: Place
  /** Its place in the list of assertions of its run, counted from 0. */
  index: number
  /** Its step of the run of another agent, such as `2` or `2.1`; empty at the top. */
  path: string
  /** Its type, as written; empty when it has none. */
  type: string
  /** Its purpose, in its author's words. */
  description: string | null
  /** `passed`, `failed`, or `error` when it cannot be decided. */
  status: 'passed' | 'failed' | 'error'
  /**
   * The code of the rule for the same problem in a document, such as `T503` for a failed assertion; null for one that
   * passed, and without such a rule.
   */
  code: string | null
  /** Why, in one clause. */
  message: string
  /** A remedy, if known. */
  help: string | null
  /** The evidence. */
  evidence: Evidence[]
  /** How many more pieces of evidence there are. */
  omitted: number
  /** The field that cannot be used, if there is one. */
  field: string | null
  /** The range of bytes at fault in that field's text, if it is only part of it. */
  fieldBytes: [number, number] | null
}
