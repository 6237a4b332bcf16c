// `verify-determinism` of a transcript, or of handlers with steps: runs it twice, and shows the first difference.
import type { DeterminismReport, FirstDifference, Json } from '../types/index.ts'
import { openOptions } from './arguments.ts'
import { runTwice } from './authoring.ts'
import type { CommonValues } from './command.ts'
import { parse } from './core.ts'
import { UsageError } from './failure.ts'
import { handlersProblem, hasOnlyHandlers, type SkipReason } from './handlers-only.ts'
import type { Input } from './inputs.ts'
import { withFiles } from './opening.ts'
import { printable } from './printable.ts'
import { pluralize, renderError, renderWarning } from './report.ts'
import type { Terminal } from './terminal.ts'

/** The outcome for a file: the exit code, the result as data, and what is printed of it. */
export interface Verdict {
  code: number
  /** Why the file is skipped if it is in a folder and is not named. */
  skipReason?: SkipReason | undefined
  data: object
  line: string
  errors: string
}

/** Options for logs of events only: a transcript is run with its recorded data. */
const LOG_OPTIONS = ['tools', 'handlers', 'order', 'timeout']

/** Digits of a fingerprint that are enough to distinguish runs; `--json` has all of them. */
const SHORT_FINGERPRINT = 8

const CAUSES = {
  timestamp: 'a timestamp: record it, or ignore it',
  random_id: 'a new id each time: record it, or derive it from the input',
  random_number: 'a random number: record it, or fix the seed',
  order: 'the same values in another order, such as the keys of a map: sort them',
}

const value = (data: Json) => (data === null ? 'nothing' : JSON.stringify(data))

/**
 * The steps around a difference, as a diff has lines. What comes before the difference is equal by meaning, but the keys
 * of a map in it may have another order.
 */
const diffOf = (around: FirstDifference['around'], firstStep: string) => {
  const begin = around.findIndex(({ step }) => step === firstStep)
  const lines = around.flatMap(({ step, kind, first, second }, at) => {
    const line = (sign: string, text: string | null) =>
      text === null ? [] : [printable(`${sign}${step} ${kind}${text === '' ? '' : `: ${text}`}`)]
    return first === second || at < begin ? line(' ', first) : [...line('-', first), ...line('+', second)]
  })
  return ['--- first run', '+++ second run', ...lines].map((line) => `${line}\n`).join('')
}

const renderDifference = ({ step, path, first, second, cause, around }: FirstDifference) => {
  const place = step === '0' ? 'before the first step' : `at step ${step}`
  const likely = cause === null ? '' : `  likely cause: ${CAUSES[cause]}\n`
  return [
    renderError(`the second run differs from the first ${place}${path === '' ? '' : `, in \`${path}\``}`),
    `  first run: ${printable(value(first))}\n  second run: ${printable(value(second))}\n${likely}`,
    around.length > 0 ? `\n${diffOf(around, step.split('.')[0]!)}` : '',
  ].join('')
}

const renderFailures = (failures: DeterminismReport['failures']) =>
  [
    renderError('the replay fails at a step in every run', 'a replay that always fails the same way is still a failure'),
    ...failures.map(({ event, message }) => `  ${printable(`step ${event}: ${message}`)}\n`),
  ].join('')

/** Runs the document twice; `kind` is what `detect` calls it. */
export const verifyTranscript = (
  input: Input,
  kind: string,
  { name, values, set }: { name: string; values: CommonValues & { seed?: number }; set: ReadonlySet<string> },
  terminal: Terminal,
): Verdict => {
  const unsupported = LOG_OPTIONS.find((option) => set.has(option))
  if (unsupported !== undefined) {
    const what = kind === 'handlers' ? 'a document with handlers' : `a transcript (${kind})`
    throw new UsageError(
      `\`--${unsupported}\` is for event logs, but \`${input.file}\` is ${what}`,
      'a transcript uses its recorded results: remove the option',
    )
  }
  const options = withFiles(input, openOptions(values, name, terminal))
  const answer = runTwice(input, { ...options, seed: values.seed ?? 1 })
  const document = parse(input, options)
  const data = { ...answer, diagnostics: document.diagnostics }
  const rendered = answer.kind === 'none' ? document.render({ color: terminal.colorErr(values.color) }) : ''
  // Handlers without steps are sound, though there is nothing to run.
  const handlers = answer.kind === 'none' && hasOnlyHandlers(document) ? handlersProblem(document, input.file) : undefined
  document.free()
  if (answer.kind === 'none') {
    const message = handlers?.message ?? `\`${input.file}\` cannot be run twice: ${answer.reason}`
    return {
      code: 2,
      skipReason: handlers && 'handlers',
      data,
      line: '',
      errors: `${rendered}${renderError(message, handlers?.help)}`,
    }
  }
  const errors = answer.notes.map((note) => renderWarning(note))
  if (answer.firstDifference !== null) errors.push(renderDifference(answer.firstDifference))
  if (answer.failures.length > 0) errors.push(renderFailures(answer.failures))
  const line = `${pluralize(answer.steps, 'step')}, the same in both runs (fingerprint ${answer.hashes[0]!.slice(0, SHORT_FINGERPRINT)}…)\n`
  return { code: answer.ok ? 0 : 1, data, line: answer.ok ? line : '', errors: errors.join('') }
}
