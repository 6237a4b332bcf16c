import { existsSync, realpathSync } from 'node:fs'
import { SIZES, parseSize, openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { openDocument } from '../opening.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { writeOutput } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  format: 'yaml' | 'json'
  dedupe?: true
  'dedupe-above'?: number
  nested?: string
  output?: string
}

export const expand: Command<Values> = {
  name: 'expand',
  usage: 'expand FILE [--format yaml|json] [--dedupe] [--nested HOW] [-o OUT]',
  about: ['FILE is a name, or - for the standard input. What is wrong with it is told on the standard error.'],
  examples: [
    ['transcript expand run.yaml -o run.full.yaml', 'writes every turn, message and id out'],
    ['transcript expand run.yaml --format json', 'prints it as JSON'],
    ['transcript expand run.yaml --dedupe -o small.yaml', 'writes large content that repeats once'],
  ],
  exits: {
    0: 'written',
    1: 'written, but the transcript has errors; or it cannot be read, and nothing was written',
    2: 'misuse, or a file that cannot be read',
  },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['compact', 'formats.md'],
  options: {
    format: { values: ['yaml', 'json'], help: 'what to write' },
    dedupe: { flag: true, help: 'write large content that repeats once, in `blobs`' },
    'dedupe-above': { size: true, name: 'SIZE', help: 'the same, for what is larger than SIZE' },
    nested: { name: 'HOW', help: 'runs of other agents `inline`, by `reference`, or by reference above a size' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

/** The full form has no comments: in place of the file it comes from, it would take them away. */
const isSameFile = (input: string, output: string | undefined) =>
  input !== '-' && output !== undefined && existsSync(output) && realpathSync(input) === realpathSync(output)

const nestedOf = (how: string | undefined) => {
  if (how === undefined || how === 'inline' || how === 'reference') return how
  if (/^\d/.test(how)) return parseSize('nested', how)
  throw new UsageError(`\`--nested\` does not take \`${how}\``, `it takes inline, reference, or a size: ${SIZES}`)
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(expand, files)
  if (existsSync(name) && isSameFile(name, values.output)) {
    throw new UsageError(`\`${values.output}\` is the file to expand; write to another one`)
  }
  const input = await readInput(name, terminal, values)
  const document = openDocument(input, openOptions(values, name, terminal))
  terminal.err(document.render({ color: terminal.colourErr(values.color) }))
  const text = document.expand(values.format, { dedupe: values['dedupe-above'] ?? values.dedupe, nested: nestedOf(values.nested) })
  // OUT is left as it is when there is nothing to write.
  if (text === null) {
    terminal.err(document.renderRefusal({ color: terminal.colourErr(values.color) }))
    return 1
  }
  writeOutput(text, values.output, terminal)
  return document.ok ? 0 : 1
}
