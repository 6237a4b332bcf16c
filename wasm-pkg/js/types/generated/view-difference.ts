// Written by the tests from the Rust types.
import type { DiffIgnored, DiffSummary, TextPart } from './diff.ts'
import type { Json } from './json.ts'
import type { Place } from './text.ts'

/** One difference. */
export interface DiffChange {
  /** The path, such as `execution[2].llm_response.content`. */
  path: string
  /** What happened from left to right. */
  kind: 'added' | 'removed' | 'changed'
  /** The value on the left; absent when there is none. */
  left?: Json
  /** The value on the right; absent when there is none. */
  right?: Json
  /** The step on the left, `0` for the initial state. */
  leftStep: string | null
  /** The step on the right. */
  rightStep: string | null
  /** Its place on the left, as near as known. */
  leftPlace: Place | null
  /** Its place on the right. */
  rightPlace: Place | null
  /** Of two texts, what they share and what not. */
  text: TextPart[]
}

/** How two documents differ. */
export interface Difference {
  /** Whether no difference is left. */
  equal: boolean
  /** How many turns and messages are alike. */
  summary: DiffSummary
  /** The differences in the order of the runs. */
  changes: DiffChange[]
  /** The ignores in force, each with what it swallowed. */
  ignored: DiffIgnored[]
}
