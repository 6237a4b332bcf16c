import { coverage as cover, parse } from 'transcript-workbench'
import { openingOf } from '../arguments.js'
import { Misuse } from '../failure.js'
import { inputNames, readInput } from '../inputs.js'

export const coverage = {
  name: 'coverage',
  usage: 'coverage FILES… [--format text|json]',
  summary: 'tell what of a recording was never used: calls, tools, messages, rules',
  about: ['FILES are names, folders, patterns, and - for the standard input.'],
  example: 'transcript coverage transcripts/',
  options: {
    format: { values: ['text', 'json'], help: 'for people, or for programs' },
  },
  run,
}

async function run({ files, values }, terminal) {
  if (files.length === 0) throw new Misuse('`coverage` needs a file', `transcript ${coverage.usage}`)
  const used = []
  for (const name of inputNames(files)) used.push(await readInput(name, terminal, values))
  const options = openingOf(values, inputNames(files)[0], terminal)
  const { text, ok, ...rest } = cover(used, options)
  terminal.out(values.format === 'json' ? `${JSON.stringify(rest, null, 2)}\n` : text)
  if (ok) return 0
  for (const input of used) {
    const document = parse(input, options)
    if (!document.readable) terminal.err(document.render({ color: terminal.colourErr(values.color) }))
    document.free()
  }
  return 1
}
