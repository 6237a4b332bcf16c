// The types of a document that is run twice.
import type { Json, Options } from './index.ts'

/** How a document is run twice. */
export interface RunTwiceOptions extends Options {
  /** Decides in what other order the lines of a log of events stand in the second run. Default: 1. */
  seed?: number
}

/** The comparison of two runs of one document. */
export interface DeterminismReport {
  /**
   * What was run: a recording was replayed, the steps of a scenario were simulated, or a log of events was replayed; `none`
   * when the document cannot be run.
   */
  kind: 'replay' | 'simulation' | 'events' | 'none'
  /** Whether both runs are the same, and neither failed. */
  ok: boolean
  /** Whether both runs are the same. */
  identical: boolean
  /** Why the document was not run, or proves nothing. */
  reason: string | null
  /** The SHA-256 of the result of each run, in hexadecimal digits; none when the document cannot be run. */
  prints: string[]
  /** How many steps or events a run has. */
  steps: number
  /** The first difference of the runs; null when they are the same. */
  firstDifference: FirstDifference | null
  /** What could not be done, the same way in both runs; `event` is the id of the event, or the step. */
  failures: { event: string; message: string }[]
  /** What else is to be known, such as where a run ends because code would have to go on. */
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
  /** The step with three before it and three behind; what a run has there in short, or null when it has no such step. */
  around: { step: string; kind: string; first: string | null; second: string | null }[]
}
