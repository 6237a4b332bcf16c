// The types of the files of other programs: logs that are read, and logs that are written.
import type { FormatKind, FormatName } from './formats.d.ts'
import type { Diagnostic, Json, Options } from './index.ts'

/** How files of another program are imported. */
export interface ImportOptions extends Options {
  /** The format of the files. Default: detected from their content. */
  from?: FormatName
  /**
   * Which session, where the files are of several; of recorded HTTP and chats which conversation, of traces which trace, of a session of
   * Claude Code the `uuid` of the record that the conversation ends at.
   */
  session?: string
  /** How `text` and `handlers` are written. Default: `yaml`. */
  format?: 'yaml' | 'json'
  /** Whether `summary` is wanted. */
  summary?: boolean
  /** Whether `rendered` has colours. */
  color?: boolean
}

/** What was made of a file. Every entry is in exactly one of `used`, `kept` and `streamed`. */
export interface ImportedFile {
  kind: FormatKind | 'unknown'
  /** The name of the file, as in the input. */
  path: string
  /** `unread`: the file is left out, and a diagnostic gives the reason. */
  layout: 'lines' | 'array' | 'array and lines' | 'object' | 'empty' | 'unread'
  /** How many entries could be read as data. */
  entries: number
  /** The lines of those that became messages, calls and results. */
  used: number[]
  /** Those that a run has no place for, kept as they are in `metadata.recording`. */
  kept: { line: number; kind: string }[]
  /** The lines of pieces of a streamed answer or output, and of repetitions: their content stands elsewhere in the log. */
  streamed: number[]
  /** What could not be read, kept as text in `metadata.recording`. */
  lost: { line: number; endLine: number }[]
  /** What was read, though not to the letter, such as half of a character: kept as text in `metadata.recording` as well. */
  damaged: { line: number; endLine: number }[]
  /** The line in whose midst the log ends, if it does. */
  cut: number | null
  diagnostics: Diagnostic[]
}

/** An answer of a recording. */
export interface RecordedAnswer {
  /** The key it stands under: the name of a step, or the hash of the request. */
  key: string
  isHash: boolean
  /** Which turn of the step it is, from 1, where the step has a list of them. */
  turn: number | null
  line: number
  model: string | null
  provider: string | null
  content: string | null
  toolCalls: { [key: string]: Json }[]
  usage: { [key: string]: Json } | null
  costUsd: number | null
  latencyMs: number | null
  finishReason: string | null
  requestHash: string | null
  /** How many embeddings it has, when it is no answer but embeddings. */
  embeddings: number | null
  /** Whether the file has no more of it than this: it was cut, or is broken behind it. */
  isIncomplete: boolean
  /** The entry as it is. */
  entry: { [key: string]: Json }
}

/** The result of importing files of another program. */
export interface ImportResult {
  /** Whether a transcript was made and nothing of the files was unreadable. */
  ok: boolean
  kind: FormatKind | 'unknown'
  /** The transcript as text; null when there is none. One of more than 1 MiB leaves out what its absence means too. */
  text: string | null
  /** The transcript as data, spelled out; null when there is none. */
  transcript: { [key: string]: Json } | null
  /**
   * The sessions that the files are of, by their paths; the conversations of recorded HTTP and of chats, the ids of traces, the ends of
   * the conversations of a session of Claude Code, the samples of an evaluation,
   * the chats or trajectories of a file.
   */
  sessions: string[]
  /** For each of these, the first words of the user, or else its title; empty where neither is known. */
  firstWords: string[]
  /** What was made of each file, the main one first; those that were left out come last. */
  files: ImportedFile[]
  /** The answers of a recording. */
  answers: RecordedAnswer[]
  /** The answers, or the rules, as a document of mock handlers; null for a format that has none among its `extras`. */
  handlers: string | null
  /** The text that the program gives its summarizer, if requested; null for a format that has none among its `extras`. */
  summary: string | null
  /** Why there is no transcript. */
  problem: { message: string; help: string | null } | null
  /** All diagnostics as a compiler prints them. */
  rendered: string
}

/** A request, as AgentLoom hashes it. What is absent counts as null, and `extra` as an empty object. */
export interface HashedRequest {
  /** The step it is of, which is not hashed. */
  step_id?: string | null
  messages: unknown[]
  model: string
  temperature?: number | null
  max_tokens?: number | null
  extra?: { [key: string]: unknown } | null
  [key: string]: unknown
}

/** How a request stands to a recording. */
export interface Drift {
  /** Which request it is, from 1. */
  request: number
  step: string | null
  /** `missing`: the recording has no answer; `unchecked`: it has no hash to compare. */
  status: 'same' | 'changed' | 'missing' | 'unchecked'
  /** The line of the answer. */
  line: number | null
  /** The hash in the recording. */
  recorded: string | null
  /** The hash of the request. */
  now: string
  /** The field that changed, where it is known: with `was` in it the request has the recorded hash. */
  field: 'messages' | 'model' | 'temperature' | 'max_tokens' | 'extra' | null
  was: Json | null
  is: Json | null
}

/** A part of a log that `repairLog` left out or changed. */
export interface RepairNote {
  /** Its first and its last line, from 1. */
  line: number
  endLine: number
  /** Why. */
  message: string
  /** The part as it stands in the log. */
  text: string
}

/** A repaired log. */
export interface RepairedLog {
  /** Whether nothing was left out. */
  ok: boolean
  /** The events, one a line; null when this is no log that can be repaired. */
  text: string | null
  events: number
  /** How the log was laid out. */
  layout: 'lines' | 'array' | 'array and lines' | 'empty'
  leftOut: RepairNote[]
  changed: RepairNote[]
  /** Why there is no text. */
  problem: { message: string; help: string | null } | null
}

/** The formats of qbit's logs: that of today, that of releases before February 2026, and the plan before both. */
export type LogFormat = 'lines' | 'array' | 'plan'

/** How a log is written. */
export interface WriterOptions {
  /** Default: `lines`. */
  format?: LogFormat
  /** Receives what cannot be written; without it the console does. What it throws is dropped. */
  onError?: (error: unknown, about: { path: string; event?: unknown }) => void
  /** The time of an event. Default: the clock of the machine. */
  clock?: () => Date | number
  /** Whether pieces of streamed answers and output are written as well. */
  streamed?: boolean
  /** The agent whose log this is, with `call`, the call that began it. */
  agent?: string
  call?: string
}
