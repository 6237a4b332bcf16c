import { openOptions } from '../arguments.ts'
import { compact as shorten } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
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
    'FILE is a name, or - for stdin. If something would be lost, it is listed with its place, and nothing is written',
    'unless you pass --force.',
  ],
  examples: [
    ['transcript compact run.full.yaml -o run.yaml', 'write the compact form, if nothing is lost'],
    ['transcript compact run.full.yaml --force', 'print it despite losses'],
  ],
  exits: {
    0: 'written',
    1: 'nothing was written: something would be lost, or the transcript has errors',
    2: 'invalid arguments, or an unreadable file',
  },
  reads: [CONFIG_FILES],
  see: ['expand', 'compact.md'],
  options: {
    force: { flag: true, help: 'write it despite losses' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(compact, files)
  const input = await readInput(name, terminal, values)
  const options = openOptions(values, name, terminal)
  const { ok, text, losses, summary, notices } = shorten(input, { ...options, force: values.force === true })
  if (text === null && losses.length === 0) {
    const document = parse(input, options)
    terminal.err(document.render({ color: terminal.colorErr(values.color) }))
    if (hasOnlyHandlers(document)) {
      const { message, help } = handlersProblem(document, input.file)
      terminal.err(renderError(message, help))
    }
    document.free()
    return 1
  }
  terminal.err(notices.map((notice) => `${printable(input.file)}: the compact form would lose ${printable(notice)}\n`).join(''))
  if (!ok) {
    terminal.err(renderLosses('the compact form would lose', input.file, { losses, summary }))
  }
  if (text === null) {
    terminal.err(renderError(`the compact form would lose ${pluralize(losses.length, 'thing')}`, '`--force` writes it despite losses'))
    return 1
  }
  writeOutput(text, values.output, terminal)
  return 0
}
