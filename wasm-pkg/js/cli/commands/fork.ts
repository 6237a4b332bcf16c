import { openOptions } from '../arguments.ts'
import { travel } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { expand } from '../core.ts'
import { UsageError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
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
    'FILE is a name, or - for stdin. STEP is a number, or a path such as 2.1. The final state is recomputed, and tool calls',
    'without a result are listed.',
  ],
  examples: [
    ['transcript fork run.yaml 2 -o run.fork.yaml', 'write the run up to step 2'],
    ['transcript fork run.yaml 1 --format json', 'print JSON'],
  ],
  exits: { 0: 'written', 1: 'the transcript has errors, or cannot be forked at this step', 2: 'invalid arguments, or no such step' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['state', 'time-travel.md'],
  options: {
    format: { values: ['yaml', 'json'], help: 'the format to write' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const [file, step, ...more] = files
  if (step === undefined || more.length > 0) throw new UsageError('`fork` takes a file and a step', `transcript ${fork.usage}`)
  if (!/^\d{1,9}(\.\d{1,9})*$/.test(step))
    throw new UsageError(`\`${step}\` is not a step`, 'a step is a path such as 2, or 2.1 in a nested run')
  const names = inputNames([file!])
  if (names.length !== 1) throw new UsageError(`\`fork\` takes one file, but got ${names.length}`, `transcript ${fork.usage}`)
  const input = await readInput(names[0]!, terminal, values)
  const options = openOptions(values, names[0]!, terminal)
  const document = openDocument(input, options)
  terminal.err(document.render({ color: terminal.colorErr(values.color) }))
  const { text, marks, notes, problem } = travel(input, { fork: { at: step } }, withFiles(input, options))
  if (text === null) {
    // The errors of the document are already shown.
    if (problem!.change === null && !document.ok) return 1
    const { message, help } = hasOnlyHandlers(document) ? handlersProblem(document, input.file) : problem!
    terminal.err(renderError(message, help))
    return problem!.change === null ? 1 : 2
  }
  for (const note of notes) terminal.err(`note: ${note}\n`)
  const open = marks.flatMap(({ unanswered = [] }) => unanswered)
  if (open.length > 0)
    terminal.err(`note: ${pluralize(open.length, 'tool call')} without a result, because the run ends here: ${open.join(', ')}\n`)
  writeOutput(values.format === 'json' ? expand(text, { format: 'json' }).text! : text, values.output, terminal)
  return document.ok ? 0 : 1
}
