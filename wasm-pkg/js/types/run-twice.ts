// The types of a document that is run twice.
import type { Options } from './index.ts'

export type { DeterminismReport, FirstDifference, StepPair } from './generated/index.ts'

/** How a document is run twice. */
export interface RunTwiceOptions extends Options {
  /** Decides in what other order the lines of a log of events stand in the second run. Default: 1. */
  seed?: number
}
