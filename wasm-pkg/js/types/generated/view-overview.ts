// Written by the tests from the Rust types.
import type { Severity } from './diagnostic.ts'
import type { DocumentForm, Unrecognized } from './document.ts'
import type { Span } from './text.ts'

/** What a document is, in one card. */
export interface Overview {
  /** Which way it is written. */
  form: DocumentForm
  /**
   * Whether the file is something else than a transcript, such as the settings of another program: it can be read, and
   * no key of it is one of ours or a slip for one. A walk through a folder passes such files over.
   */
  unrelated: boolean
  /** What was checked, when no mark shows which program wrote the file. */
  unrecognized: Unrecognized | null
  /** The transcript's name, if it has one. */
  name: string | null
  /** Its description. */
  description: string | null
  /** Its tags. */
  tags: string[]
  /** The number of steps, nested ones not counted. */
  steps: number
  /** The number of messages in the store at the end. */
  messages: number
  /** The number of errors. */
  errors: number
  /** The number of warnings. */
  warnings: number
  /** The number of remarks. */
  infos: number
  /** Whether more was found, which is not reported: what cannot be read may be what it misses. */
  hasMoreDiagnostics: boolean
}

/** One row of the step list. Step 0 is the initial state. */
export interface StepRow {
  /** The place in `execution` from 1; 0 is the initial state. */
  index: number
  /** The dotted path, such as `2` or, for a nested step, `2.1`. */
  path: string
  /** The turn number the author gave, else the index. */
  turn: number
  /** What the step is; `unknown` for a turn of no known type. */
  kind: 'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown'
  /** The agent, where the document names one. */
  agent: string | null
  /** The role of the message the step created, if that names one. */
  role: string | null
  /** The text of the message or of the tool's result, as one line of at most 200 characters. */
  summary: string
  /** The tools the model called, or the tool that ran. */
  tools: ToolChip[]
  /** How it went. */
  status: 'ok' | 'failed'
  /** Tokens used, where recorded. */
  tokens: number | null
  /** Whether the step changed the context. */
  changesContext: boolean
  /** Whether the step created a message or changed one's visibility. */
  changesMessages: boolean
  /** The number of steps nested below this one. */
  children: number
  /** How deep the step is nested; 0 at the top. */
  depth: number
  /** The place of the step in the source, in bytes. */
  span: Span
  /** The first line of the step in the source, from 1. */
  line: number
  /** The gravest problem inside the step. */
  problem: Severity | null
  /** The note on the step: the comments above it. */
  note: string | null
}

/** A tool call in one line. */
export interface ToolChip {
  /** The tool's name. */
  name: string
  /** The arguments as one short line. */
  arguments: string
  /** `true` for a tool call without a recorded result; absent otherwise. */
  unanswered?: true
}
