import type { Difference } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import { diff as compare } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import { UsageError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
import { inputNames, readInput } from '../inputs.ts'
import { printable } from '../printable.ts'
import { CONFIG_FILES } from '../manual-files.ts'
import { renderError } from '../report.ts'
import { writeOutput } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  ignore?: string[]
  'literal-ids'?: true
  format: 'text' | 'json'
}

export const diff: Command<Values> = {
  name: 'diff',
  usage: 'diff A B [--ignore WHAT,…] [--literal-ids] [--format text|json]',
  about: [
    'A and B are names; one of them can be - for stdin.',
    'WHAT is ids, timestamps, usage, ulids, metadata, or a path such as execution.*.llm_config.',
  ],
  examples: [
    ['transcript diff before.yaml after.yaml', 'compare two runs'],
    ['transcript diff before.yaml after.yaml --ignore ids,timestamps', 'ignore what differs in every run'],
    ['transcript diff before.yaml after.yaml --format json', 'print JSON'],
  ],
  exits: {
    0: 'no differences, except ignored ones',
    1: 'differences, or a file that is not a transcript',
    2: 'invalid arguments, or an unreadable file',
  },
  reads: [CONFIG_FILES],
  see: ['show', 'diff.md'],
  options: {
    ignore: { name: 'WHAT', many: true, help: 'ignore these differences, and report how many' },
    'literal-ids': { flag: true, help: 'compare ids exactly' },
    format: { values: ['text', 'json'], help: 'for people or programs' },
  },
  run,
}

/** What the ignores hid of two transcripts that are equal but for that. */
const ignoredText = (ignored: Difference['ignored']) =>
  ignored.map(({ name, count }) => (count === 0 ? '' : `ignored ${printable(name)}: ${count}\n`)).join('')

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.filter((name) => name === '-').length > 1) {
    throw new UsageError('stdin can be read only once', 'write one of the two to a file first')
  }
  const names = files.length === 2 && files[0] === files[1] ? files : inputNames(files)
  if (names.length !== 2) throw new UsageError(`\`diff\` takes two files, but got ${names.length}`, `transcript ${diff.usage}`)
  const [left, right] = [await readInput(names[0]!, terminal, values), await readInput(names[1]!, terminal, values)]
  const options = openOptions(values, names[0]!, terminal)
  const { rendered, ...difference } = compare(left, right, {
    ...options,
    ignore: values.ignore ?? [],
    literalIds: values['literal-ids'] === true,
    color: terminal.colorOut(values.color),
  })
  if (!difference.ok) {
    let handlers: ReturnType<typeof handlersProblem> | undefined
    for (const input of [left, right]) {
      const document = parse(input, options)
      if (hasOnlyHandlers(document)) handlers ??= handlersProblem(document, input.file)
      if (!document.readable) terminal.err(document.render({ color: terminal.colorErr(values.color) }))
      document.free()
    }
    if (difference.diagnostics.length > 0) return 1
    const message = 'nothing to compare: one of the files has no run'
    terminal.err(renderError(handlers?.message ?? message, handlers?.help))
    return 2
  }
  const asText = rendered === '' ? ignoredText(difference.ignored) : rendered
  writeOutput(values.format === 'json' ? JSON.stringify(difference, null, 2) : asText, undefined, terminal)
  return difference.equal ? 0 : 1
}
