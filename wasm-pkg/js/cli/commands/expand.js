import { existsSync, realpathSync } from 'node:fs'
import { parse } from 'transcript-workbench'
import { openingOf } from '../arguments.js'
import { Misuse } from '../failure.js'
import { onlyInput, readInput } from '../inputs.js'
import { give } from '../save.js'

export const expand = {
  name: 'expand',
  usage: 'expand FILE [--format yaml|json] [-o OUT]',
  summary: 'write a transcript in its full form',
  about: ['FILE is a name, or - for the standard input. What is wrong with it is told on the standard error.'],
  example: 'transcript expand run.yaml -o run.full.yaml',
  options: {
    format: { values: ['yaml', 'json'], help: 'what to write' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

/** The full form has no comments: in place of the file it comes from, it would take them away. */
const isSameFile = (input, output) =>
  input !== '-' && output !== undefined && existsSync(output) && realpathSync(input) === realpathSync(output)

async function run({ files, values }, terminal) {
  const name = onlyInput(expand, files)
  if (existsSync(name) && isSameFile(name, values.output)) {
    throw new Misuse(`\`${values.output}\` is the file to expand; write to another one`)
  }
  const input = await readInput(name, terminal, values)
  const document = parse(input, openingOf(values, name, terminal))
  terminal.err(document.render({ color: terminal.colourErr(values.color) }))
  const text = document.expand(values.format)
  // OUT is left as it is when there is nothing to write.
  if (text === null) {
    terminal.err(document.renderRefusal({ color: terminal.colourErr(values.color) }))
    return 1
  }
  give(text, values.output, terminal)
  return document.ok ? 0 : 1
}
