// Files that have mock handlers and no run.
import type { TranscriptDocument } from '../types/index.ts'
import { STDIN } from './inputs.ts'

/** Whether a document has handlers, and neither errors nor a run. */
export const hasOnlyHandlers = (document: TranscriptDocument) => document.overview.form === 'handlers' && document.ok

/** Why a file is skipped that is in a folder and is not named. */
export type SkipReason = 'unrelated' | 'handlers'

/** Why commands that need a run skip a file in a folder; undefined for one that they use. */
export const skipReasonOf = (document: TranscriptDocument): SkipReason | undefined => {
  if (document.overview.unrelated) return 'unrelated'
  return hasOnlyHandlers(document) ? 'handlers' : undefined
}

const quoted = (name: string) => (/^[\w./\\:-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`)

/** What every command that needs a run reports about a file with handlers only. */
export const handlersProblem = (document: TranscriptDocument, file: string) => {
  // The check of a document without a run has one outcome, which gives the reason.
  const { message, help } = document.check().outcomes[0]!
  const name = file === STDIN ? '-' : quoted(file)
  return { message, help: `${help}, or try the handlers with \`transcript simulate ${name} --user "Hi"\`` }
}
