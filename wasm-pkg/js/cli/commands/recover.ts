import type { JournalRecording, RecoveredRecording } from '../../types/index.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { detect, recover as fromJournal } from '../core.ts'
import { UsageError } from '../failure.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { printable } from '../printable.ts'
import { pluralize, renderError } from '../report.ts'
import { writeOutputExactly, saveText } from '../save.ts'
import { dirname, join } from 'node:path'
import type { Terminal } from '../terminal.ts'

interface Values {
  recording?: string
  format: 'yaml' | 'json'
  output?: string
}

export const recover: Command<Values> = {
  name: 'recover',
  usage: 'recover JOURNAL [--recording N] [--format yaml|json] [-o OUT]',
  about: [
    'JOURNAL is a name, or - for the standard input. All whole lines count, up to where it was cut.',
    'Of several recordings in one journal the last that has a fact counts, unless another is named.',
    'Runs of other agents that have files of their own are written beside OUT.',
  ],
  examples: [
    ['transcript recover run.journal -o recovered.yaml', 'saves what was recorded'],
    ['transcript recover run.journal --format json', 'prints it as JSON'],
  ],
  exits: {
    0: 'all lines of the journal are in it',
    1: 'there is no fact, or some lines or facts could not be taken',
    2: 'misuse, or a file that is no journal',
  },
  see: ['record', 'record.md'],
  options: {
    recording: { name: 'N', help: 'which recording of the journal, by its number from 1 or its id' },
    format: { values: ['yaml', 'json'], help: 'what to write' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

/** Whether text without a fact was never a journal; one that was cut in its first line begins as JSON does. */
const isNoJournal = (bytes: Uint8Array, lines: RecoveredRecording['lines'], cut: number | null) =>
  lines.length > 0 || (cut !== null && bytes[0] !== 0x7b)

const readJournal = (bytes: Uint8Array, { recording, 'max-bytes': maxBytes }: Values & CommonValues) => {
  try {
    return fromJournal(bytes, { recording, maxBytes })
  } catch (error) {
    if ((error as Error & { code?: string }).code !== 'ERR_TRANSCRIPT_MISUSE') throw error
    throw new UsageError((error as Error).message)
  }
}

/** The description of a recording, `2 (weather, 10 facts)`. */
const describeRecording = ({ name, facts }: JournalRecording, at: number) =>
  `${at + 1} (${name === null ? '' : `${printable(name)}, `}${pluralize(facts, 'fact')})`

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(recover, files)
  const { bytes, file } = await readInput(name, terminal, values)
  // A cut in the middle of a character leaves bytes that are no text, which is no fault of the journal.
  terminal.unreadable = false
  const { text, transcript, files: others, facts, cut, lines, problems, recordings, recording } = readJournal(bytes, values)
  if (facts === 0 && isNoJournal(bytes, lines, cut)) {
    const { reason } = detect(bytes)
    throw new UsageError(
      `\`${file}\` is no journal of a recording: ${reason}`,
      'a journal has one fact a line, such as {"v":1,"seq":1,"fact":"message_appended",...}',
    )
  }
  const place = (line: number) => `${file}:${line}`
  for (const { line, message, help } of lines)
    terminal.err(renderError(`${place(line)}: ${message}`, help?.replace('`maxBytes`', '`--max-bytes`')))
  for (const { seq, message, help } of problems)
    terminal.err(renderError(`fact ${seq}: ${message}`, help?.replace('`maxBytes`', '`--max-bytes`')))
  if (cut !== null) terminal.err(`${printable(place(cut))}: the journal was cut in this line, which is left out\n`)
  if (recordings.length > 1) {
    const others = recordings.map(describeRecording).filter((_, at) => at !== recording - 1)
    terminal.err(`${printable(file)}: this is recording ${recording}; \`--recording\` gives ${others.join(', ')}\n`)
  }
  if (facts === 0) {
    terminal.err(renderError(`\`${file}\` holds no fact, so there is nothing to recover`))
    return 1
  }
  writeOutputExactly(values.format === 'json' ? `${JSON.stringify(transcript, null, 2)}\n` : text, values.output, terminal)
  for (const { path, text: inner } of others) {
    if (values.output !== undefined) saveText(join(dirname(values.output), path), inner)
  }
  terminal.err(`${pluralize(facts, 'fact')} recovered\n`)
  return lines.length + problems.length === 0 ? 0 : 1
}
