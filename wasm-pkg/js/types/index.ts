// What the functions of the package take and return.
export type * from './author.ts'
export type * from './builder.ts'
export type * from './check.ts'
export type * from './export.ts'
export type * from './generate.ts'
export type * from './import.ts'
export type * from './mock.ts'
export type * from './record.ts'
export type * from './simulate.ts'
export type * from './tape.ts'
export type * from './travel.ts'
export type * from './determinism.ts'

import type { ActualRun, Check } from './check.ts'
import type { Diagnostic, FileReference, Json, Overview, Severity, StateChanges, StepDetail, StepRow } from './generated/index.ts'

export type {
  Applicability, ContextChange, Detection, Diagnostic, DocumentForm, Edit, FileReference, Fix, ImportFormat, Json, MessageFlow, MessageView,
  NearestFormat, Overview, Place, RelatedPlace, SentMessage, Severity, Span, StateChanges, StepContext, StepDetail,
  StepLlmCall, StepRow, StepToolCall, StoredMessage, ToolCall, ToolChip, Unrecognized, VisibilityChange,
} from './generated/index.ts'

/**
 * A transcript: its text, the bytes of its file, or either with the name of the file for the diagnostics.
 *
 * Bytes may be in gzip for every call in Node, Deno and Bun, and for `replay` everywhere. In pages and workers the
 * other calls cannot wait for the platform to decompress them; they answer with a diagnostic about that.
 */
export type Source = string | Uint8Array | { text: string; file?: string } | { bytes: Uint8Array; file?: string }

/** Limits against hostile input. A diagnostic names an exceeded limit. */
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

/** The level of a rule: the severity of its diagnostics, or `off`. */
export type Level = Severity | 'off'

/** The options of every call that reads a document. */
export interface Options extends Limits {
  /** The levels of rules, by code or name, such as `{ T204: 'off' }`: what `readProject` gives. */
  rules?: { [rule: string]: Level }
  /** The texts of other files that the document names, by `references[].path`. */
  files?: { [path: string]: string }
}

/** The result of `validate`. */
export interface Validation {
  /** Whether there is no error; warnings and remarks are allowed. */
  ok: boolean
  /** Everything found, in the order of the text. */
  diagnostics: Diagnostic[]
}

/** The result of `expand`. */
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

/** What a full form writes once, or elsewhere. */
export interface WriteOptions {
  /** Writes content that repeats once, in `blobs`: `true` for what is larger than 256 bytes, or that number. */
  dedupe?: boolean | number
  /** Writes the runs of other agents in their places, in `nested` by reference, or by reference above so many bytes. */
  nested?: 'inline' | 'reference' | number
}

/** The settings of a project. */
export interface Project {
  /** Whether they are valid. */
  ok: boolean
  /** The levels of rules by code, for the option `rules`, without invalid settings. */
  rules: { [code: string]: Level }
  /** Their problems. */
  diagnostics: Diagnostic[]
  /** The same, as a compiler prints it. */
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
  /** An overview of the document. */
  readonly overview: Overview
  /** The rows of the step list; step 0 is the initial state, nested steps follow their parent. */
  readonly steps: StepRow[]
  /**
   * Everything about one step.
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
   * What changed from the state after a step to that after another of the same run, perhaps an earlier one. It
   * costs only the steps in between, however long the run.
   *
   * @param from `2`, or `'2.1'` in the run of another agent.
   * @throws RangeError when there are no such steps, or they are of different runs.
   */
  changes(from: number | string, to: number | string): StateChanges
  /** The outcomes of the assertions for the document's own run. */
  check(options?: { color?: boolean }): Check
  /** The same for an actual run. */
  checkRun(run: ActualRun, options?: { color?: boolean }): Check
  /** The full transcript as text; null when the document cannot be read, or beyond the limit `maxExpanded`. */
  expand(format?: 'yaml' | 'json', options?: WriteOptions): string | null
  /** The other files that the document names, through others too: what the option `files` may give. */
  readonly references: FileReference[]
  /** The diagnostics as a compiler prints them, each with its source line. */
  render(options?: { color?: boolean }): string
  /** Why a readable document has no full form, as a compiler prints it; else an empty text. */
  renderExpandProblem(options?: { color?: boolean }): string
  /** Frees the document's memory now, instead of with the object. Calls after that throw. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** The state after a step, with the file's keys. */
export interface StepState {
  context: { [key: string]: Json }
  /** The agents' own contexts, by agent, if any. */
  agents?: { [agent: string]: { [key: string]: Json } }
  /** Whole messages, oldest first. */
  store: { [key: string]: Json }[]
  /** Ids of the messages that the model can see. */
  visible: string[]
  /** What the model was sent in this step; null when it was not called, or this is not recorded. */
  sent: { [key: string]: Json }[] | null
}
