// Diagnostics as workflow commands of GitHub Actions, which shows them next to the lines of a change.

import type { Diagnostic } from '../../types/index.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' }

const data = (text: string) => String(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

/** Values of properties end at a comma, and at the colons before the message. */
const property = (text: string) => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** One line for one diagnostic. Its columns are left out where it spans lines: GitHub shows neither then. */
const line = ({ severity, file, line, column, endLine, endColumn, code, message, help }: Diagnostic) => {
  const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : ''
  const remedy = help ? `\nhelp: ${help}` : ''
  const place = `file=${property(file)},line=${line},endLine=${endLine}${columns}`
  return `::${LEVELS[severity]} ${place},title=${property(code ?? 'transcript')}::${data(`${message}${remedy}`)}\n`
}

/** All of `diagnostics`. */
export const github = (diagnostics: readonly Diagnostic[]) => diagnostics.map(line).join('')
