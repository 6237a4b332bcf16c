import type { Json, StateChanges, StepState, TranscriptDocument } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { openDocument } from '../opening.ts'
import { cut, printable } from '../printable.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError } from '../report.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  step?: string
  against?: string
  format: 'text' | 'json'
}

export const state: Command<Values> = {
  name: 'state',
  usage: 'state FILE [--step N] [--against M] [--format text|json]',
  about: [
    'FILE is a name, or - for stdin. Step 0 is the initial state; the default is the last step.',
    'With --against, it shows what changed from step M to step N.',
  ],
  examples: [
    ['transcript state run.yaml --step 2', 'show the state after step 2'],
    ['transcript state run.yaml --step 2 --against 0', 'show what changed up to step 2'],
    ['transcript state run.yaml --format json', 'print the last state as JSON'],
  ],
  exits: { 0: 'shown', 1: 'shown, but the transcript has errors; or it cannot be read', 2: 'invalid arguments, or no such step' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['show', 'fork', 'time-travel.md'],
  options: {
    step: { name: 'N', help: 'a step, such as 2, or 2.1 in a nested run' },
    against: { name: 'M', help: 'another step of the same run, before or after' },
    format: { values: ['text', 'json'], help: 'for people or programs' },
  },
  run,
}

const messageText = ({ role, content, tool_calls: calls }: { role?: Json; content?: Json; tool_calls?: Json }) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? null)
  // Calls have the form that they have in a transcript.
  const callsText = ((calls ?? []) as { function: { name: string } }[]).map(({ function: { name } }) => name).join(', ')
  return [role, text === 'null' ? '' : text, callsText && `calls ${callsText}`].filter(Boolean).join('  ')
}

const renderState = ({ context, store, visible, sent }: StepState, columns: number) => {
  const shown = new Set<unknown>(visible)
  const line = (text: string) => `  ${cut(printable(text), Math.max(40, columns - 2))}\n`
  const entries = Object.entries(context).map(([key, value]) => line(`${key}: ${JSON.stringify(value)}`))
  const messages = store.map((message) => line(`${message.id}  ${shown.has(message.id) ? '' : '(hidden)  '}${messageText(message)}`))
  const sentLines = (sent ?? []).map((message) => line(`${message.id ?? '-'}  ${messageText(message)}`))
  const head = (title: string, rows: readonly string[]) => `${title}\n${rows.join('')}`
  return [
    head(`context: ${pluralize(entries.length, 'key')}`, entries),
    head(`store: ${pluralize(store.length, 'message')}, ${visible.length} visible`, messages),
    sent === null ? '' : head(`sent to the model: ${pluralize(sent.length, 'message')}`, sentLines),
  ].join('')
}

const renderChanges = ({ from, to, context, stored, removed, visibility }: StateChanges, columns: number) => {
  const line = (text: string) => `  ${cut(printable(text), Math.max(40, columns - 2))}\n`
  const value = ({ kind, ...change }: StateChanges['context'][number], name: 'before' | 'after') =>
    kind === (name === 'before' ? 'added' : 'removed') ? 'absent' : JSON.stringify(change[name])
  const rows = [
    ...context.map((change) => line(`context ${change.key}: ${value(change, 'before')} -> ${value(change, 'after')}`)),
    ...stored.map((message) => line(`+ ${message.id}  ${messageText(message)}`)),
    ...removed.map((message) => line(`- ${message.id}  ${messageText(message)}`)),
    ...visibility.map(({ id, visible }) => line(`${id} is ${visible ? 'shown' : 'hidden'}`)),
  ]
  return `from step ${from} to step ${to}: ${rows.length === 0 ? 'no changes' : pluralize(rows.length, 'change')}\n${rows.join('')}`
}

type Render = (result: StepState | StateChanges, columns: number) => string

const hasStep = (document: TranscriptDocument, path: string) => {
  try {
    document.step(path)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(state, files)
  const document = openDocument(await readInput(name, terminal, values), openOptions(values, name, terminal))
  if (!document.readable) {
    terminal.err(document.render({ color: terminal.colorErr(values.color) }))
    terminal.err(renderError('no state to show: the document cannot be read as a transcript'))
    return 1
  }
  const { steps } = document.overview
  const step = values.step ?? String(steps)
  for (const path of [step, values.against ?? '0']) {
    if (!/^\d+(\.\d+)*$/.test(path)) throw new UsageError(`\`${path}\` is not a step`, 'a step is a path such as 2, or 2.1 in a nested run')
    // The initial state of a nested run has a path too, though no row.
    if (!hasStep(document, path)) throw new UsageError(`there is no step ${path}`, `the last one is ${steps}; 0 is the initial state`)
  }
  const result = values.against === undefined ? document.state(step) : document.changes(values.against, step)
  // It renders its argument.
  const render = (values.against === undefined ? renderState : renderChanges) as Render
  terminal.out(values.format === 'json' ? `${JSON.stringify(result, null, 2)}\n` : render(result, terminal.columns))
  return document.ok ? 0 : 1
}
