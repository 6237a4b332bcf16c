// Renders results as text.
import type { Diagnostic, Severity } from '../types/index.ts'
import { printable } from './printable.ts'

export const pluralize = (number: number, word: string, many = `${word}s`) => `${number} ${number === 1 ? word : many}`

/** A failure of the command itself, as diagnostics look. */
export const renderError = (message: string, help?: string | null) => {
  const remedy = help ? `\n  = help: ${printable(help)}` : ''
  return `error: ${printable(message)}${remedy}\n`
}

/** An error with several lines, such as that of the user's own code. */
export const renderLongError = (text: string) => `error: ${text.trimEnd().split('\n').map(printable).join('\n')}\n`

/** What need not be wrong, and would pass unseen. */
export const renderWarning = (message: string, help?: string | null) => renderError(message, help).replace(/^error/, 'warning')

/** The numbers of errors and warnings. */
export const tally = (diagnostics: readonly Diagnostic[]) => {
  const count = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length
  return { errors: count('error'), warnings: count('warning') }
}

const skippedText = (number: number, reason: string, reasonOfMany: string) =>
  number === 0 ? '' : `${pluralize(number, 'file')} skipped: ${number === 1 ? reason : reasonOfMany}\n`

/** The text about skipped files in folders: those that are no transcripts, and those that have handlers only. */
export const skippedFilesText = (unrelated: number, handlers = 0) =>
  skippedText(unrelated, 'not a transcript', 'not transcripts') +
  skippedText(handlers, 'has handlers, but no run', 'have handlers, but no run')
