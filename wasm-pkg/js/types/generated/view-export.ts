// Written by the tests from the Rust types.
import type { Loss } from './view-compaction.ts'

/** A document in another form, or why there is none. */
export interface ExportResult {
  /** Whether there is a text. */
  ok: boolean
  /** The text; null when the document cannot be read as a transcript, or has nothing to write in this form. */
  text: string | null
  /** Everything that the text lacks or expresses differently, in the order of the full form. */
  losses: Loss[]
  /** The losses in few lines, those of one kind together. */
  summary: string[]
}
