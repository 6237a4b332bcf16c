// Written by the tests from the Rust types.

/** A problem in a line of a journal. */
export interface LineProblem {
  /** The line, from 1. */
  line: number
  /** The problem. */
  message: string
  /** The remedy, if one is known. */
  help: string | null
}

/** Why a fact was rejected, or why not all of its content was used. */
export interface RecordProblem {
  /** The number of the fact, from 1; 0 before it has one. */
  seq: number
  /** The problem. */
  message: string
  /** The remedy, if one is known. */
  help: string | null
}
