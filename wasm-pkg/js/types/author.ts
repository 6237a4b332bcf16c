// The types of the functions that write, change and compare documents.
import type { Diagnostic, Edit, Json, Place, Source } from './index.ts'

/** The compact form of a transcript, or what it would lose. */
export interface Compaction {
  /** Whether the compact form has everything that the document has. */
  ok: boolean
  /** The compact document as YAML; null when something would be lost and `force` is not set. */
  text: string | null
  /** Everything that would be lost, in the order of the full form. */
  losses: Loss[]
  /** The same in few lines, losses of one kind together. */
  summary: string[]
  /** What is lost in addition to data, without preventing the change: comments. */
  notices: string[]
  /** What is wrong with the document. */
  diagnostics: Diagnostic[]
}

/** One thing that the compact form would lose. */
export interface Loss {
  kind: 'lost' | 'changed' | 'added' | 'whole' | 'refused'
  /** Where it stands in the full form, such as `execution[0].timestamp`. */
  path: string
  /** What is lost, as the end of a sentence. */
  message: string
  messageId: string | null
  line: number
  column: number
  /** In bytes of UTF-8. */
  offset: number
  endOffset: number
}

/** A document in canonical order and style. */
export interface FormatResult {
  /** Whether it could be formatted. */
  ok: boolean
  /** The formatted text; the input when it cannot be formatted, and null when that is no text. */
  text: string | null
  /** Whether that differs from the input. */
  changed: boolean
  /** Why it could not be formatted. */
  diagnostics: Diagnostic[]
}

/** A document after the fixes that are certain. */
export interface FixResult {
  /** Whether no error is left. */
  ok: boolean
  /** The text afterwards; null when the source is no text. */
  text: string | null
  /** What was mended; the line, from 1, is that of the problem when it was. */
  applied: { code: string; message: string; title: string; line: number }[]
  /** How many problems are left. */
  left: number
  /** Those problems; their fixes of applicability `suggested` are guesses. */
  diagnostics: Diagnostic[]
}

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

/** The outcome of a change. */
export interface EditResult {
  /** Whether it was made. */
  ok: boolean
  /** The text afterwards, which is the text before when it was not made; null when the source is no text. */
  text: string | null
  /** The edits that lead there, in order of place. */
  edits: Edit[]
  /** What else was changed, in sentences. */
  notes: string[]
  /** Why the change was not made. */
  problem: EditProblem | null
  /** What is wrong with a source that is no text. */
  diagnostics: Diagnostic[]
}

/** Why a change was not made. */
export interface EditProblem {
  reason: 'unreadable' | 'path' | 'taken' | 'shared' | 'change' | 'meaning'
  message: string
  /** The remedy, where one is known. */
  help: string | null
  line: number
  column: number
  /** In bytes of UTF-8. */
  offset: number
  endOffset: number
}

/** One thing that may stand at a place, with the edit that puts it there. */
export interface Completion extends Place {
  label: string
  kind: 'key' | 'value' | 'message' | 'call' | 'tool' | 'argument' | 'type' | 'name' | 'code'
  /** A few words next to the label. */
  detail: string
  /** What it is for, in Markdown. */
  documentation: string
  /** What stands in the place afterwards. */
  text: string
  /** Where in `text`, in bytes of UTF-8, the author goes on. */
  caret: number
  /** Puts the list in order when compared as text. */
  sort: string
}

/** What is known of what stands at a place. */
export interface Hover extends Place {
  /** In Markdown. */
  text: string
}

/** How two transcripts differ. */
export interface Difference {
  /** Whether both could be read. */
  ok: boolean
  /** The names of those that could not be read whole. */
  unreadable: string[]
  /** Whether no difference is left. */
  equal: boolean
  /** How much is alike; null when one of the two cannot be read. */
  summary: {
    turns: DiffCounts
    messages: DiffCounts
    /** Differences in metadata, configuration, context and assertions. */
    elsewhere: number
    /** Ids that stand for one another though they are written differently. */
    renamed: number
  } | null
  changes: DiffChange[]
  /** The ignores in force, each with the number of differences that it hid. */
  ignored: { what: string; count: number }[]
  /** What is wrong with those that cannot be read. */
  diagnostics: Diagnostic[]
  /** All of this for a terminal; empty when the two are equal and nothing was ignored. */
  rendered: string
}

/** The outcome of each item. */
export interface DiffCounts {
  same: number
  changed: number
  added: number
  removed: number
}

/** One difference. */
export interface DiffChange {
  /** Such as `execution[2].llm_response.content`. */
  path: string
  kind: 'added' | 'removed' | 'changed'
  /** Absent when nothing stands there. */
  left?: Json
  right?: Json
  leftStep: string | null
  rightStep: string | null
  leftPlace: Place | null
  rightPlace: Place | null
  /** Of two texts, what they share and what not. */
  text: { kind: 'same' | 'removed' | 'added'; text: string }[]
}

/** A document with what was seen of it in use. */
export type CoverageSource = Source | {
  text: string
  file?: string
  /** The steps whose answers a replay requested, such as `tape.calls.map(({ step }) => step)`. */
  consumed?: string[]
  /** The places of the rules of handlers that fired. */
  fired?: string[]
}

/** So many of so many. */
export interface Count {
  covered: number
  total: number
}

/** What documents record, and what of it was used. */
export interface Coverage {
  /** Whether all documents could be read. */
  ok: boolean
  /** Recorded answers that a replay requested; null when there was no replay. */
  recordings: Count | null
  /** Declared tools that are called. */
  tools: Count
  /** Messages that a later model call was sent. */
  messages: Count
  /** Rules of handlers that fired; null when nothing ran. */
  rules: Count | null
  unused: {
    kind: 'recording' | 'tool-not-called' | 'tool-not-declared' | 'message' | 'rule'
    /** The index of the document in the input, from 0. */
    document: number
    file: string
    /** The step, the tool, the id of the message, or the place of the rule. */
    name: string
    step: string | null
    place: Place | null
  }[]
  /** All of this for a person. */
  text: string
}

/** A text without its secrets. */
export interface Redaction {
  ok: boolean
  /** The text; null when the source is no text. */
  text: string | null
  /** The number of places that were replaced. */
  count: number
  /** The secrets, in order of their first places, without their text. */
  items: {
    /** Such as `github-token`; `literal` for a text of `also`. */
    kind: string
    placeholder: string
    /** The first three characters of a long one, else empty. */
    hint: string
    /** In characters. */
    length: number
    count: number
    places: Place[]
  }[]
  /** Blobs whose names are no longer the hashes of their content. */
  staleBlobs: { name: string; place: Place }[]
  /** Whether the text reads as a document of another form than before, which is to be looked at before it is used. */
  formChanged: boolean
  /** What is wrong with a source that is no text. */
  diagnostics: Diagnostic[]
}

/** The path of a step: `2` or `'2.1'`. */
export type TravelStep = number | string

/** A change of a run; `docs/time-travel.md` describes each. Steps are those of the run as it was. */
export type TravelChange =
  | { skip: { step: TravelStep } }
  | { replace_answer: { step: TravelStep; response: Json } }
  | { replace_result: { step: TravelStep; result: Json } | { step: TravelStep; error: Json } }
  | { edit_message: { step: TravelStep; message?: string; content: Json } }
  | { set_context: { step: TravelStep; key: string; value: Json } | { step: TravelStep; key: string; unset: true } }
  | { move: { step: TravelStep; to: TravelStep } }
  | { insert: { after: TravelStep; turn: Json } }
  | { fork: { at: TravelStep } }

/** What became of one step of a changed run. */
export interface TravelMark {
  /** Its path in the new run. */
  step: string
  /** Its path in the run as it was; null for a new one. */
  origin: string | null
  /**
   * Whether it holds: `kept`, `changed` and `recomputed` do; the request of `diverged` differs from the recorded one,
   * `depends` comes after such a step, a call of `unanswered` has no result any more, `orphaned` answers no call.
   */
  status: 'kept' | 'changed' | 'recomputed' | 'diverged' | 'depends' | 'unanswered' | 'orphaned'
  /** The first difference between its recorded request and its present one. */
  difference?: { path: string; before?: Json; after?: Json }
  /** The path of the step that it depends on and that does not hold. */
  dependsOn?: string
  /** The calls of the step that have no result. */
  unanswered?: string[]
  /** The messages that the step named and that are no longer there. */
  dropped?: string[]
}

/** A changed run. */
export interface TravelResult {
  /** Whether the changes were made. */
  ok: boolean
  /** Whether every step still holds. */
  holds: boolean
  /** The new run as YAML; null when the changes were not made. */
  text: string | null
  /** What became of each step. */
  marks: TravelMark[]
  /** The steps that are gone for what was changed. */
  dropped: { step: string; why: string }[]
  /** What else was changed, in sentences. */
  notes: string[]
  /** Why there is no new run, and the change, from 0, that is in the way. */
  problem: { change: number | null; message: string; help: string | null } | null
  /** What is wrong with the document. */
  diagnostics: Diagnostic[]
}
