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
    `RECORDING is a recording (${pluralsWith('events')} are accepted), and LOG an event log. One of them can be - for stdin.`,
    'The events are written to `_inter_agent_events`, each as in LOG. All other bytes of RECORDING stay the same, and the file',
    'itself changes only if OUT names it.',
  ],
  examples: [
    ['transcript nest-events recording.json events.jsonl -o nested.json', 'write a recording with the events'],
    ['transcript nest-events nested.json events.jsonl --replace -o nested.json', 'replace the events in place'],
  ],
  exits: {
    0: 'written',
    1: 'nothing was written: the log has errors, or the recording already has events',
    2: 'invalid arguments, or an unreadable file',
  },
  see: ['order', 'verify-determinism', 'record-replay-spec.md'],
  options: {
    replace: { flag: true, help: 'replace existing events' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
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
  const color = terminal.colorErr(values.color)
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
  if (values.output !== undefined) terminal.err(`${pluralize(log.overview.events, 'event')} written into ${printable(values.output)}\n`)
  return 0
}
