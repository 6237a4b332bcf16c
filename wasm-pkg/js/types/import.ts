// The types of the files of other programs: logs that are read, and logs that are written.
import type { FormatName, ImportProblem, RepairedLog as Repaired } from './generated/index.ts'
import type { Options } from './index.ts'

export type {
  Drift, FormatKind, FormatName, ImportedFile, ImportProblem, ImportResult, KeptEntry, LostLines, ImportedResponse, RepairNote,
  SessionSize,
} from './generated/index.ts'

/** How files of another program are imported. */
export interface ImportOptions extends Options {
  /** The format of the files. Default: detected from their content. */
  from?: FormatName
  /**
   * Which session, if the files have several: of recorded HTTP and chats the conversation, of traces the trace, of
   * Claude Code the `uuid` of the conversation's last record.
   */
  session?: string
  /** How `text` and `handlers` are written. Default: `yaml`. */
  format?: 'yaml' | 'json'
  /** Whether `summary` is wanted. */
  summary?: boolean
  /** Whether `sizes` is wanted, if a session has to be chosen. All sessions are read for it. */
  sizes?: boolean
  /** Whether `rendered` has colors. */
  color?: boolean
}

/** A request, as AgentLoom hashes it. What is absent counts as null, and `extra` as an empty object. */
export interface HashedRequest {
  /** Its step, which is not hashed. */
  step_id?: string | null
  messages: unknown[]
  model: string
  temperature?: number | null
  max_tokens?: number | null
  extra?: { [key: string]: unknown } | null
  [key: string]: unknown
}

/** A repaired log. */
export interface RepairedLog extends Omit<Repaired, 'text'> {
  /** Whether nothing was left out. */
  ok: boolean
  /** The events, one a line; null when this is no log that can be repaired. */
  text: string | null
  /** Why there is no text. */
  problem: ImportProblem | null
}

/** The formats of qbit's logs: that of today, that of releases before February 2026, and the plan before both. */
export type LogFormat = 'lines' | 'array' | 'plan'

/** How a log is written. */
export interface WriterOptions {
  /** Default: `lines`. */
  format?: LogFormat
  /** Receives what cannot be written. Default: the console. What it throws is ignored. */
  onError?: (error: unknown, about: { path: string; event?: unknown }) => void
  /** The time of an event. Default: the clock of the machine. */
  clock?: () => Date | number
  /** Whether pieces of streamed responses and output are written as well. */
  streamed?: boolean
  /** The agent of this log, with `call`, the call that started it. */
  agent?: string
  call?: string
}
