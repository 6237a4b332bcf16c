import { openOptions } from '../arguments.ts'
import { travel } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { expand } from '../core.ts'
import { UsageError } from '../failure.ts'
import { inputNames, readInput } from '../inputs.ts'
import { openDocument, withFiles } from '../opening.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError } from '../report.ts'
import { writeOutput } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  format: 'yaml' | 'json'
  output?: string
}

export const fork: Command<Values> = {
  name: 'fork',
  usage: 'fork FILE STEP [--format yaml|json] [-o OUT]',
  about: [
    'FILE is a name, or - for the standard input. STEP is a number, or a path such as 2.1.',
    'The state at the end is worked out again; tool calls that have no result by then are told.',
  ],
  examples: [
    ['transcript fork run.yaml 2 -o run.fork.yaml', 'writes the run up to its second step'],
    ['transcript fork run.yaml 1 --format json', 'prints it as JSON'],
  ],
  exits: { 0: 'written', 1: 'the transcript has errors, or cannot be forked there', 2: 'misuse, or there is no such step' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['state', 'time-travel.md'],
  options: {
    format: { values: ['yaml', 'json'], help: 'what to write' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const [file, step, ...more] = files
  if (step === undefined || more.length > 0) throw new UsageError('`fork` takes a file and a step', `transcript ${fork.usage}`)
  if (!/^\d{1,9}(\.\d{1,9})*$/.test(step))
    throw new UsageError(`\`${step}\` is no step`, 'steps are called 2, or 2.1 in a run of another agent')
  const names = inputNames([file!])
  if (names.length !== 1) throw new UsageError(`\`fork\` takes one file, but got ${names.length}`, `transcript ${fork.usage}`)
  const input = await readInput(names[0]!, terminal, values)
  const options = openOptions(values, names[0]!, terminal)
  const document = openDocument(input, options)
  terminal.err(document.render({ color: terminal.colourErr(values.color) }))
  const { text, marks, notes, problem } = travel(input, { fork: { at: step } }, withFiles(input, options))
  if (text === null) {
    terminal.err(renderError(problem!.message, problem!.help))
    return problem!.change === null ? 1 : 2
  }
  for (const note of notes) terminal.err(`note: ${note}\n`)
  const open = marks.flatMap(({ unanswered = [] }) => unanswered)
  if (open.length > 0) terminal.err(`${pluralize(open.length, 'tool call')} without a result: ${open.join(', ')}\n`)
  writeOutput(values.format === 'json' ? expand(text, { format: 'json' }).text! : text, values.output, terminal)
  return document.ok ? 0 : 1
}
