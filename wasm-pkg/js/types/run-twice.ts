// The types of a document that is run twice.
import type { DeterminismReport } from './generated/index.ts'
import type { Options, Source } from './index.ts'

export type { DeterminismReport, FirstDifference, StepPair } from './generated/index.ts'

/** How a document is run twice. */
export interface RunTwiceOptions extends Options {
  /** Decides in what other order the lines of a log of events stand in the second run. Default: 1. */
  seed?: number
}

/**
 * Runs a document twice, the second time with the keys of every map the other way round and the lines of a log of events
 * shuffled, and compares what comes of it. A recording is replayed strictly, the steps of a scenario are simulated without
 * functions of yours. Of a document with errors, `reason` is why it was not run, and `validate` reports what is wrong with it.
 *
 * @example
 * const { ok, firstDifference } = runTwice(document)
 * if (!ok) console.log(firstDifference?.step, firstDifference?.path, firstDifference?.first, firstDifference?.second)
 */
export declare function runTwice(source: Source, options?: RunTwiceOptions): DeterminismReport
