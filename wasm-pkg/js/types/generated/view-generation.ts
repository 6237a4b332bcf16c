// Written by the tests from the Rust types.
import type { Diagnostic } from './diagnostic.ts'
import type { DocumentForm } from './document.ts'
import type { CheckOutcome } from './view-check.ts'

/**
 * The assessment of a response: a transcript that is in order, one with problems, cut off, declined, nothing, or only
 * words.
 */
export type AssessmentStatus = 'ok' | 'problems' | 'truncated' | 'refused' | 'empty' | 'no_document'

/** The assessment of a model's response, and the transcript in it. */
export interface GenerateAssessment {
  /** Whether the status is `ok`: no errors, all assertions hold, and it replays. */
  ok: boolean
  /** The outcome. */
  status: AssessmentStatus
  /** The transcript, or what there is of it; null when there is none. */
  text: string | null
  /** Which way it is written. */
  form: DocumentForm | null
  /** Its name. */
  name: string | null
  /** The number of its steps. */
  steps: number
  /** What is wrong with it, assertions that do not hold among them, with places in `text`. */
  diagnostics: Diagnostic[]
  /** The outcomes of its assertions. */
  assertions: CheckOutcome[]
  /** The outcome of a strict replay against itself; null if it could not be replayed. */
  replay: SelfReplay | null
  /** How many transcripts the response holds, the broken ones included. */
  candidates: number
  /** The findings as a compiler prints them. */
  rendered: string
}

/** The outcome of a strict replay of a transcript against itself. */
export interface SelfReplay {
  /** Whether all recorded calls were answered. */
  ok: boolean
  /** How many there were. */
  calls: number
  /** What went wrong. */
  message: string | null
}
