// Renders what an export format cannot represent of a transcript.
import type { Loss } from '../types/index.ts'
import { printable } from './printable.ts'

/** More losses than this are summarized by kind. */
const MOST_SHOWN = 20

/**
 * The losses of a file, a line each; `lead` is the text before each of them. Without the name of a file they have their paths,
 * since the user has no text with their places.
 */
export const renderLosses = (
  lead: string,
  file: string | undefined,
  { losses, summary }: { losses: readonly Loss[]; summary: readonly string[] },
) => {
  if (losses.length > MOST_SHOWN) return summary.map((what) => `${lead} ${printable(what)}\n`).join('')
  const place = ({ line, column, path }: Loss) => (file === undefined ? printable(path) : `${printable(file)}:${line}:${column}`)
  return losses.map((loss) => `${place(loss)}: ${lead} ${printable(loss.message)}\n`).join('')
}
