// Written by the tests from the Rust types.
import type { Place } from './text.ts'

/** Whether a fix may be applied without review: a `safe` one may, a `suggested` one is a guess. */
export type Applicability = 'safe' | 'suggested'

/** One diagnostic with its place. */
export interface Diagnostic extends Place {
  /** The name of the file, as in the input. */
  file: string
  /** The code of the rule, such as `T201`. */
  code: string
  /** How grave it is. */
  severity: Severity
  /** What is wrong, in one line. */
  message: string
  /** The remedy, if one is known. */
  help: string | null
  /** Other places that explain it. */
  related: RelatedPlace[]
  /** Edits that would fix it. */
  fixes: Fix[]
}

/** Replaces the text between two places with `text`. */
export interface Edit {
  /** Where the replaced text starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends. */
  endOffset: number
  /** The text that is there afterwards. */
  text: string
}

/** Edits that mend a diagnostic. */
export interface Fix {
  /** Its effect. */
  title: string
  /** Whether it may be applied without review. */
  applicability: Applicability
  /** The edits, in order of place. */
  edits: Edit[]
}

/** A second place of a `Diagnostic`. */
export interface RelatedPlace {
  /** What is there. */
  message: string
  /** The line it starts in. */
  line: number
  /** The column it starts in. */
  column: number
  /** Where it starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends, in bytes of UTF-8. */
  endOffset: number
}

/**
 * How grave a diagnostic is: of an `error` the document cannot be replayed as meant, of a `warning` it probably is not,
 * and an `info` is a remark.
 */
export type Severity = 'error' | 'warning' | 'info'
