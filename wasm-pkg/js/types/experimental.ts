// What may still change: logs of events, their order, and the proof that they replay the same each time.
import type {
  EventFailure, EventLogOverview, EventPair, EventRow, EventTie, ReplaySummary, TraceDivergence,
} from './generated/index.ts'
import type { Diagnostic, Json, Source } from './index.ts'

export type {
  EventFailure, EventLogAgent, EventLogOverview, EventPair, EventRow, EventTie, ReplaySummary, TraceDivergence,
} from './generated/index.ts'

/** The types of events that are known. */
export type EventType = 'task_sent' | 'task_received' | 'response_sent' | 'tool_call' | 'tool_return' | 'state_transition'
/** How a log is ordered: event by event (`kahn`, the default), or in layers of events that are ready at the same time. */
export type EventOrder = 'kahn' | 'layers'

/** An event that is written. Times beyond 2^53 are a BigInt. */
export interface EventInput {
  event_id: string
  type: EventType | (string & {})
  agent_id: string
  timestamp_ns: number | bigint
  parent_event_id: string | null
  /** Default: computed from the payload. */
  payload_hash?: string
  also_after?: string[]
  [key: string]: unknown
}

/** What a live tool receives in addition to its arguments. */
export interface EventToolCall {
  event: string
  agent: string
  callId?: string
}

/** A tool that a replay runs. It receives the arguments as they were recorded, and returns data. */
export type EventTool = (parameters: any, call: EventToolCall) => unknown

/** The outcome of a replay. */
export interface EventReplay extends ReplaySummary {
  /** Lines of JSON in the form of RFC 8785. */
  trace: string
  /** Whether a tool or a handler did not answer in time, and the replay ended there. */
  timedOut: boolean
}

/** What answers for an agent: a model, such as `mockModel()` makes, which is reset first, or a function. */
export type EventHandler =
  | { call(request: { messages: any[] }): Promise<{ content: unknown; tool_calls?: any }>; reset?(): void }
  | ((messages: any[], call: { agent: string }) => unknown)

/** An opened log. */
export interface EventLog {
  /** Whether it has no errors; one with errors is shown, not replayed. */
  readonly ok: boolean
  readonly diagnostics: Diagnostic[]
  /** What the log is: its layout and its counts. */
  readonly overview: EventLogOverview
  /** The names of the tools that are called. */
  readonly tools: string[]
  readonly agents: string[]
  render(options?: { color?: boolean }): string
  order(options?: { order?: EventOrder }): string[]
  layers(): string[][]
  rows(options?: { order?: EventOrder; from?: number; count?: number }): EventRow[]
  event(id: string): { [key: string]: Json } | undefined
  /** The causes of an event, nearest first. */
  past(id: string): string[] | undefined
  /** The effects of an event, nearest first. */
  future(id: string): string[] | undefined
  /** Why the event is at this place, from 1. */
  explain(place: number, options?: { order?: EventOrder }): EventTie | undefined
  /** Why one of two events comes first; undefined when an event is missing, or both are the same. */
  between(one: string, other: string, options?: { order?: EventOrder }): EventPair | undefined
  shuffled(seed: number): string
  /**
   * The text of a recording of AgentLoom with these events under `_inter_agent_events`; all else in it stays as it is, byte for
   * byte. Events that the recording has are a `problem` unless `replace` is set.
   */
  nest(
    recording: Source,
    options?: { replace?: boolean },
  ): { text: string; problem: null } | { text: null; problem: { message: string; help: string | null } }
  replay(options?: {
    order?: EventOrder
    tools?: { [name: string]: EventTool }
    /** Handlers of agents; all others give the recorded responses. */
    handlers?: { [agent: string]: EventHandler }
    /** The time limit of a tool or a handler, in milliseconds. Default: 60 000; 0 for none. */
    timeout?: number
  }): Promise<EventReplay>
  free(): void
}

/** The outcome of a determinism check. */
export interface Verification {
  /** Whether the log has events, their traces are the same and no replay failed. */
  ok: boolean
  /** Whether the log could be replayed at all. */
  readable: boolean
  identical: boolean
  divergence: TraceDivergence | null
  /** The number of the run that differs from the first, from 2; null when none does. */
  differingRun: number | null
  /** Whether a run was made in a thread with a wasm of its own and another clock. */
  isolated: boolean
  events: number
  failed: number
  failures: EventFailure[]
  timedOut: boolean
  /** The number of tool results and responses of handlers that differ from the log. */
  changedResults: number
  /** How many tool calls were run again. */
  toolCallCount: number
  answered: number
  runs: number
  /** Probable mistakes: a log without events, tools and handlers that it never calls. */
  warnings: string[]
  diagnostics: Diagnostic[]
}

/** The type of `verifyDeterminism`. */
export type VerifyDeterminism = (
  source: Source,
  options?: {
    order?: EventOrder
    maxBytes?: number
    /** The number of replays. Default: 2, and 3 with modules. */
    runs?: number
    /** Decides how the lines are shuffled. */
    seed?: number
    /** Functions by their names, or in Node a module that exports them. */
    tools?: { [name: string]: EventTool } | string | URL
    /** What answers for agents, by their names, or in Node a module that exports it, or a document with handlers. */
    handlers?: { [agent: string]: EventHandler } | string | URL
    /**
     * The time limit of a tool or a handler, in milliseconds. Default: 60 000; 0 for none. In Node an endless loop
     * is ended as well, unless it begins after an `await`.
     */
    timeout?: number
    /** Isolate the second run also where there are no modules. */
    isolate?: boolean
    /** Stops the check, which throws the signal's reason. */
    signal?: AbortSignal
    /** Receives the number of runs that are done, from 0. */
    onProgress?: (progress: { phase: 'run'; done: number; total: number }) => void
  },
) => Promise<Verification>
