// Written by the tests from the Rust types.
import type { Json } from './json.ts'
import type { EventFailure } from './verify.ts'

/** The comparison of two runs of one document. */
export interface DeterminismReport {
  /**
   * What was run: a recording was replayed, the steps of a scenario were simulated, or a log of events was replayed;
   * `none` when the document cannot be run.
   */
  kind: 'replay' | 'simulation' | 'events' | 'none'
  /** Whether both runs are the same, and neither failed. */
  ok: boolean
  /** Whether both runs are the same. */
  identical: boolean
  /** Why the document was not run, or proves nothing. */
  reason: string | null
  /** The SHA-256 of the result of each run, in hexadecimal digits; none when the document cannot be run. */
  hashes: string[]
  /** How many steps or events a run has. */
  steps: number
  /** The first difference of the runs; null when they are the same. */
  firstDifference: FirstDifference | null
  /** What could not be done, the same way in both runs. */
  failures: EventFailure[]
  /** Notes, such as where a run ends because code would have to continue it. */
  notes: string[]
  /** Both runs as transcripts in YAML, where they differ and are runs of steps. */
  runs: string[]
}

/** The first difference of two runs. */
export interface FirstDifference {
  /** The step, or the id of the event. */
  step: string
  /** The place in the run, such as `execution[2].llm_response.content`. */
  path: string
  /** What the first run has there; null when it has nothing. */
  first: Json
  /** What the second run has there. */
  second: Json
  /** What that looks like; null when it looks like nothing that is known. */
  cause: 'timestamp' | 'random_id' | 'random_number' | 'order' | null
  /** The step with three before it and three after it. */
  around: StepPair[]
}

/** A step near the first difference. */
export interface StepPair {
  /** The step, or the id of the event. */
  step: string
  /** Its kind, or the type of the event. */
  kind: string
  /** What it is in the first run, in short; null when that has no such step. */
  first: string | null
  /** What it is in the second run. */
  second: string | null
}
