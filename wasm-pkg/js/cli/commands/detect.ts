import { openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { detect as detectKind, formats } from '../core.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { printable } from '../printable.ts'
import type { Terminal } from '../terminal.ts'

/** Only the manual of the command needs the core for them. */
const logKinds = () =>
  formats()
    .map(({ kind }) => kind)
    .sort()

interface Values {
  format: 'text' | 'json'
}

export const detect: Command<Values> = {
  name: 'detect',
  usage: 'detect FILE [--format text|json]',
  about: () => {
    const kinds = logKinds()
    return [
      'FILE is a name, or - for stdin. Only its content counts. The kinds are:',
      '',
      'Transcripts: full, partial, compact and handlers.',
      '',
      `Logs, which \`convert\` reads: ${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}.`,
      '',
      'Event logs, which `order` and `verify-determinism` read: event-log. Anything else is unknown.',
    ]
  },
  examples: [
    ['transcript detect run.yaml', 'print the kind of a file'],
    ['transcript detect - --format json < run.yaml', 'print the kind of stdin as JSON'],
  ],
  exits: { 0: 'printed', 1: 'the kind is unknown', 2: 'invalid arguments, or an unreadable file' },
  see: ['show', 'convert', 'formats.md'],
  options: {
    format: { values: ['text', 'json'], help: 'for people or programs' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(detect, files)
  const found = detectKind(await readInput(name, terminal, values), openOptions(values, name, terminal))
  const { kind, confidence, reason } = found
  // A log may be no text.
  if (kind !== 'unknown') terminal.unreadable = false
  const sure = confidence === 'likely' ? ', likely' : ''
  const question = found.unrecognized === undefined ? '' : "We don't recognize this format. Which tool wrote it? "
  terminal.out(values.format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : `${kind}${sure}: ${question}${printable(reason)}\n`)
  return kind === 'unknown' ? 1 : 0
}
