// Written by the tests from the Rust types.

/** The compact form of a document, or what it would lose. */
export interface Compaction {
  /** Whether the compact form has everything that the document has. */
  ok: boolean
  /** The compact document as YAML; null when something would be lost and `force` is not set. */
  text: string | null
  /** Everything that would be lost, in the order of the full form. */
  losses: Loss[]
  /** The same in few lines, losses of one kind together. */
  summary: string[]
  /** What is lost in addition to data, without preventing the change: comments that are no notes on steps. */
  notices: string[]
}

/** One thing that another form of the transcript would lose. */
export interface Loss {
  /** How: it is gone, becomes another value, comes to be, is a whole message or turn, or would be refused. */
  kind: 'lost' | 'changed' | 'added' | 'whole' | 'refused'
  /** Where it is in the full form, such as `execution[0].timestamp`. */
  path: string
  /** What is lost, as the end of a sentence. */
  message: string
  /** The id of the message that it is part of. */
  messageId: string | null
  /** The line it starts in. */
  line: number
  /** The column it starts in. */
  column: number
  /** Where it starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends, in bytes of UTF-8. */
  endOffset: number
}
