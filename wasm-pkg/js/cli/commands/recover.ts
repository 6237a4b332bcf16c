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
    'JOURNAL is a name, or - for stdin. All complete lines are used. If the journal has several recordings, the last one with',
    'a fact is used unless you name another. Nested runs with files of their own are written next to OUT.',
  ],
  examples: [
    ['transcript recover run.journal -o recovered.yaml', 'write the transcript'],
    ['transcript recover run.journal --format json', 'print JSON'],
  ],
  exits: {
    0: 'all lines were used',
    1: 'no facts, or some lines or facts could not be used',
    2: 'invalid arguments, or not a journal',
  },
  see: ['record', 'record.md'],
  options: {
    recording: { name: 'N', help: 'the recording to use: a number from 1, or an id' },
    format: { values: ['yaml', 'json'], help: 'the format to write' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

/** Whether text without a fact was never a journal; one that was cut in its first line begins as JSON does. */
const isNotJournal = (bytes: Uint8Array, lines: RecoveredRecording['lines'], truncatedLine: number | null) =>
  lines.length > 0 || (truncatedLine !== null && bytes[0] !== 0x7b)

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
  const { text, transcript, files: others, facts, truncatedLine, lines, problems, recordings, recording } = readJournal(bytes, values)
  if (facts === 0 && isNotJournal(bytes, lines, truncatedLine)) {
    const { reason } = detect(bytes)
    throw new UsageError(
      `\`${file}\` is not a recording journal: ${reason}`,
      'a journal has one fact a line, such as {"v":1,"seq":1,"fact":"message_appended",...}',
    )
  }
  const place = (line: number) => `${file}:${line}`
  for (const { line, message, help } of lines)
    terminal.err(renderError(`${place(line)}: ${message}`, help?.replace('`maxBytes`', '`--max-bytes`')))
  for (const { seq, message, help } of problems)
    terminal.err(renderError(`fact ${seq}: ${message}`, help?.replace('`maxBytes`', '`--max-bytes`')))
  if (truncatedLine !== null) terminal.err(`${printable(place(truncatedLine))}: the journal was cut in this line, which is skipped\n`)
  if (recordings.length > 1) {
    const others = recordings.map(describeRecording).filter((_, at) => at !== recording - 1)
    terminal.err(`${printable(file)}: using recording ${recording}; choose another with \`--recording\`: ${others.join(', ')}\n`)
  }
  if (facts === 0) {
    terminal.err(renderError(`\`${file}\` has no facts to recover`))
    return 1
  }
  writeOutputExactly(values.format === 'json' ? `${JSON.stringify(transcript, null, 2)}\n` : text, values.output, terminal)
  for (const { path, text: inner } of others) {
    if (values.output !== undefined) saveText(join(dirname(values.output), path), inner)
  }
  terminal.err(`${pluralize(facts, 'fact')} recovered\n`)
  return lines.length + problems.length === 0 ? 0 : 1
}
