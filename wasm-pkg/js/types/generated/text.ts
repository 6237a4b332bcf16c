// Written by the tests from the Rust types.

/**
 * A place in a text. Lines and columns count from 1, columns in characters (Unicode scalar values); ends are exclusive.
 */
export interface Place {
  /** The line it starts in. */
  line: number
  /** The column it starts in. */
  column: number
  /** The line it ends in. */
  endLine: number
  /** The column it ends in. */
  endColumn: number
  /** Where it starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends, in bytes of UTF-8. */
  endOffset: number
}

/** A half-open range `start..end` of UTF-8 bytes in a source text. */
export interface Span {
  /** The first byte. */
  start: number
  /** One past the last byte. */
  end: number
}
