import { parse } from 'transcript-workbench'
import { limitsOf } from '../arguments.js'
import { Misuse } from '../failure.js'
import { inputNames, readInput } from '../inputs.js'
import { counted, failure, tally } from '../report.js'

export const validate = {
  name: 'validate',
  usage: 'validate FILES… [--format text|json]',
  summary: 'check transcripts and show what is wrong, with its place',
  about: [
    'FILES are names, folders (searched for .yaml, .yml and .json files), patterns such as',
    "'runs/**/*.yaml', and - for the standard input.",
  ],
  example: 'transcript validate run.yaml transcripts/',
  options: {
    format: { values: ['text', 'json'], help: 'for people, or for programs' },
  },
  run,
}

/** A file that cannot be read does not keep the others from being checked. */
async function run({ files, values }, terminal) {
  if (files.length === 0) throw new Misuse('`validate` needs a file', `transcript ${validate.usage}`)
  const names = inputNames(files)
  const colour = terminal.colourOut(values.color)
  const found = []
  let read = 0
  for (const name of names) {
    try {
      const document = parse(await readInput(name, terminal), limitsOf(values))
      read += 1
      for (const diagnostic of document.diagnostics) found.push(diagnostic)
      if (values.format === 'text') terminal.out(document.render({ color: colour }))
      document.free()
    } catch (error) {
      if (!(error instanceof Misuse)) throw error
      terminal.err(failure(error.message))
    }
  }
  const { errors, warnings } = tally(found)
  terminal.out(
    values.format === 'json'
      ? `${JSON.stringify({ diagnostics: found }, null, 2)}\n`
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')} in ${counted(read, 'file')}\n`,
  )
  if (read < names.length) return 2
  return errors > 0 ? 1 : 0
}
