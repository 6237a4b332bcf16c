import { detect, recover as fromJournal } from 'transcript-workbench'
import { Misuse } from '../failure.js'
import { onlyInput, readInput } from '../inputs.js'
import { printable } from '../printable.js'
import { counted, failure } from '../report.js'
import { giveExactly, saveText } from '../save.js'
import { dirname, join } from 'node:path'

export const recover = {
  name: 'recover',
  usage: 'recover JOURNAL [--format yaml|json] [-o OUT]',
  summary: 'make a transcript of the journal of a recording that was cut off',
  about: [
    'JOURNAL is a name, or - for the standard input. All whole lines count, up to where it was cut.',
    'Runs of other agents that have files of their own are written beside OUT.',
  ],
  example: 'transcript recover run.journal -o recovered.yaml',
  options: {
    format: { values: ['yaml', 'json'], help: 'what to write' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

/** Whether text without a fact was never a journal; one that was cut in its first line begins as JSON does. */
const isNoJournal = (bytes, lines, cut) => lines.length > 0 || (cut !== null && bytes[0] !== 0x7b)

async function run({ files, values }, terminal) {
  const name = onlyInput(recover, files)
  const { bytes, file } = await readInput(name, terminal, values)
  // A cut in the middle of a character leaves bytes that are no text, which is no fault of the journal.
  terminal.unreadable = false
  const { text, transcript, files: others, facts, cut, lines, problems } = fromJournal(bytes)
  if (facts === 0 && isNoJournal(bytes, lines, cut)) {
    const { reason } = detect(bytes)
    throw new Misuse(`\`${file}\` is no journal of a recording: ${reason}`, 'a journal has one fact a line, such as {"v":1,"seq":1,"fact":"message_appended",...}')
  }
  const place = (line) => `${file}:${line}`
  for (const { line, message, help } of lines) terminal.err(failure(`${place(line)}: ${message}`, help))
  for (const { seq, message, help } of problems) terminal.err(failure(`fact ${seq}: ${message}`, help))
  if (cut !== null) terminal.err(`${printable(place(cut))}: the journal was cut in this line, which is left out\n`)
  if (facts === 0) {
    terminal.err(failure(`\`${file}\` holds no fact, so there is nothing to recover`))
    return 1
  }
  giveExactly(values.format === 'json' ? `${JSON.stringify(transcript, null, 2)}\n` : text, values.output, terminal)
  for (const { path, text: inner } of others) {
    if (values.output !== undefined) saveText(join(dirname(values.output), path), inner)
  }
  terminal.err(`${counted(facts, 'fact')} recovered\n`)
  return lines.length + problems.length === 0 ? 0 : 1
}
