// The types of the check whether a document is deterministic.
import type { Options } from './index.ts'

export type { DeterminismReport, FirstDifference, StepPair } from './generated/index.ts'

/** How a document is run twice. */
export interface RunTwiceOptions extends Options {
  /** Decides how the second run orders the lines of a log of events. Default: 1. */
  seed?: number
}
