// Written by the tests from the Rust types.
import type { Place } from './text.ts'

/** One secret, wherever it stood. */
export interface RedactedItem {
  /** What it is, such as `github-token`; `literal` for a text that the caller named. */
  kind: string
  /** The replacement. */
  placeholder: string
  /** Its first three characters when it is a long one, else empty. */
  hint: string
  /** The number of its characters. */
  length: number
  /** How often it stood there. */
  count: number
  /** Where it stood, in the text before. */
  places: Place[]
}

/** A text without its secrets. */
export interface Redaction {
  /** The text. */
  text: string
  /** The number of places that were replaced. */
  count: number
  /** The secrets, in order of their first places. */
  items: RedactedItem[]
  /** The blobs whose names are no longer the hashes of their content. */
  staleBlobs: StaleBlob[]
  /** Whether the text reads as a document of another form than before, which is to be looked at before it is used. */
  formChanged: boolean
}

/** A blob whose content no longer has its hash. */
export interface StaleBlob {
  /** Its name, `sha256:` and the old hash. */
  name: string
  /** Where the name stands, in the text before. */
  place: Place
}
