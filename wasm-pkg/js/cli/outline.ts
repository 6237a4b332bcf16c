// The steps of a run as lines of a terminal.
import type { StepRow, TranscriptDocument } from '../types/index.ts'
import { cut, printable } from './printable.ts'

/** How a model call of a replay ended. */
export type Outcome = 'response' | 'error'

const KIND_WIDTH = 'tool_call'.length

const calls = (tools: StepRow['tools']) =>
  tools.map(({ name, arguments: args, unanswered }) => `${name}(${args})${unanswered ? ' (not answered)' : ''}`).join(', ')

const stepText = ({ kind, tools, summary }: StepRow) => {
  if (tools.length === 0) return summary
  if (kind === 'tool_call') return `${calls(tools)} = ${summary}`
  return summary === '' ? `calls ${calls(tools)}` : `${summary} · calls ${calls(tools)}`
}

const statusMark = (row: StepRow, outcome: Outcome | undefined) => {
  if (outcome === 'error') return ' (fails as recorded)'
  return row.status === 'failed' ? ' (failed)' : ''
}

export const outline = (file: string, document: TranscriptDocument, outcomes: ReadonlyMap<string, Outcome>, columns: number) => {
  const { name } = document.overview
  const rows = document.steps
  const width = Math.max(...rows.map(({ path }) => path.length))
  const lines = rows.flatMap((row) => {
    const start = `${'  '.repeat(row.depth + 1)}${row.path.padEnd(width)}  ${row.kind.padEnd(KIND_WIDTH)}  `
    const mark = statusMark(row, outcomes.get(row.path))
    const line = cut(`${start}${printable(stepText(row))}`.trimEnd(), Math.max(40, columns) - mark.length) + mark
    const notes = row.note?.split('\n') ?? []
    return [line, ...notes.map((note) => cut(`${' '.repeat(start.length)}# ${printable(note)}`, Math.max(40, columns)))]
  })
  return `${printable(file)}${name ? `: ${printable(name)}` : ''}\n${lines.join('\n')}\n`
}
