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
    "FILES are names, folders (searched for .yaml, .yml and .json files), patterns such as 'runs/**/*.yaml', and - for stdin.",
    '',
    'Set the severity of rules (off, info, warning or error) in transcript.config.json, for example',
    '{"rules": {"T204": "off", "unknown-key": "error"}}. Only the nearest one above a file is used.',
    '',
    'In a file, write a comment such as `# transcript: off=T204`. Before the first key, it applies to the whole file. At the end',
    'of a line, it applies to that line. On a line of its own, it applies to the next line.',
    '',
    '`transcript explain CODE` describes a rule.',
  ],
  examples: [
    ['transcript validate run.yaml transcripts/', 'check a file and a folder'],
    ['transcript validate transcripts/ --format github', 'annotate a pull request in GitHub Actions'],
    ['transcript validate - < run.yaml', 'check stdin'],
  ],
  exits: { 0: 'no errors; warnings are possible', 1: 'errors', 2: 'invalid arguments, or an unreadable file' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['explain', 'fix', 'test', 'diagnostics.md'],
  options: {
    format: { values: ['text', 'json', 'github', 'sarif'], help: 'for people, programs, GitHub Actions or code scanning' },
  },
  run,
}

/** Where to read on, for the codes of the errors. */
const explainHint = (found: readonly Diagnostic[]) => {
  const codes = [...new Set(found.filter(({ severity }) => severity === 'error').map(({ code }) => code))].sort()
  const firstCodes = codes.slice(0, 3).join(' ')
  return `more about ${codes.length === 1 ? 'it' : 'them'}: transcript explain ${firstCodes}\n`
}

/** The form of the findings for programs. */
const WRITERS: { [format: string]: (found: readonly Diagnostic[], isWhole: boolean) => string } = {
  json: (found) => `${JSON.stringify({ diagnostics: found }, null, 2)}\n`,
  github,
  sarif: (found, isWhole) => sarif(found, version(), isWhole),
}

/** The note about files that have more findings once they can be read. */
const moreProblemsNote = (fileCount: number, read: number) =>
  `${read === 1 ? '' : `in ${pluralize(fileCount, 'file')}, `}more problems may be reported once the syntax errors are fixed\n`

/** A file that cannot be read does not keep the others from being checked. */
async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`validate` needs a file', `transcript ${validate.usage}`)
  const names = inputNames(files)
  const color = terminal.colorOut(values.color)
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
      if (!isNamed(name, files) && document.overview.unrelated) {
        skipped += 1
        document.free()
        continue
      }
      read += 1
      if (document.overview.hasMoreDiagnostics) held += 1
      for (const diagnostic of document.diagnostics) found.push(diagnostic)
      if (values.format === 'text') terminal.out(document.render({ color }))
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
  if (held > 0) terminal.err(moreProblemsNote(held, read))
  if (values.format === 'text' && errors > 0) terminal.err(explainHint(found))
  if (read + skipped < names.length) return 2
  return errors > 0 ? 1 : 0
}
