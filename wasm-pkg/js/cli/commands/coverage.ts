import { openOptions } from '../arguments.ts'
import { coverage as cover } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { type Input, inputNames, isNamed, readInput } from '../inputs.ts'
import { openDocument } from '../opening.ts'
import { CONFIG_FILES } from '../manual-files.ts'
import { skippedFilesText } from '../report.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  consumed?: string[]
  fired?: string[]
  format: 'text' | 'json'
}

export const coverage: Command<Values> = {
  name: 'coverage',
  usage: 'coverage FILES… [--consumed STEPS] [--fired PLACES] [--format text|json]',
  about: [
    'FILES are names, folders, patterns, and - for stdin. For a single file, you can pass what a test used: STEPS such as 1,3,',
    'and PLACES such as handlers.a.rules[0].',
  ],
  examples: [
    ['transcript coverage transcripts/', 'list what no recording uses'],
    ['transcript coverage run.yaml --consumed 1,3', 'include the steps that a test used'],
  ],
  exits: { 0: 'listed', 1: 'a file has errors', 2: 'invalid arguments, or an unreadable file' },
  reads: [CONFIG_FILES],
  see: ['test', 'replay'],
  options: {
    consumed: { name: 'STEPS', many: true, help: 'the steps that a replay used' },
    fired: { name: 'PLACES', many: true, help: 'the handler rules that matched' },
    format: { values: ['text', 'json'], help: 'for people or programs' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`coverage` needs a file', `transcript ${coverage.usage}`)
  const names = inputNames(files)
  const { consumed, fired } = values
  if ((consumed ?? fired) !== undefined && names.length > 1) {
    throw new UsageError(`\`--consumed\` and \`--fired\` take one file, but got ${names.length}`, `transcript ${coverage.usage}`)
  }
  const inputs: Input[] = []
  const options = openOptions(values, names[0]!, terminal)
  let ok = true
  let skipped = 0
  for (const name of names) {
    const input = await readInput(name, terminal, values)
    const document = openDocument(input, openOptions(values, name, terminal))
    if (!isNamed(name, files) && document.overview.unrelated) {
      skipped += 1
    } else {
      inputs.push(input)
      if (!document.ok) terminal.err(document.render({ color: terminal.colorErr(values.color) }))
      ok = ok && document.ok
    }
    document.free()
  }
  terminal.err(skippedFilesText(skipped))
  const {
    text,
    ok: isReadable,
    ...rest
  } = cover(
    inputs.map((input) => ({ ...input, consumed, fired })),
    options,
  )
  terminal.out(values.format === 'json' ? `${JSON.stringify(rest, null, 2)}\n` : text)
  return ok && isReadable ? 0 : 1
}
