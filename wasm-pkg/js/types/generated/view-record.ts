// Written by the tests from the Rust types.
import type { RecordProblem } from './record.ts'

/** What was recorded, as texts. */
export interface FinishedRecording {
  /** The transcript. */
  text: string
  /** Whether it has the compact form. */
  isCompact: boolean
  /** The nested runs that have files of their own. */
  files: RecordedFile[]
  /** What was wrong, in the order of the facts. */
  problems: RecordProblem[]
  /** What the compact form cannot express, if it was requested. */
  losses: string[]
}

/** A recording of a journal. */
export interface JournalRecording {
  /** Its id, if it has one. */
  id: string | null
  /** The name of its transcript, if it has one. */
  name: string | null
  /** Its creation time, if it has one. */
  created: string | null
  /** The line it begins with, from 1. */
  line: number
  /** How many facts it has. */
  facts: number
}

/** The events between agents, as texts. */
export interface RecordedEvents {
  /** The log, a line of JSON for each event. */
  log: string
  /** A recording of `AgentLoom` with the events under `_inter_agent_events`, as JSON. */
  recording: string
}

/** A nested run in a file of its own. */
export interface RecordedFile {
  /** Its path, relative to the transcript, by which the transcript refers to it. */
  path: string
  /** Its text. */
  text: string
}
