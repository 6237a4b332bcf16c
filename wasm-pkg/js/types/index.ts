// What the functions of the package take and give.
export type * from './author.ts'
export type * from './builder.ts'
export type * from './check.ts'
export type * from './export.ts'
export type * from './formats.d.ts'
export type * from './generate.ts'
export type * from './import.ts'
export type * from './mock.ts'
export type * from './record.ts'
export type * from './simulate.ts'
export type * from './tape.ts'
export type * from './travel.ts'
export type * from './run-twice.ts'

import type { ActualRun, Check } from './check.ts'
import type { FormatKind } from './formats.d.ts'

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * A transcript: its text, the bytes of its file, or either with the name of the file for the diagnostics.
 *
 * Bytes may be in gzip for every call in Node, Deno and Bun, and for `replay` everywhere. In pages and workers the
 * other calls cannot wait for the platform to decompress them; they answer with a diagnostic about that.
 */
export type Source = string | Uint8Array | { text: string; file?: string } | { bytes: Uint8Array; file?: string }

/** Bounds against hostile input. What is hit is named in a diagnostic. */
export interface Limits {
  /** The largest document, in bytes of UTF-8. Default: 32 MiB. */
  maxBytes?: number
  /** The deepest nesting of lists and maps. Default: 200; at most 400. */
  maxDepth?: number
  /** The most nodes that YAML aliases may add. Default: 100 000. */
  maxAliasNodes?: number
  /** The most bytes of texts and keys that YAML aliases may add. Default: 8 MiB. */
  maxAliasBytes?: number
  /** The most messages that the full form of a compact transcript may name as sent to the model. Default: 1 000 000. */
  maxExpanded?: number
}

/** What a rule is set to: the severity of its diagnostics, or `off`. */
export type Level = Severity | 'off'

/** What every call takes that reads a document. */
export interface Options extends Limits {
  /** The levels of rules, by code or name, such as `{ T204: 'off' }`: what `readProject` gives. */
  rules?: { [rule: string]: Level }
  /** The texts of other files that the document names, by `references[].path`. */
  files?: { [path: string]: string }
}

/** How grave a diagnostic is: whether the document cannot be replayed as meant, probably is not, or is only remarked on. */
export type Severity = 'error' | 'warning' | 'info'

/** One thing found in a document, with its place. */
export interface Diagnostic extends Place {
  /** The name of the file, as in the input. */
  file: string
  /** The code of the rule, such as `T201`. */
  code: string
  severity: Severity
  /** What is wrong, in one line. */
  message: string
  /** The remedy, where one is known. */
  help: string | null
  /** Other places that explain it. */
  related: { message: string; line: number; column: number; offset: number; endOffset: number }[]
  /** Edits that would fix it; `safe` ones may be applied without review. */
  fixes: Fix[]
}

/** Edits that mend a diagnostic. */
export interface Fix {
  /** What it does. */
  title: string
  applicability: 'safe' | 'suggested'
  /** The edits in order of place. */
  edits: Edit[]
}

/** What stands between two places becomes `text`. Places are bytes of UTF-8. */
export interface Edit {
  offset: number
  endOffset: number
  text: string
}

/** A piece of a text. Lines and columns count from 1, columns in characters (Unicode scalar values); ends are exclusive. */
export interface Place {
  line: number
  column: number
  endLine: number
  endColumn: number
  /** In bytes of UTF-8. */
  offset: number
  /** In bytes of UTF-8. */
  endOffset: number
}

/** What `validate` found. */
export interface Validation {
  /** Whether there is no error; warnings and remarks may be there. */
  ok: boolean
  /** Everything found, in the order of the text. */
  diagnostics: Diagnostic[]
}

/** What `expand` made. */
export interface Expansion {
  /** Whether there is no error. A document with errors may still be expanded as far as it is understood. */
  ok: boolean
  /** The full transcript in the requested format; null for `object`, when the document cannot be read, and beyond `maxExpanded`. */
  text: string | null
  /** The full transcript as data; null when the document cannot be read. Numbers are those of JavaScript. */
  transcript: { [key: string]: Json } | null
  /** Everything found, in the order of the text. */
  diagnostics: Diagnostic[]
}

/** What of a full form is written once, or elsewhere. */
export interface WriteOptions {
  /** Writes content that repeats once, in `blobs`: `true` for what is larger than 256 bytes, or that number. */
  dedupe?: boolean | number
  /** Writes the runs of other agents in their places, in `nested` by reference, or by reference above so many bytes. */
  nested?: 'inline' | 'reference' | number
}

/** What kind of document a source is. */
export interface Detection {
  kind: 'full' | 'partial' | 'compact' | 'handlers' | 'event-log' | 'unknown' | FormatKind
  /** `likely` when the text is not well-formed, or lacks what the kind has; `none` for an unknown kind. */
  confidence: 'certain' | 'likely' | 'none'
  /** The reason, in words. */
  reason: string
  /** What was checked, when no mark shows which program wrote the file. */
  unrecognised?: Unrecognised
}

/** What was looked at in a file of no known format. */
export interface Unrecognised {
  syntax: 'json' | 'jsonl' | 'yaml' | 'markdown' | 'text'
  /** The items of a list, the lines of JSON Lines, Markdown and text; 1 for a map. */
  records: number
  /** The first keys of the first record. */
  keys: string[]
  /** The first line that its syntax does not allow, from 1. */
  brokenLine: number | null
  /** The known formats that come nearest, by their keys. */
  nearest: { format: string; has: string[]; lacks: string[] }[]
}

/** A format of other programs that `importLog` reads. */
export interface ImportFormat {
  /** The kind of its files, as `detect` returns it. */
  kind: FormatKind
  /** What `from` takes for it, the usual name first. Empty for files that belong to those of another format. */
  names: string[]
  /** Its name for people; empty for a format of which no transcript is made by itself. */
  title: string
  /** Its files in a list of all formats; empty if the entry of another format covers them. */
  plural: string
  /** How its files belong together: those of `sessions` and of a `set` are read at once, a `companion` with its `lead`. */
  files: 'sessions' | 'set' | 'folder' | 'alone' | 'lead' | 'companion'
  /**
   * What its files have besides a run: `events`, a log of events; `handlers`, answers for a mock; `summary`, the text for the
   * summarizer of the program. `repair` where `repairLog` repairs damaged ones.
   */
  extras: ('events' | 'handlers' | 'summary' | 'repair')[]
}

/** The settings of a project. */
export interface Project {
  /** Whether they can be used. */
  ok: boolean
  /** The levels of rules by code, for the option `rules`. Settings at fault are left out. */
  rules: { [code: string]: Level }
  /** What is wrong with them. */
  diagnostics: Diagnostic[]
  /** The same as a compiler prints it. */
  rendered: string
}

/** An open transcript. */
export interface TranscriptDocument {
  /** Whether there is no error. */
  readonly ok: boolean
  /** Whether the whole text could be read as a transcript. */
  readonly readable: boolean
  /** Everything found, in the order of the text. */
  readonly diagnostics: Diagnostic[]
  /** What the document is, in one card. */
  readonly overview: Overview
  /** The rows of the step list; step 0 is the initial state, nested steps follow their parent. */
  readonly steps: StepRow[]
  /**
   * Everything to be seen at one step.
   *
   * @param path `'2'`, or `'2.1'` for a nested step; a number is a step of the top level.
   * @throws RangeError when there is no such step.
   */
  step(path: string | number): StepDetail
  /**
   * The state after a step of the top level; 0 is the initial state.
   *
   * @throws RangeError when there is no such step.
   */
  state(step: number | string): StepState
  /**
   * What changed from the state after a step to that after another of the same run, which may come before it. It costs
   * what the steps in between did, however long the run.
   *
   * @param from `2`, or `'2.1'` in the run of another agent.
   * @throws RangeError when there are no such steps, or they are of different runs.
   */
  changes(from: number | string, to: number | string): StateChanges
  /** The outcomes of the assertions, held against the document's own run. */
  check(options?: { color?: boolean }): Check
  /** The same against an actual run. */
  checkRun(run: ActualRun, options?: { color?: boolean }): Check
  /** The full transcript as text; null when the document cannot be read, or beyond the limit `maxExpanded`. */
  expand(format?: 'yaml' | 'json', options?: WriteOptions): string | null
  /** The other files that the document names, through others too: what the option `files` may give. */
  readonly references: FileReference[]
  /** The diagnostics as a compiler prints them, each with its source line. */
  render(options?: { color?: boolean }): string
  /** Why there is no full form though the document can be read, as a compiler prints it; else an empty text. */
  renderRefusal(options?: { color?: boolean }): string
  /** Frees the document's memory now, instead of with the object. It answers nothing afterwards. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** A file that a document names. */
export interface FileReference {
  /** Relative to the document, with `/` between folders. */
  path: string
  /** Whether `files` has its text. */
  provided: boolean
  /** Where it is named, from 1. */
  line: number
  column: number
  /** In bytes of UTF-8. */
  offset: number
  endOffset: number
}

/** A document's card. */
export interface Overview {
  /** Which way it is written. */
  form: 'full' | 'partial' | 'compact' | 'handlers' | 'unknown'
  /** Whether the file is something else than a transcript, such as the settings of another program. */
  foreign: boolean
  /** What was checked, when no mark shows which program wrote it. */
  unrecognised: Unrecognised | null
  name: string | null
  description: string | null
  tags: string[]
  /** Nested steps are not counted. */
  steps: number
  /** In the store, at the end. */
  messages: number
  errors: number
  warnings: number
  infos: number
  /** Whether more was found that is held back: what cannot be read may be what it misses. */
  heldBack: boolean
}

/** One row of the step list. */
export interface StepRow {
  /** The place in `execution` from 1; 0 is the initial state. */
  index: number
  /** `'2'`, or `'2.1'` for a nested step. */
  path: string
  /** The number that the author gave, else the index. */
  turn: number
  kind: 'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown'
  agent: string | null
  /** The role of the message that the step created. */
  role: string | null
  /** The message or the tool's result in one line. */
  summary: string
  /** The tools that the model called, or the tool that ran. `unanswered` is there where no result of a call is recorded. */
  tools: { name: string; arguments: string; unanswered?: true }[]
  status: 'ok' | 'failed'
  tokens: number | null
  changesContext: boolean
  changesMessages: boolean
  /** The number of steps nested below. */
  children: number
  /** 0 at the top. */
  depth: number
  /** The place in the text, in bytes of UTF-8. */
  span: { start: number; end: number }
  line: number
  /** The gravest problem in the step. */
  problem: Severity | null
}

/** A call of a tool, as the model requested it. */
export interface ToolCall {
  id: string
  name: string
  /** Data; a text when it is not JSON. */
  arguments: Json
}

/** One message of the store after a step. */
export interface MessageView {
  id: string
  role: string
  content: string | null
  toolCalls: ToolCall[]
  toolCallId: string | null
  toolName: string | null
  agent: string | null
  /** Whether the model can see it. */
  visible: boolean
  createdHere: boolean
  visibilityChangedHere: boolean
  /** The path of the step that hid it, when it is hidden and was not so from its start. */
  hiddenSince: string | null
}

/** One step in three layers. */
export interface StepDetail {
  row: StepRow
  /** The agent's context after the step, and what the step did to it. */
  state: {
    context: { [key: string]: Json }
    changes: { key: string; kind: 'added' | 'changed' | 'removed'; before: Json; after: Json }[]
  }
  /** The message store after the step. */
  flow: { store: MessageView[]; visible: string[] }
  /** What the model was sent and answered, at a step that called it. */
  llm: {
    sent: { id: string | null; role: string; content: string | null; toolCalls: ToolCall[]; transformed: boolean }[] | null
    /** Ids of messages that were in the store and were not sent. */
    withheld: string[]
    config: { [key: string]: Json }
    content: string | null
    toolCalls: ToolCall[]
    reasoning: string | null
    refusal: string | null
    usage: Json
    error: Json
  } | null
  /** The tool, at a step that ran one. */
  tool: { id: string | null; name: string; parameters: Json; result: Json; success: boolean; error: string | null } | null
  /** The step as the full transcript has it. */
  raw: Json
}

/** The state after a step, in the words of the file. */
export interface StepState {
  context: { [key: string]: Json }
  /** The contexts that agents have of their own, by agent, where any has. */
  agents?: { [agent: string]: { [key: string]: Json } }
  /** Whole messages, oldest first. */
  store: { [key: string]: Json }[]
  /** Ids of the messages that the model can see. */
  visible: string[]
  /** What the model was sent in this step; null when it was not called, or this is not recorded. */
  sent: { [key: string]: Json }[] | null
}

/** What is different after one step from what was after another. */
export interface StateChanges {
  from: string
  to: string
  /** The keys of the context with another value. */
  context: StepDetail['state']['changes']
  /** The same of the contexts that agents have of their own, by agent, where any has changed. */
  agents?: { [agent: string]: StepDetail['state']['changes'] }
  /** The messages that were added to the store, oldest first. */
  stored: StoredMessage[]
  /** The messages that are not in it yet, when the other step comes before. */
  gone: StoredMessage[]
  /** The messages that were hidden or shown in between. */
  visibility: { id: string; visible: boolean }[]
}

/** A message that was added between two steps. */
export interface StoredMessage {
  id: string
  /** The path of the step that made it. */
  step: string
  role: string
  content: string | null
  /** Whether the model can see it after the later of the two steps. */
  visible: boolean
}
