// Written by the tests from the Rust types.
import type { Diagnostic } from './diagnostic.ts'
import type { FormatKind, ImportedResponse, KeptEntry, LostLines, SessionSize } from './import.ts'
import type { Json } from './json.ts'

/** Why files could not be imported. */
export interface ImportProblem {
  /** What is wrong. */
  message: string
  /** The remedy. */
  help: string | null
}

/** The result of importing files of another program. */
export interface ImportResult {
  /** Whether a transcript was made and nothing of the files was unreadable. */
  ok: boolean
  /** What they are, as detection has it; `unknown` when the files are none of what is read. */
  kind: FormatKind | 'unknown'
  /** The transcript as text; null when there is none. One of more than 1 MiB leaves out what its absence means too. */
  text: string | null
  /** The transcript as data, spelled out; null when there is none. */
  transcript: { [key: string]: Json } | null
  /**
   * The sessions that the files are of, by their paths; the conversations of recorded HTTP and of chats, the ids of
   * traces, the ends of the conversations of a session of Claude Code, the samples of an evaluation, the chats or
   * trajectories of a file.
   */
  sessions: string[]
  /** For each of these, the first words of the user, or else its title; empty where neither is known. */
  firstWords: string[]
  /** When a session has to be chosen, and sizes were requested: how much each holds. Otherwise empty. */
  sizes: SessionSize[]
  /** What was made of each file, the main one first; those that were left out come last. */
  files: ImportedFile[]
  /** The responses of a recording. */
  responses: ImportedResponse[]
  /**
   * The responses, or the rules, as a document of mock handlers; null for a format that has none among its `extras`.
   */
  handlers: string | null
  /**
   * The text that the program gives its summarizer, if requested; null for a format that has none among its `extras`.
   */
  summary: string | null
  /** Why there is no transcript. */
  problem: ImportProblem | null
  /** All diagnostics as a compiler prints them. */
  rendered: string
}

/** What was made of a file. Every entry is in exactly one of `used`, `kept` and `streamed`. */
export interface ImportedFile {
  /** What it is, as detection has it. */
  kind: FormatKind | 'unknown'
  /** What is wrong with it. */
  diagnostics: Diagnostic[]
  /** The name of the file, as in the input. */
  path: string
  /** How the entries are laid out; `unread` when the file is left out, and a diagnostic gives the reason. */
  layout: 'lines' | 'array' | 'array and lines' | 'object' | 'empty' | 'unread'
  /** How many entries could be read as data. */
  entries: number
  /** The lines of entries that became messages, calls and results. */
  used: number[]
  /** Entries without a place in a run, kept unchanged in `metadata.recording`. */
  kept: KeptEntry[]
  /**
   * The lines of pieces of a streamed answer or output, and of repeated entries: the log has their content elsewhere.
   */
  streamed: number[]
  /** What could not be read, kept as text in `metadata.recording`. */
  lost: LostLines[]
  /**
   * Entries that were not read exactly, such as a text with half of a character in it: they are also kept as text in
   * `metadata.recording`.
   */
  damaged: LostLines[]
  /** The line that the log ends within, if it does. */
  truncatedLine: number | null
}
