// Written by the tests from the Rust types.

/** A part of a total. */
export interface Count {
  /** How many are used. */
  covered: number
  /** The total. */
  total: number
}
