// What may still change: logs of events, their order, and the proof that they replay the same each time.
import type { Diagnostic, Json, Place, Source } from './index.js'

/** The `$id` of the JSON Schema of an event, `transcript-workbench/schema/event.schema.json`. */
export const SCHEMA_URI: string

export type EventType = 'task_sent' | 'task_received' | 'response_sent' | 'tool_call' | 'tool_return' | 'state_transition'
export type EventOrder = 'kahn' | 'layers'

/** An event that is written. Times beyond 2^53 are given as a BigInt. */
export interface EventInput {
  event_id: string
  type: EventType | (string & {})
  agent_id: string
  timestamp_ns: number | bigint
  parent_event_id: string | null
  /** Worked out of the payload when it is left out. */
  payload_hash?: string
  also_after?: string[]
  [key: string]: unknown
}

/** What a log is. */
export interface EventLogCard {
  ok: boolean
  shape: 'lines' | 'list' | 'recording'
  events: number
  ordered: number
  roots: number
  layers: number
  errors: number
  warnings: number
  agents: { name: string; events: number }[]
}

/** An event as a row; places and layers count from 1. */
export interface EventRow {
  place: number | null
  layer: number | null
  id: string
  type: string
  agent: string
  parent: string | null
  /** The places of the events that it followed from. */
  after: number[]
  summary: string
  timestamp: string | null
  at: Place
}

/** Why an event stands where it does. */
export interface EventTie {
  id: string
  place: number
  layer: number | null
  ready: string[]
  readyCount: number
  freedBy: string | null
  why: string
}

/** What a live tool is told beside its arguments. */
export interface EventToolCall {
  event: string
  agent: string
  callId?: string
}

/** A tool that a replay runs. It is given the arguments as they were recorded, and returns data. */
export type EventTool = (parameters: any, call: EventToolCall) => unknown

/** A place at which a replay could not do what the log says. */
export interface EventFailure {
  event: string
  message: string
}

/** What came of a replay. */
export interface EventReplay {
  /** Lines of JSON in the form of RFC 8785. */
  trace: string
  events: number
  /** How often a tool was run. */
  ran: number
  /** How many of these gave something else than the log has the hash of. */
  drifted: number
  failed: number
  failures: EventFailure[]
}

/** An opened log. */
export interface EventLog {
  /** Whether it has no errors; one with errors is shown, not replayed. */
  readonly ok: boolean
  readonly diagnostics: Diagnostic[]
  readonly card: EventLogCard
  /** The names of the tools that are called. */
  readonly tools: string[]
  render(options?: { color?: boolean }): string
  order(options?: { order?: EventOrder }): string[]
  layers(): string[][]
  rows(options?: { order?: EventOrder; from?: number; count?: number }): EventRow[]
  event(id: string): { [key: string]: Json } | undefined
  /** What an event followed from, nearest first. */
  past(id: string): string[] | undefined
  /** What followed from an event, nearest first. */
  future(id: string): string[] | undefined
  /** Why the event at a place, from 1, stands there. */
  explain(place: number, options?: { order?: EventOrder }): EventTie | undefined
  shuffled(seed: number): string
  replay(options?: { order?: EventOrder; tools?: { [name: string]: EventTool } }): Promise<EventReplay>
  free(): void
}

/** The first difference of two traces. */
export interface TraceDivergence {
  line: number
  event: string | null
  field: string
  first: Json
  second: Json
  diff: string
}

/** What came of a proof. */
export interface Verification {
  /** Whether the traces are the same and no replay failed. */
  ok: boolean
  /** Whether the log could be replayed at all. */
  readable: boolean
  identical: boolean
  divergence: TraceDivergence | null
  failures: EventFailure[]
  drifted: number
  ran: number
  runs: number
  diagnostics: Diagnostic[]
}

/** Opens a log: lines of JSON, a list, or a recording with `_inter_agent_events`. */
export function readEvents(source: Source, options?: { maxBytes?: number }): EventLog

/** The text of events, one a line. */
export function writeEvents(events: EventInput[]): string

/** The ids of the events in order; none when the log has errors. */
export function orderEvents(
  source: Source,
  options?: { order?: EventOrder; maxBytes?: number },
): { ok: boolean; diagnostics: Diagnostic[]; ids: string[] }

/** The hash of a payload: the first 16 hexadecimal digits of the SHA-256 of what Python writes of it. */
export function payloadHash(payload: unknown): string

/** Where two traces part; null when they are the same. */
export function compareTraces(first: string, second: string): TraceDivergence | null

/** Replays a log several times, with its events in other lines each time, and compares what comes of it. */
export function verifyDeterminism(
  source: Source,
  options?: {
    order?: EventOrder
    maxBytes?: number
    /** How often it is replayed, 2 unless set. */
    runs?: number
    /** Decides how the lines are shuffled. */
    seed?: number
    tools?: { [name: string]: EventTool }
  },
): Promise<Verification>
