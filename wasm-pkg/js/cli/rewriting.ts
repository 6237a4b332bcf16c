// What the commands share that rewrite files in their places.
import type { Options } from '../types/index.ts'
import { openOptions } from './arguments.ts'
import type { Arguments, Command } from './command.ts'
import { parse } from './core.ts'
import { UsageError, ConfigError } from './failure.ts'
import { type Input, inputNames, isNamed, readInput, wasCompressed } from './inputs.ts'
import { trackProgress } from './progress.ts'
import { renderError, skippedFilesText } from './report.ts'
import { saveText } from './save.ts'
import type { Terminal } from './terminal.ts'

const textOf = ({ bytes }: Input) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

const isUnrelated = (input: Input, options: Options) => {
  const document = parse(input, options)
  const { unrelated } = document.overview
  document.free()
  return unrelated
}

/**
 * Runs `work` on every file and saves what it makes of it; the standard input goes to the standard output.
 *
 * `work` takes a source and options and returns the new text, or null to leave the file as it is. With `check`
 * nothing is saved. Files in folders that are no transcripts are left alone. Returns how many files changed, or would,
 * and how many could not be read.
 */
export const rewriteFiles = async (
  command: Pick<Command, 'name' | 'usage'>,
  { files, values }: Arguments<{ check?: true }>,
  terminal: Terminal,
  work: (input: Input, options: Options) => string | null,
) => {
  if (files.length === 0) throw new UsageError(`\`${command.name}\` needs a file`, `transcript ${command.usage}`)
  const counts = { changed: 0, same: 0, unread: 0, refused: 0, skipped: 0 }
  const names = inputNames(files)
  const progress = trackProgress(terminal, names)
  for (const name of names) {
    progress.next(name)
    try {
      const input = await readInput(name, terminal, values)
      const options = openOptions(values, name, terminal)
      if (!isNamed(name, files) && isUnrelated(input, options)) {
        counts.skipped += 1
        continue
      }
      const before = textOf(input)
      const after = work(input, options)
      if (name === '-' && !values.check) terminal.out(after ?? before)
      else if (after !== null && after !== before && !values.check) saveText(name, after, { zipped: wasCompressed(input) })
      if (after === null) counts.refused += 1
      else counts[after === before ? 'same' : 'changed'] += 1
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof ConfigError) throw error
      terminal.err(renderError(error.message, error.help))
      counts.unread += 1
    }
  }
  terminal.err(skippedFilesText(counts.skipped))
  return counts
}
