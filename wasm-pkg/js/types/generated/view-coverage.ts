// Written by the tests from the Rust types.
import type { Count } from './cover.ts'
import type { Place } from './text.ts'

/** What is used, and what is not. */
export interface Coverage {
  /** Recorded answers that a replay requested; `null` when there was no replay. */
  recordings: Count | null
  /** Declared tools that are called, over all documents. */
  tools: Count
  /** Messages that a later model call was sent. */
  messages: Count
  /** Rules of handlers that fired; `null` when nothing ran. */
  rules: Count | null
  /** Everything that is not used, by document. */
  unused: Unused[]
  /** All of this as text for people. */
  text: string
}

/** One thing that nothing uses. */
export interface Unused {
  /** What it is. */
  kind: 'recording' | 'tool-not-called' | 'tool-not-declared' | 'message' | 'rule'
  /** The index of the document in the input, from 0. */
  document: number
  /** The document's name. */
  file: string
  /** The step, the tool, the message id or the place of the rule. */
  name: string
  /** The step it belongs to, where there is one; `0` is the initial state. */
  step: string | null
  /** Its place, if known. */
  place: Place | null
}
