// Written by the tests from the Rust types.

/** Counts of items by result. */
export interface DiffCounts {
  /** Items that are equal on both sides. */
  same: number
  /** Those that both sides have, with differences. */
  changed: number
  /** Those that only the right side has. */
  added: number
  /** Those that only the left side has. */
  removed: number
}

/** An ignore and the number of differences that it swallowed. */
export interface DiffIgnored {
  /** `timestamps`, `usage`, `ulids`, `ids`, `metadata`, or the path as in the options. */
  name: string
  /** How many differences. */
  count: number
}

/** How many turns and messages are equal. */
export interface DiffSummary {
  /** The turns. */
  turns: DiffCounts
  /** The messages of the initial store. */
  messages: DiffCounts
  /** The number of differences elsewhere: metadata, configuration, context, assertions. */
  elsewhere: number
  /** The number of paired ids that are written differently. */
  renamed: number
}

/** A piece of two texts laid over each other. */
export interface TextPart {
  /** Whether both have it, or which one. */
  kind: 'same' | 'removed' | 'added'
  /** The piece. */
  text: string
}
