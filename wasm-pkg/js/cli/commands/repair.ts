import type { RepairNote } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import { repairLog } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { onlyInput, readInput, wasCompressed } from '../inputs.ts'
import { pluralsWith } from '../logs.ts'
import { cut, printable } from '../printable.ts'
import { pluralize } from '../report.ts'
import { writeOutputExactly, saveText } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  write?: true
  output?: string
}

export const repair: Command<Values> = {
  name: 'repair',
  usage: 'repair FILE [-o OUT | --write]',
  about: () => [
    `FILE is a log, or - for stdin. You can repair ${pluralsWith('repair', 'and')}. Lists of events, lists followed by lines, and`,
    'numeric times become lines in the current format. What cannot be kept, such as a cut end, is listed on stderr with its line.',
    'FILE itself changes only with --write.',
  ],
  examples: [
    ['transcript repair logs/abc/transcript.json -o repaired.jsonl', 'write the clean log to another file'],
    ['transcript repair logs/abc/transcript.json --write', 'replace the log'],
  ],
  exits: {
    0: 'all events were written',
    1: 'written, but a part of FILE could not be kept',
    2: 'invalid arguments, or an unreadable file',
  },
  see: ['convert', 'fix', 'logs.md'],
  options: {
    write: { flag: true, help: 'write to FILE itself' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

/** How much of a part of the log is shown. */
const SHOWN = 60

const linesOf = ({ line, endLine }: RepairNote) => (line === endLine ? String(line) : `${line}-${endLine}`)

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(repair, files)
  const { write, output } = values
  if (write && output !== undefined) throw new UsageError('`--write` and `--output` cannot be used together', 'remove one of them')
  if (write && name === '-') throw new UsageError('`--write` cannot write to stdin', 'remove `--write`')
  const input = await readInput(name, terminal, values)
  // Bytes that are no text are listed where they are.
  terminal.unreadable = false
  const { maxBytes } = openOptions(values, name, terminal)
  const { text, events, omitted, changed, problem } = repairLog(input, { maxBytes })
  if (problem !== null) throw new UsageError(`cannot repair \`${input.file}\`: ${problem.message}`, problem.help)
  const list = (notes: readonly RepairNote[], what: string, shown: (note: RepairNote) => string) =>
    terminal.err(notes.map((note) => `${printable(`${input.file}:${linesOf(note)}: ${what}: ${note.message}${shown(note)}`)}\n`).join(''))
  list(omitted, 'left out', (note) => `: ${cut(note.text.replace(/\s+/g, ' '), SHOWN)}`)
  list(changed, 'changed', () => '')
  if (write) saveText(name, text!, { zipped: wasCompressed(input) })
  else writeOutputExactly(text!, output, terminal)
  const rest = omitted.length === 0 ? '' : `, ${pluralize(omitted.length, 'part')} left out`
  terminal.err(`${pluralize(events, 'event')} written${rest}\n`)
  return omitted.length === 0 ? 0 : 1
}
