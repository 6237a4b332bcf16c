// Renders what an export format cannot represent of a transcript.
import { printable } from './printable.js'

/** More losses than this are summarized by kind. */
const MOST_SHOWN = 20

/**
 * The losses of a file, a line each; `lead` is the text before each of them. Without the name of a file they have their paths,
 * since the user has no text with their places.
 */
export const renderLosses = (lead, file, { losses, summary }) => {
  if (losses.length > MOST_SHOWN) return summary.map((what) => `${lead} ${printable(what)}\n`).join('')
  const place = ({ line, column, path }) => (file === undefined ? printable(path) : `${printable(file)}:${line}:${column}`)
  return losses.map((loss) => `${place(loss)}: ${lead} ${printable(loss.message)}\n`).join('')
}
