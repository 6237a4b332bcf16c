import { readEvents } from 'transcript-workbench/experimental'
import { onlyInput, readInput } from '../inputs.js'
import { failure } from '../report.js'

export const order = {
  name: 'order',
  usage: 'order LOG [--order kahn|layers]',
  summary: 'print the ids of the events of a log in dependency order, one a line',
  about: [
    'LOG is a log of events: lines of JSON, a list, or a recording with `_inter_agent_events`; or - for the standard input.',
    'The order is the same however the lines stand, and takes no notice of clocks.',
  ],
  example: 'transcript order events.jsonl --order layers',
  options: {
    order: { values: ['kahn', 'layers'], help: 'the smallest id that is ready, again and again; or all that is ready, layer by layer' },
  },
  run,
}

async function run({ files, values }, terminal) {
  const input = await readInput(onlyInput(order, files), terminal, values)
  const log = readEvents(input, { maxBytes: values['max-bytes'] })
  terminal.err(log.render({ color: terminal.colourErr(values.color) }))
  if (!log.ok) {
    terminal.err(failure('the log has errors, so that it has no order to rely on'))
    return 1
  }
  terminal.out(log.order({ order: values.order }).map((id) => `${id}\n`).join(''))
  return 0
}
