import type { AgentTape, MockModel, Tape } from './index.ts'

/** What answers for a model. */
export type ReplaySource = Tape | AgentTape | MockModel

/** How the pieces of a stream come: as fast as was recorded, or so many milliseconds apart. Default: at once. */
export type StreamTiming = 'recorded' | number

/** A `fetch` that answers as the models of recordings did. */
export interface ReplayFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Why the run failed: a `TranscriptDivergenceError`, or an error of a handler. Clients only show its text. */
  readonly lastDivergence: Error | undefined
  /**
   * Ends the run.
   *
   * @throws {TranscriptDivergenceError} when a run diverged, or when recorded calls were not requested.
   * @throws {Error} on other failures: a `TypeError` for a request that could not be read, an error of a handler.
   */
  assertComplete(): void
}
