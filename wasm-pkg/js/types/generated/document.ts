// Written by the tests from the Rust types.
import type { FormatKind, NearestFormat } from './import.ts'

/** The kind of document of a file, and the reason. */
export interface Detection {
  /** The form of a transcript or of handlers, `event-log`, a format of another program, or `unknown`. */
  kind: DocumentForm | 'event-log' | FormatKind
  /** `likely` when the text is not well-formed, or lacks what the kind has; `none` for an unknown kind. */
  confidence: 'certain' | 'likely' | 'none'
  /** The reason, in one sentence. */
  reason: string
  /** The checks made, when no mark shows which program wrote the file. */
  unrecognized?: Unrecognized
}

/**
 * Which way the author wrote the document: with every layer spelled out, with `execution` but without `version`, with a
 * list of `messages`, or with mock handlers alone.
 */
export type DocumentForm = 'full' | 'partial' | 'compact' | 'handlers' | 'unknown'

/** A file that a document names, directly or through another file. */
export interface FileReference {
  /** Its path relative to the document, with `/` between folders: the key under which the options have its text. */
  path: string
  /** Whether its text was provided. */
  provided: boolean
  /**
   * The line of the reference in the document, from 1; for a file named by another file, of the reference to the
   * latter.
   */
  line: number
  /** The column in it, in Unicode scalar values from 1. */
  column: number
  /** Where the reference starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends. */
  endOffset: number
}

/** The checks on a file of no known format. */
export interface Unrecognized {
  /** How it is written. */
  syntax: 'json' | 'jsonl' | 'yaml' | 'markdown' | 'text'
  /** The number of its records: the items of a list, the lines of JSON Lines, Markdown and text, 1 for a map. */
  records: number
  /** The first keys of the first record. */
  keys: string[]
  /** The first line that its syntax does not allow, from 1. */
  brokenLine: number | null
  /** The nearest known formats. */
  nearest: NearestFormat[]
}
