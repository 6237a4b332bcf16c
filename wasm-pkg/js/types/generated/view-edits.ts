// Written by the tests from the Rust types.
import type { Edit } from './diagnostic.ts'

/** Why a change was not made. */
export interface EditProblem {
  /** The kind of reason. */
  reason: 'unreadable' | 'path' | 'shared' | 'taken' | 'change' | 'meaning'
  /** What is in the way. */
  message: string
  /** The remedy, if one is known. */
  help: string | null
  /** Its line, from 1. */
  line: number
  /** The column, from 1, in Unicode scalar values. */
  column: number
  /** Where it starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends, in bytes of UTF-8. */
  endOffset: number
}

/** The outcome of a change. */
export interface EditResult {
  /** Whether the change was made. */
  ok: boolean
  /** The text afterwards; the text as it was when the change was not made. */
  text: string
  /** The edits that lead there, in order of place and apart from each other. */
  edits: Edit[]
  /** What else was changed, in sentences. */
  notes: string[]
  /** Why the change was not made. */
  problem: EditProblem | null
}
