// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** A place at which the replay could not do what the log records. */
export interface EventFailure {
  /** The id of the event, or the step. */
  event: string
  /** The problem, as a clause. */
  message: string
}

/** The results of a replay, in addition to its trace. */
export interface ReplaySummary {
  /** How many events were replayed. */
  events: number
  /** How often a tool was run. */
  toolCallCount: number
  /** How often a handler answered. */
  answered: number
  /** How many of these tools and answers gave a different result than recorded. */
  changedResults: number
  /** How many failures there were. */
  failed: number
  /** The first of them. */
  failures: EventFailure[]
}

/** The first difference of two traces. */
export interface TraceDivergence {
  /** The line of the traces, from 1. */
  line: number
  /** The event, by the first trace that has it; none when a trace ends or differs before or after its events. */
  event: string | null
  /** The field, as a path: `outcome.result.temp`. Empty when one of the traces has no such line. */
  field: string
  /** What the first trace has there; null when it has nothing. */
  first: Json
  /** The value in the second trace. */
  second: Json
  /** A unified diff of the lines around. */
  diff: string
}
