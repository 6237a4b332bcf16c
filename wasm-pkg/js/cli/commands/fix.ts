import type { Diagnostic, FixResult, Options, Source } from '../../types/index.ts'
import { fix as mend } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import { withFiles } from '../opening.ts'
import { printable } from '../printable.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize } from '../report.ts'
import { rewriteFiles } from '../rewriting.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  check?: true
}

export const fix: Command<Values> = {
  name: 'fix',
  usage: 'fix FILES… [--check]',
  about: [
    'FILES are names, folders, patterns, and - for stdin, which is written to stdout. Files are changed in place.',
    'Fixes that are guesses are shown and not applied.',
  ],
  examples: [
    ['transcript fix run.yaml', 'fix a file in place'],
    ['transcript fix transcripts/ --check', 'list the fixes and write nothing'],
    ['transcript fix - < run.yaml > fixed.yaml', 'fix stdin'],
  ],
  exits: {
    0: 'no errors left',
    1: 'errors left, or `--check` found fixes',
    2: 'invalid arguments, or an unreadable file',
  },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['validate', 'fmt', 'edits.md'],
  options: {
    check: { flag: true, help: 'write nothing; list the fixes and exit with 1 if there are any' },
  },
  run,
}

const renderFix = (file: string, { line, code, title }: FixResult['applied'][number]) =>
  `${printable(file)}:${line}: ${printable(title)} [${code}]\n`

/** The guesses among the fixes of what is left. */
const renderGuesses = (file: string, diagnostics: readonly Diagnostic[]) =>
  diagnostics.flatMap(({ line, code, fixes }) =>
    fixes
      .filter(({ applicability }) => applicability === 'suggested')
      .map(({ title }) => `${printable(file)}:${line}: not applied, because it is a guess: ${printable(title)} [${code}]\n`),
  )

const renderDiagnostics = (input: Source, options: Options, color: boolean) => {
  const document = parse(input, options)
  const text = document.render({ color })
  document.free()
  return text
}

async function run(parsed: Arguments<Values>, terminal: Terminal): Promise<number> {
  const { check } = parsed.values
  const report = check ? terminal.out : terminal.err
  const color = terminal.colorErr(parsed.values.color)
  let fixes = 0
  let left = 0
  const counts = await rewriteFiles(fix, parsed, terminal, (input, options) => {
    const all = withFiles(input, options)
    const { text, applied, diagnostics } = mend(input, all)
    if (text === null) {
      terminal.err(renderDiagnostics(input, options, color))
      return null
    }
    fixes += applied.length
    report(applied.map((one) => renderFix(input.file, one)).join(''))
    terminal.err(renderGuesses(input.file, diagnostics).join(''))
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length > 0) terminal.err(renderDiagnostics({ text, file: input.file }, all, color))
    left += errors.length
    return text
  })
  if (left > 0) terminal.err('to see what is left, run `transcript validate`\n')
  const verb = check ? 'can be applied' : 'applied'
  const all = `${pluralize(fixes, 'fix', 'fixes')} ${verb} in ${pluralize(counts.changed, 'file')}`
  terminal.err(`${all}, ${pluralize(left, 'error')} left\n`)
  if (counts.unread > 0) return 2
  return left > 0 || counts.refused > 0 || (check && fixes > 0) ? 1 : 0
}
