// Written by the tests from the Rust types.
import type { Place } from './text.ts'

/** One agent of a log. */
export interface EventLogAgent {
  /** Its name. */
  name: string
  /** How many events it has. */
  events: number
}

/** An overview of a log. */
export interface EventLogOverview {
  /** Whether it has no errors, so that it can be replayed. */
  ok: boolean
  /** How it is laid out. */
  shape: 'lines' | 'list' | 'recording'
  /** How many events it has. */
  events: number
  /** How many of them have a place in the order; the others wait for a cycle. */
  ordered: number
  /** How many followed from nothing. */
  roots: number
  /** How many layers there are. */
  layers: number
  /** The number of errors, including those that are not listed. */
  errors: number
  /** How many warnings there are. */
  warnings: number
  /** The agents, in the order in which they first come. */
  agents: EventLogAgent[]
}

/** Why of two events the one comes before the other. */
export interface EventPair {
  /** The id of the one that comes first. */
  first: string
  /** The id of the other. */
  second: string
  /**
   * `follows` when the second followed from the first; `tie` when neither did and both were ready; `waits` when the
   * second still waited.
   */
  relation: 'follows' | 'tie' | 'waits'
  /**
   * Of `follows`: the ids of the events by way of which the second followed from the first, both among them. Of
   * `waits`: the event that the second waited for.
   */
  by: string[]
  /** The reason, in a sentence. */
  reason: string
}

/** An event as a row. Places and layers count from 1. */
export interface EventRow {
  /** The place in the order; null of what waits for a cycle. */
  place: number | null
  /** The layer; null of what waits for a cycle. */
  layer: number | null
  /** The id; empty when it cannot be read. */
  id: string
  /** The type as it is written. */
  type: string
  /** The agent. */
  agent: string
  /** The event it followed from, as it is named. */
  parent: string | null
  /** The places in the order of the events that it followed from. */
  after: number[]
  /** A summary in a few words: `to alice`, `lookup`, `idle -> running`. */
  summary: string
  /** The clock of its process, as it is written. */
  timestamp: string | null
  /** Its place. */
  at: Place
}

/** The reason for the position of an event. */
export interface EventTie {
  /** The event. */
  id: string
  /** Its place, from 1. */
  place: number
  /** Its layer, from 1, in the order by layers. */
  layer: number | null
  /** The ids of the events that were ready, in their order, itself among them; at most fifty. */
  ready: string[]
  /** How many were ready. */
  readyCount: number
  /** The parent that made it ready. */
  freedBy: string | null
  /** The reason, in a sentence. */
  reason: string
}
