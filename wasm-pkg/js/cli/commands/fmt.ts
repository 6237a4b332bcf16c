import type { Diagnostic } from '../../types/index.ts'
import { format } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import type { Input } from '../inputs.ts'
import { printable } from '../printable.ts'
import { CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError } from '../report.ts'
import { rewriteFiles } from '../rewriting.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  check?: true
}

export const fmt: Command<Values> = {
  name: 'fmt',
  usage: 'fmt FILES… [--check]',
  about: [
    'FILES are names, folders, patterns, and - for stdin, which is written to stdout. Files are changed in place.',
    'Files that are not well-formed stay unchanged.',
  ],
  examples: [
    ['transcript fmt run.yaml', 'format a file in place'],
    ['transcript fmt transcripts/ --check', 'list the files that would change'],
    ['transcript fmt - < run.yaml > tidy.yaml', 'format stdin'],
  ],
  exits: {
    0: 'all files are formatted',
    1: 'a file could not be formatted, or `--check` found one to format',
    2: 'invalid arguments, or an unreadable file',
  },
  reads: [CONFIG_FILES],
  see: ['fix', 'format.md'],
  options: {
    check: { flag: true, help: 'write nothing; list the files that would change and exit with 1 if there are any' },
  },
  run,
}

/** What keeps text from being formatted, such as comments in JSON that is read as YAML. */
const newProblems = (found: readonly Diagnostic[], known: readonly Diagnostic[]) =>
  found
    .filter(({ code, line }) => !known.some((other) => other.code === code && other.line === line))
    .map(({ file, line, column, code, message, help }) => renderError(`${file}:${line}:${column}: ${message} [${code}]`, help))
    .join('')

/** Whether text begins with U+FEFF in UTF-8, which the canonical style does without. */
const hasMark = ({ bytes }: Input) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

async function run(parsed: Arguments<Values>, terminal: Terminal): Promise<number> {
  const color = terminal.colorErr(parsed.values.color)
  const changed: string[] = []
  const counts = await rewriteFiles(fmt, parsed, terminal, (input, options) => {
    const formatted = format(input, options)
    if (formatted.ok) {
      if (formatted.changed) changed.push(input.file)
      if (hasMark(input)) terminal.err(`${printable(input.file)}: byte order mark removed\n`)
      return formatted.text
    }
    const document = parse(input, options)
    terminal.err(document.render({ color }))
    terminal.err(newProblems(formatted.diagnostics, document.diagnostics))
    document.free()
    return null
  })
  const { check } = parsed.values
  if (check) terminal.out(changed.map((file) => `${printable(file)}\n`).join(''))
  const verb = check ? 'would be formatted' : 'formatted'
  terminal.err(`${pluralize(counts.changed, 'file')} ${verb}, ${pluralize(counts.same, 'file')} unchanged\n`)
  if (counts.unread > 0) return 2
  return counts.refused > 0 || (check && counts.changed > 0) ? 1 : 0
}
