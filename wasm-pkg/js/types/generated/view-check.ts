// Written by the tests from the Rust types.
import type { Evidence } from './check.ts'
import type { Place } from './text.ts'

/** The outcome of one assertion, and where it stands. */
export interface CheckOutcome {
  /** Where the assertion stands. */
  place: Place
  /** Its place in the list of assertions of its run, counted from 0. */
  index: number
  /** The step of the run of another agent that it stands in, such as `2` or `2.1`; empty at the top. */
  path: string
  /** Its type, as written; empty when it has none. */
  type: string
  /** What it is for, in its author's words. */
  description: string | null
  /** `passed`, `failed`, or `error` when it cannot be decided. */
  status: 'passed' | 'failed' | 'error'
  /**
   * The code of the rule that reports the same in a document, such as `T503` of an assertion that fails; null of one
   * that holds, and where there is no such rule.
   */
  code: string | null
  /** Why, in one clause. */
  message: string
  /** What to do about it, where something is known. */
  help: string | null
  /** What was looked at. */
  evidence: Evidence[]
  /** How many more pieces of evidence there are. */
  leftOut: number
  /** The field that cannot be used, if there is one. */
  field: string | null
  /** The bytes of that field's text that are at fault, where it is a part of it: from and to. */
  fieldBytes: [number, number] | null
}
