// Written by the tests from the Rust types.

/** So many of so many. */
export interface Count {
  /** How many are used. */
  covered: number
  /** How many there are. */
  total: number
}
