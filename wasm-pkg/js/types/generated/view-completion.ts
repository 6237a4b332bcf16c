// Written by the tests from the Rust types.
import type { Place } from './text.ts'

/** A completion at a place, with the edit that inserts it. */
export interface Completion extends Place {
  /** What it is called in the list. */
  label: string
  /** What it is. */
  kind: 'key' | 'value' | 'message' | 'call' | 'tool' | 'argument' | 'type' | 'name' | 'code'
  /** A few words next to the label. */
  detail: string
  /** What it is for, in Markdown. */
  documentation: string
  /** The text that is there afterwards. */
  text: string
  /** Where in `text`, in bytes of UTF-8, the author goes on. */
  caret: number
  /** Puts the list in order when compared as text. */
  sort: string
}

/** The description of what is at a place. */
export interface Hover extends Place {
  /** What is known, in Markdown. */
  text: string
}
