import { isUtf8 } from 'node:buffer'
import type { ActualRun, Check, TranscriptDocument } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { checkRun } from '../core.ts'
import { UsageError, ConfigError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers, type SkipReason, skipReasonOf } from '../handlers-only.ts'
import { inputNames, isNamed, readInput } from '../inputs.ts'
import { openDocument } from '../opening.ts'
import { printable } from '../printable.ts'
import { trackProgress } from '../progress.ts'
import { CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError, skippedFilesText } from '../report.ts'
import { readRun } from '../actual-run.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  run?: string
  format: 'text' | 'json'
}

export const check: Command<Values> = {
  name: 'check',
  usage: 'check FILES… [--run RUN] [--format text|json]',
  about: [
    'FILES are names, folders, patterns, and - for stdin. Failed assertions are shown with their evidence.',
    'RUN is a run to check instead of the recorded one: a transcript, or JSON such as {"messages": [...], "context": {...}}.',
  ],
  examples: [
    ['transcript check run.yaml transcripts/', 'check the assertions against the recordings'],
    ['transcript check run.yaml --run actual.json', 'check them against another run'],
    ['transcript check run.yaml --format json', 'print JSON'],
  ],
  exits: {
    0: 'all assertions passed',
    1: 'an assertion failed, or could not be evaluated',
    2: 'invalid arguments, an unreadable file, or nothing to check',
  },
  reads: [CONFIG_FILES],
  see: ['test', 'assertions.md'],
  options: {
    run: { name: 'RUN', help: 'the run to check the assertions of one file against' },
    format: { values: ['text', 'json'], help: 'for people or programs' },
  },
  run,
}

/** Whether there was no run to check: that outcome has no assertion. */
export const hasNoRun = ({ outcomes: [first] }: Check) => first !== undefined && first.type === '' && first.place.endOffset === 0

/** The outcomes of a file. */
interface FileCheck extends Check {
  file: string
}

interface Settings {
  files: readonly string[]
  values: Values & CommonValues
  actual: ActualRun | TranscriptDocument | undefined
}

/** Checks the assertions of one file, or returns why a file of a folder is skipped. */
const checkFile = async (name: string, { files, values, actual }: Settings, terminal: Terminal): Promise<FileCheck | SkipReason> => {
  const input = await readInput(name, terminal, values)
  const document = openDocument(input, openOptions(values, name, terminal))
  try {
    const skipReason = isNamed(name, files) ? undefined : skipReasonOf(document)
    if (skipReason !== undefined) return skipReason
    const color = terminal.colorOut(values.color)
    const result = actual === undefined ? document.check({ color }) : checkRun(document, actual, { color })
    // Findings that the outcomes contain are not printed again.
    if (values.format === 'text') terminal.out(result.renderedDiagnostics)
    if (!isUtf8(input.bytes)) throw new UsageError(`cannot read \`${input.file}\`: it is not text`)
    if (!hasOnlyHandlers(document)) return { file: input.file, ...result }
    const { message, help } = handlersProblem(document, input.file)
    return { file: input.file, ...result, rendered: renderError(message, help) }
  } finally {
    document.free()
  }
}

const summaryText = (found: readonly FileCheck[], unread: readonly { file: string }[]) => {
  const checked = found.filter((result) => !hasNoRun(result))
  const sum = (key: 'passed' | 'failed' | 'errors') => checked.reduce((total, one) => total + one[key], 0)
  const all = sum('passed') + sum('failed') + sum('errors')
  const not = [...found.filter(hasNoRun), ...unread].map(({ file }) => printable(file))
  const others = not.length === 0 ? '' : `; ${pluralize(not.length, 'file')} could not be checked: ${not.join(', ')}`
  return `${sum('passed')} of ${pluralize(all, 'assertion')} passed, in ${pluralize(checked.length, 'file')}${others}\n`
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`check` needs a file', `transcript ${check.usage}`)
  const names = inputNames(files)
  if (values.run !== undefined && names.length > 1) {
    throw new UsageError(`\`--run\` takes one file, but got ${names.length}`, `transcript ${check.usage}`)
  }
  const actual = values.run === undefined ? undefined : await readRun(values.run, terminal, values)
  const found: FileCheck[] = []
  const unread: { file: string; message: string }[] = []
  const skipped = { unrelated: 0, handlers: 0 }
  const progress = trackProgress(terminal, names)
  for (const name of names) {
    progress.next(name)
    try {
      const result = await checkFile(name, { files, values, actual }, terminal)
      if (typeof result === 'string') skipped[result] += 1
      else found.push(result)
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof ConfigError) throw error
      terminal.err(renderError(error.message, error.help))
      unread.push({ file: name === '-' ? '<stdin>' : name, message: error.message })
    }
  }
  terminal.err(skippedFilesText(skipped.unrelated, skipped.handlers))
  const hasNoRun = found.length + unread.length === 0
  const ok = !hasNoRun && unread.length === 0 && found.every(({ ok }) => ok)
  if (values.format === 'json') {
    const withoutText = found.map(({ rendered: _, renderedDiagnostics: __, ...rest }) => rest)
    terminal.out(`${JSON.stringify({ ok, files: withoutText, unreadable: unread }, null, 2)}\n`)
  } else if (found.length > 0) {
    for (const { rendered } of found) terminal.out(rendered)
    terminal.out(summaryText(found, unread))
  }
  if (hasNoRun) terminal.err(renderError('nothing was checked: no file has a run'))
  if (hasNoRun || unread.length > 0) return 2
  return ok ? 0 : 1
}
