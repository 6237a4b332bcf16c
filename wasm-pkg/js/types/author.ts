// The types of the functions that write, change and compare documents.
import type * as generated from './generated/index.ts'
import type { Diagnostic, Json, Source } from './index.ts'

export type {
  AppliedFix, Completion, Count, DiffChange, DiffCounts, DiffIgnored, DiffSummary, DroppedStep, EditProblem, Hover, Loss,
  RedactedItem, RequestDifference, StaleBlob, TextPart, TravelMark, TravelProblem, TravelStatus, Unused,
} from './generated/index.ts'

/** An answer about one document. */
interface Diagnosed {
  /** The problems of the document. */
  diagnostics: Diagnostic[]
}

/** An answer whose `text` is null when the source is not text. */
type MaybeText<Answer> = Omit<Answer, 'text'> & { text: string | null }

/** The compact form of a transcript, or what it would lose. */
export interface Compaction extends generated.Compaction, Diagnosed {}

/** A document in canonical order and style. */
export interface FormatResult extends MaybeText<generated.FormatResult> {}

/** A document after the fixes that are certain. `diagnostics` are the problems that are left. */
export interface FixResult extends MaybeText<generated.FixResult>, Diagnosed {
  /** Whether no error is left. */
  ok: boolean
}

/** The outcome of a change. */
export interface EditResult extends MaybeText<generated.EditResult>, Diagnosed {}

/** How two transcripts differ. */
export interface Difference extends Omit<generated.Difference, 'summary'>, Diagnosed {
  /** Whether both could be read. */
  ok: boolean
  /** The names of those that could not be read whole. */
  unreadable: string[]
  /** How much is equal; null when one of the two cannot be read. */
  summary: generated.Difference['summary'] | null
  /** All of this for a terminal; empty when the two are equal and nothing was ignored. */
  rendered: string
}

/** What documents record, and which parts were used. */
export interface Coverage extends generated.Coverage {
  /** Whether all documents could be read. */
  ok: boolean
}

/** Text without its secrets. */
export interface Redaction extends MaybeText<generated.Redaction>, Diagnosed {
  ok: boolean
}

/** A changed run. */
export interface TravelResult extends generated.TravelResult, Diagnosed {}
/** Keys and indices from 0 that lead to a value. */
export type EditPath = (string | number)[]

/** A change of a document; `docs/edits.md` describes each. */
export type Change =
  | { set: { path: EditPath; value: Json } }
  | { remove: { path: EditPath } }
  | { insert: { path: EditPath; index: number; value: Json } }
  | { move: { path: EditPath; from: number; to: number } }
  | { rename_key: { path: EditPath; key: string } }
  | { set_text: { message: string; text: string } }
  | { set_role: { message: string; role: string } }
  | { set_call: { message: string; call: number; name?: string; arguments?: Record<string, Json> } }
  | { set_visible: { message: string; visible: boolean; from?: number } }
  | { add_message: { index: number; message: Json } }
  | { remove_message: { message: string } }
  | { move_message: { message: string; to: number } }
  | { add_turn: { step: number; turn: Json } }
  | { remove_turn: { step: number } }
  | { move_turn: { step: number; to: number } }
  | { rename_id: { from: string; to: string } }
  | { set_context: { step: number; key: string; value?: Json } }
  | { set_assertion: { index: number; value?: Json } }
  | { set_note: { step: number | string; text: string } }

/** A document, and which parts were used. */
export type CoverageSource = Source | {
  text: string
  file?: string
  /** The steps whose responses a replay requested, such as `tape.calls.map(({ step }) => step)`. */
  consumed?: string[]
  /** The places of the rules of handlers that fired. */
  fired?: string[]
}

/** The path of a step: `2` or `'2.1'`. */
export type TravelStep = number | string

/** A change of a run; `docs/time-travel.md` describes each. Steps are those of the run as it was. */
export type TravelChange =
  | { skip: { step: TravelStep } }
  | { replace_response: { step: TravelStep; response: Json } }
  | { replace_result: { step: TravelStep; result: Json } | { step: TravelStep; error: Json } }
  | { edit_message: { step: TravelStep; message?: string; content: Json } }
  | { set_context: { step: TravelStep; key: string; value: Json } | { step: TravelStep; key: string; unset: true } }
  | { move: { step: TravelStep; to: TravelStep } }
  | { insert: { after: TravelStep; turn: Json } }
  | { fork: { at: TravelStep } }
