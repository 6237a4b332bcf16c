// How results are told in words.
import { printable } from './printable.js'

export const pluralize = (number, word, many = `${word}s`) => `${number} ${number === 1 ? word : many}`

/** A failure of the command itself, as diagnostics look. */
export const renderError = (message, help) => {
  const remedy = help ? `\n  = help: ${printable(help)}` : ''
  return `error: ${printable(message)}${remedy}\n`
}

/** A failure that is told in several lines, such as that of code of the user's own. */
export const renderLongError = (text) => `error: ${text.trimEnd().split('\n').map(printable).join('\n')}\n`

/** What need not be wrong, and would pass unseen. */
export const renderWarning = (message, help) => renderError(message, help).replace(/^error/, 'warning')

/** The numbers of errors and warnings. */
export const tally = (diagnostics) => {
  const count = (wanted) => diagnostics.filter(({ severity }) => severity === wanted).length
  return { errors: count('error'), warnings: count('warning') }
}

/** What is said of files in folders that are none of ours. */
export const skippedFilesText = (number) =>
  number === 0 ? '' : `${pluralize(number, 'file')} skipped, which ${number === 1 ? 'is no transcript' : 'are no transcripts'}\n`
