// The types of transcripts in the forms of other tools.
import type { ExportFormat, ExportResult as ExportedText } from './generated/index.ts'
import type { Diagnostic, Options } from './index.ts'

export type { ExportFormat } from './generated/index.ts'

/** How to write a transcript. */
export interface ExportOptions extends Options {
  /** The form. */
  to: ExportFormat
  /**
   * Whether `openai` and `anthropic` have the messages, too, that the model cannot see at the end. Default: false; such
   * messages are among the losses.
   */
  all?: boolean
  /**
   * Where `test-js`, `test-vitest` and `test-python` find the transcript, from the folder of the test, with `/` between folders. Without it
   * the test has the transcript in itself.
   */
  path?: string
}

/** A transcript in another form. */
export interface ExportResult extends ExportedText {
  /** The problems of the document. */
  diagnostics: Diagnostic[]
}
