// The runs of a proof, and what only a platform with threads does for them.
import type { EventHandler, EventLog, EventOrder, EventReplay, EventTool } from '../types/experimental.ts'

/** How a log is replayed. */
export type ReplayOptions = NonNullable<Parameters<EventLog['replay']>[0]>

/** What the module replays by: the tools that are run, and the agents for which handlers answer. */
export interface ReplaySettings {
  order: EventOrder
  live: string[]
  agents: string[]
}

/** A run for a proof: fingerprints of its trace, and everything that is needed to write any line of it again. */
export interface ProofRun extends Omit<EventReplay, 'trace'> {
  fingerprints: string[]
  settings: ReplaySettings
  /** The outcomes of tools and handlers, as JSON text. */
  outcomes: string[]
}

/** What may be in a module. */
export type ModuleName = 'tools' | 'handlers'

/** The outcome of a thread: a run, a module that it could not load, or why it ended before it was done. */
export type ThreadResult =
  | (ProofRun & { unloaded?: undefined; ended?: undefined })
  | { unloaded: ModuleName; reason: string; ended?: undefined }
  | { unloaded?: undefined; ended: string }

/** What a platform with threads does for proofs. */
export interface Proof {
  /** The address of a module that is named by a path or an address. */
  addressOf(module: string | URL): string
  runInThread(bytes: Uint8Array<ArrayBuffer>, data: object, signal: AbortSignal | undefined): Promise<ThreadResult>
  /** What `work` gives, unless it keeps the thread for longer than so many milliseconds. */
  runWithTimeout(timeout: number, work: () => unknown, onTimeout: () => never): unknown
  toolsIn(address: string, agents: string[]): Promise<{ [name: string]: EventTool }>
  handlersIn(address: string, agents: string[]): Promise<{ [agent: string]: EventHandler }>
}

/** An opened log, and the functions that a proof needs. */
export interface OpenedLog {
  log: EventLog
  proofRun(options: ReplayOptions): Promise<ProofRun>
  /** Some lines of the trace of such a run. */
  traceLines(run: ProofRun, from: number, count: number): string
  shuffled(seed: number): Uint8Array<ArrayBuffer>
  free(): void
}
