// What a form cannot say of a transcript, as the command line tells it.
import { printable } from './printable.js'

/** More losses than this are told in short, those of one kind together. */
const MOST_SHOWN = 20

/**
 * The losses of a file, a line each; `lead` is what stands before each of them. Without the name of a file they are told
 * by their paths, for their places are in no text that the user has.
 */
export const renderLosses = (lead, file, { losses, summary }) => {
  if (losses.length > MOST_SHOWN) return summary.map((what) => `${lead} ${printable(what)}\n`).join('')
  const place = ({ line, column, path }) => (file === undefined ? printable(path) : `${printable(file)}:${line}:${column}`)
  return losses.map((loss) => `${place(loss)}: ${lead} ${printable(loss.message)}\n`).join('')
}
