import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { inputNames, readInput } from '../inputs.ts'
import { pluralsWith } from '../logs.ts'
import { printable } from '../printable.ts'
import { pluralize, renderError } from '../report.ts'
import { writeOutputExactly } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  replace?: true
  output?: string
}

export const nestEvents: Command<Values> = {
  name: 'nest-events',
  usage: 'nest-events RECORDING LOG [--replace] [-o OUT]',
  about: () => [
    `RECORDING is a recording (${pluralsWith('events')} are taken), LOG a log of events; one of them may be - for the`,
    'standard input. The events go under `_inter_agent_events`, each as it is written in LOG. All other bytes of RECORDING stay as they are.',
    'RECORDING itself changes only when OUT names it.',
  ],
  examples: [
    ['transcript nest-events recording.json events.jsonl -o nested.json', 'writes a recording that has the events'],
    ['transcript nest-events nested.json events.jsonl --replace -o nested.json', 'replaces the events of a recording in its place'],
  ],
  exits: {
    0: 'written',
    1: 'the log has errors, or the recording has events already; nothing was written',
    2: 'misuse, or a file that cannot be read',
  },
  see: ['order', 'verify-determinism', 'record-replay-spec.md'],
  options: {
    replace: { flag: true, help: 'replace the events that the recording has' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

/** The largest recording unless --max-bytes is set: that of a log of events. */
const LIMIT = 2 ** 30

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const names = inputNames(files)
  if (files.length !== 2 || names.length !== 2) {
    throw new UsageError('`nest-events` takes a recording and a log', `transcript ${nestEvents.usage}`)
  }
  const [recording, source] = [await readInput(names[0]!, terminal, values), await readInput(names[1]!, terminal, values)]
  const maxBytes = values['max-bytes']
  if (recording.bytes.length > (maxBytes ?? LIMIT)) {
    throw new UsageError(
      `\`${recording.file}\` has ${recording.bytes.length} bytes; the limit is ${maxBytes ?? LIMIT}`,
      'raise the limit with --max-bytes',
    )
  }
  const color = terminal.colourErr(values.color)
  const { readEvents } = await import('transcript-workbench/experimental')
  const log = readEvents(source, { maxBytes })
  const { text, problem } = log.nest(recording, { replace: values.replace ?? false })
  if (problem !== null) {
    terminal.err(log.render({ color }))
    terminal.err(
      renderError(`${log.ok ? recording.file : source.file}: ${problem.message}`, problem.help?.replace('`replace`', '`--replace`')),
    )
    return 1
  }
  // Only together they show which answers the recording lacks.
  const nested = readEvents({ text, file: values.output ?? recording.file }, { maxBytes: 0xffff_ffff })
  terminal.err(nested.render({ color }))
  writeOutputExactly(text, values.output, terminal)
  if (values.output !== undefined) terminal.err(`${pluralize(log.card.events, 'event')} written into ${printable(values.output)}\n`)
  return 0
}
