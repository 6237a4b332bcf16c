// Written by the tests from the Rust types.
import type { FormatKind } from './import.ts'

/** A format of other programs that `importLog` reads. */
export interface ImportFormat {
  /** The kind of its files, as `detect` returns it. */
  kind: FormatKind
  /** What `from` takes for it, the usual name first. Empty for files that belong to those of another format. */
  names: string[]
  /** Its name for people; empty for a format of which no transcript is made by itself. */
  title: string
  /** Its files in a list of all formats; empty if the entry of another format covers them. */
  plural: string
  /**
   * How its files belong together: those of `sessions` and of a `set` are read at once, a `companion` with its `lead`.
   */
  files: 'sessions' | 'set' | 'folder' | 'alone' | 'lead' | 'companion'
  /**
   * What its files have besides a run: `events`, a log of events; `handlers`, answers for a mock; `summary`, the text
   * for the summarizer of the program. `repair` where `repairLog` repairs damaged ones.
   */
  extras: ('events' | 'handlers' | 'summary' | 'repair')[]
}
