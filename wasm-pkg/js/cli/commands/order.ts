import type { EventLog, EventOrder } from '../../types/experimental.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { renderError } from '../report.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  order: EventOrder
  why?: string[]
  past?: string
  future?: string
  json?: true
}

export const order: Command<Values> = {
  name: 'order',
  usage: 'order LOG [--order kahn|layers] [--why ID[,ID] | --past ID | --future ID] [--json]',
  about: [
    'LOG is an event log (JSON lines, a list, or a recording with `_inter_agent_events`), or - for stdin.',
    'The order does not depend on the order of the lines or on clocks.',
  ],
  examples: [
    ['transcript order events.jsonl', 'print the ids in order'],
    ['transcript order events.jsonl --order layers', 'print them layer by layer'],
    ['transcript order events.jsonl --json', 'print the rows as JSON'],
  ],
  exits: { 0: 'printed', 1: 'the log has errors', 2: 'invalid arguments, or an unreadable file' },
  see: ['verify-determinism', 'record-replay-spec.md'],
  options: {
    order: { values: ['kahn', 'layers'], help: 'kahn: always the smallest id that is ready; layers: all that are ready, layer by layer' },
    why: { many: true, name: 'ID[,ID]', help: 'explain the place of an event, or why one event comes before another' },
    past: { name: 'ID', help: 'print the events that led to this one, nearest first' },
    future: { name: 'ID', help: 'print the events that followed from this one, nearest first' },
    json: { flag: true, help: 'print the rows as JSON; for a log with errors, `{ok, rows, diagnostics}`' },
  },
  run,
}

/** Why an event has its place, or why one of two comes before the other: data and text. */
const explainOrder = (log: EventLog, ids: string[], kind: EventOrder) => {
  if (ids.length > 2) throw new UsageError(`\`--why\` takes one id or two, but got ${ids.length}`)
  const places = log.order({ order: kind })
  for (const id of ids) {
    if (!places.includes(id.toLowerCase())) throw new UsageError(`the log has no event \`${id}\``)
  }
  if (ids.length === 1) {
    const tie = log.explain(places.indexOf(ids[0]!.toLowerCase()) + 1, { order: kind })!
    return { data: tie, text: `${tie.id} is ${tie.place} of ${places.length}: ${tie.reason}\n` }
  }
  const pair = log.between(...(ids as [string, string]), { order: kind })
  if (pair === undefined) throw new UsageError('`--why` takes the ids of two events, but got one twice')
  const by = pair.relation === 'follows' ? pair.by.map((id) => `  ${id}\n`).join('') : ''
  return { data: pair, text: `${pair.first} comes before ${pair.second}: ${pair.reason}\n${by}` }
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const { readEvents } = await import('transcript-workbench/experimental')
  const input = await readInput(onlyInput(order, files), terminal, values)
  const queries = (['why', 'past', 'future'] as const).filter((name) => values[name] !== undefined)
  if (queries.length > 1) throw new UsageError(`\`--${queries[0]}\` and \`--${queries[1]}\` cannot be used together`)
  const log = readEvents(input, { maxBytes: values['max-bytes'] })
  terminal.err(log.render({ color: terminal.colorErr(values.color) }))
  if (!log.ok) {
    terminal.err(renderError('the log has errors, so its order is not reliable'))
    if (values.json && queries.length === 0) {
      const { ok, diagnostics } = log
      terminal.out(`${JSON.stringify({ ok, rows: log.rows({ order: values.order }), diagnostics }, null, 2)}\n`)
    }
    return 1
  }
  const print = (data: unknown, text?: string) => terminal.out(values.json ? `${JSON.stringify(data, null, 2)}\n` : text!)
  const lines = (ids: readonly string[]) => ids.map((id) => `${id}\n`).join('')
  const [query] = queries
  if (query === 'why') {
    const { data, text } = explainOrder(log, values.why!, values.order)
    print(data, text)
  } else if (query !== undefined) {
    const ids = log[query](values[query]!)
    if (ids === undefined) throw new UsageError(`the log has no event \`${values[query]}\``)
    print(ids, lines(ids))
  } else if (values.json) {
    print(log.rows({ order: values.order }))
  } else {
    terminal.out(lines(log.order({ order: values.order })))
  }
  return 0
}
