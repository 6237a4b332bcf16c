import { existsSync, realpathSync } from 'node:fs'
import { SIZES, parseSize, openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { openDocument } from '../opening.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { renderError } from '../report.ts'
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
  about: ['FILE is a name, or - for stdin. Diagnostics go to stderr.'],
  examples: [
    ['transcript expand run.yaml -o run.full.yaml', 'write every turn, message and id'],
    ['transcript expand run.yaml --format json', 'print JSON'],
    ['transcript expand run.yaml --dedupe -o small.yaml', 'write large repeated content once'],
  ],
  exits: {
    0: 'written',
    1: 'written despite errors; or unreadable, and nothing was written',
    2: 'invalid arguments, or an unreadable file',
  },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['compact', 'formats.md'],
  options: {
    format: { values: ['yaml', 'json'], help: 'the format to write' },
    dedupe: { flag: true, help: 'write large repeated content once, in `blobs`' },
    'dedupe-above': { size: true, name: 'SIZE', help: 'the same, for content larger than SIZE' },
    nested: { name: 'HOW', help: 'write nested runs `inline`, by `reference`, or by reference above a size' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
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
    throw new UsageError(`\`${values.output}\` is the input file; write to another one`)
  }
  const input = await readInput(name, terminal, values)
  const document = openDocument(input, openOptions(values, name, terminal))
  terminal.err(document.render({ color: terminal.colorErr(values.color) }))
  const text = document.expand(values.format, { dedupe: values['dedupe-above'] ?? values.dedupe, nested: nestedOf(values.nested) })
  // OUT is left as it is when there is nothing to write.
  if (text === null) {
    if (hasOnlyHandlers(document)) {
      const { message, help } = handlersProblem(document, input.file)
      terminal.err(renderError(message, help))
    } else {
      terminal.err(document.renderExpandProblem({ color: terminal.colorErr(values.color) }))
    }
    return 1
  }
  writeOutput(text, values.output, terminal)
  return document.ok ? 0 : 1
}
