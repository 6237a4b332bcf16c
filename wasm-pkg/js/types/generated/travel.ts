// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** A step of the original run that is missing in the new one, though no change requested that. */
export interface DroppedStep {
  /** Its path in the run as it was. */
  step: string
  /** The reason for its removal. */
  reason: string
}

/** A difference between two requests. */
export interface RequestDifference {
  /** The path, such as `messages[2].content`, or `arguments.city` of a tool. */
  path: string
  /** What was recorded; absent when there was nothing. */
  before?: Json
  /** What it is now; absent when there is nothing. */
  after?: Json
}

/** What became of one step of a changed run. */
export interface TravelMark {
  /** The path of the step in the new run. */
  step: string
  /** Its path in the original run; null for a new one. */
  origin: string | null
  /** Whether it holds. */
  status: TravelStatus
  /** The first difference between its recorded request and its present one. */
  difference?: RequestDifference
  /** The path in the new run of the invalid step that it depends on. */
  dependsOn?: string
  /** The calls of the step that have no result, by id or, without one, by tool. */
  unanswered?: string[]
  /** The messages named by the step that no longer exist. */
  dropped?: string[]
}

/**
 * Whether a step still holds: `kept`, `changed` and `recomputed` steps do. The request of a `diverged` step differs
 * from the recorded one, a `depends` step comes after a step that does not hold, a call of an `unanswered` step has no
 * result any more, and an `orphaned` step answers no call.
 */
export type TravelStatus = 'kept' | 'changed' | 'recomputed' | 'diverged' | 'depends' | 'unanswered' | 'orphaned'
