import { openOptions } from '../arguments.ts'
import { compact as shorten } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { renderLosses } from '../losses.ts'
import { printable } from '../printable.ts'
import { CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError } from '../report.ts'
import { writeOutput } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  force?: true
  output?: string
}

export const compact: Command<Values> = {
  name: 'compact',
  usage: 'compact FILE [--force] [-o OUT]',
  about: [
    'FILE is a name, or - for the standard input. What would be lost is told on the standard error, with its place;',
    'then nothing is written, unless --force accepts the losses.',
  ],
  examples: [
    ['transcript compact run.full.yaml -o run.yaml', 'writes the short form, if it says the same'],
    ['transcript compact run.full.yaml --force', 'prints it, whatever is lost'],
  ],
  exits: {
    0: 'written',
    1: 'something would be lost, or the transcript has errors; nothing was written',
    2: 'misuse, or a file that cannot be read',
  },
  reads: [CONFIG_FILES],
  see: ['expand', 'compact.md'],
  options: {
    force: { flag: true, help: 'write it in spite of losses' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(compact, files)
  const input = await readInput(name, terminal, values)
  const options = openOptions(values, name, terminal)
  const { ok, text, losses, summary, notices } = shorten(input, { ...options, force: values.force === true })
  if (text === null && losses.length === 0) {
    terminal.err(parse(input, options).render({ color: terminal.colourErr(values.color) }))
    return 1
  }
  terminal.err(notices.map((notice) => `${printable(input.file)}: the compact form would lose ${printable(notice)}\n`).join(''))
  if (!ok) {
    terminal.err(renderLosses('the compact form would lose', input.file, { losses, summary }))
  }
  if (text === null) {
    terminal.err(renderError(`the compact form would lose ${pluralize(losses.length, 'thing')}`, '`--force` writes it in spite of that'))
    return 1
  }
  writeOutput(text, values.output, terminal)
  return 0
}
