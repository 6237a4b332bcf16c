import type { Diagnostic } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError, ConfigError } from '../failure.ts'
import { github } from '../formats/github.ts'
import { sarif } from '../formats/sarif.ts'
import { inputNames, isNamed, readInput } from '../inputs.ts'
import { openDocument, unreadFiles } from '../opening.ts'
import { trackProgress } from '../progress.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError, skippedFilesText, tally, renderWarning } from '../report.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

interface Values {
  format: 'text' | 'json' | 'github' | 'sarif'
}

export const validate: Command<Values> = {
  name: 'validate',
  usage: 'validate FILES… [--format text|json|github|sarif]',
  about: [
    'FILES are names, folders (searched for .yaml, .yml and .json files), patterns such as',
    "'runs/**/*.yaml', and - for the standard input.",
    '',
    'Rules have the severities off, info, warning and error. A project sets them in transcript.config.json, such as',
    '{"rules": {"T204": "off", "unknown-key": "error"}}: the nearest one above a file holds, and those above it do not',
    'count. A file sets them in comments: `# transcript: off=T204` before the first key is for the whole file, at the',
    'end of a line for that line, alone on a line for the next one. `transcript explain CODE` tells of a rule.',
  ],
  examples: [
    ['transcript validate run.yaml transcripts/', 'checks a file, and all of a folder'],
    ['transcript validate transcripts/ --format github', 'annotates a pull request, as a step of a workflow of GitHub Actions'],
    ['transcript validate - < run.yaml', 'checks what comes in'],
  ],
  exits: { 0: 'no errors; there may be warnings', 1: 'errors were found', 2: 'misuse, or a file that cannot be read' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['explain', 'fix', 'test', 'diagnostics.md'],
  options: {
    format: { values: ['text', 'json', 'github', 'sarif'], help: 'for people, for programs, for GitHub Actions, for code scanning' },
  },
  run,
}

/** Where to read on, for the codes of the errors. */
const explainHint = (found: readonly Diagnostic[]) => {
  const codes = [...new Set(found.filter(({ severity }) => severity === 'error').map(({ code }) => code))].sort()
  const firstCodes = codes.slice(0, 3).join(' ')
  return `more about ${codes.length === 1 ? 'it' : 'them'}: transcript explain ${firstCodes}\n`
}

/** How what was found is written for programs. */
const WRITERS: { [format: string]: (found: readonly Diagnostic[], isWhole: boolean) => string } = {
  json: (found) => `${JSON.stringify({ diagnostics: found }, null, 2)}\n`,
  github,
  sarif: (found, isWhole) => sarif(found, version(), isWhole),
}

/** The note about files that have more findings once they can be read. */
const heldBack = (fileCount: number, read: number) =>
  `${read === 1 ? '' : `in ${pluralize(fileCount, 'file')}, `}findings are held back until what cannot be read is mended\n`

/** A file that cannot be read does not keep the others from being checked. */
async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`validate` needs a file', `transcript ${validate.usage}`)
  const names = inputNames(files)
  const colour = terminal.colourOut(values.color)
  const found: Diagnostic[] = []
  let held = 0
  let read = 0
  let skipped = 0
  const progress = trackProgress(terminal, names)
  for (const name of names) {
    progress.next(name)
    try {
      const input = await readInput(name, terminal, values)
      const document = openDocument(input, openOptions(values, name, terminal))
      if (!isNamed(name, files) && document.overview.foreign) {
        skipped += 1
        document.free()
        continue
      }
      read += 1
      if (document.overview.heldBack) held += 1
      for (const diagnostic of document.diagnostics) found.push(diagnostic)
      if (values.format === 'text') terminal.out(document.render({ color: colour }))
      for (const reason of unreadFiles(document, input)) terminal.err(renderWarning(reason))
      document.free()
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof ConfigError) throw error
      terminal.err(renderError(error.message, error.help))
    }
  }
  const { errors, warnings } = tally(found)
  terminal.err(skippedFilesText(skipped))
  if (values.format === 'text' && read + skipped === 0) return 2
  const summary = () => `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')} in ${pluralize(read, 'file')}\n`
  terminal.out(WRITERS[values.format]?.(found, read + skipped === names.length) ?? summary())
  if (held > 0) terminal.err(heldBack(held, read))
  if (values.format === 'text' && errors > 0) terminal.err(explainHint(found))
  if (read + skipped < names.length) return 2
  return errors > 0 ? 1 : 0
}
