// Written by the tests from the Rust types.

/** One fix that was carried out. */
export interface AppliedFix {
  /** The code of the problem. */
  code: string
  /** The problem. */
  message: string
  /** What the fix does. */
  title: string
  /** The line of the problem, from 1, in the text as it was in that round. */
  line: number
}

/** A text after its safe fixes. */
export interface FixResult {
  /** The text afterwards. */
  text: string
  /** What was mended, in the order of the rounds and then of the places. */
  applied: AppliedFix[]
  /** How many problems remain. */
  remaining: number
}
