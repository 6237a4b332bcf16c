import { writeFileSync } from 'node:fs'
import type { Check, CheckOutcome, Diagnostic, Evidence, Options, Tape, TranscriptDocument } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { TranscriptError, replay } from '../core.ts'
import { UsageError, ConfigError, fileErrorText } from '../failure.ts'
import { type TestCase, junit } from '../formats/junit.ts'
import { handlersProblem, hasOnlyHandlers, type SkipReason, skipReasonOf } from '../handlers-only.ts'
import { type Input, inputNames, isNamed, readInput } from '../inputs.ts'
import { openDocument, withFiles } from '../opening.ts'
import { printable } from '../printable.ts'
import { trackProgress } from '../progress.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError, renderLongError, skippedFilesText } from '../report.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { watchFiles } from '../watching.ts'
import { hasNoRun } from './check.ts'
import { playAll } from './replay.ts'

interface Values {
  json?: true
  junit?: string
  watch?: true
}

export const test: Command<Values> = {
  name: 'test',
  usage: 'test FILES… [--json] [--junit FILE] [--watch]',
  about: [
    'FILES are names, folders, patterns, and - for stdin. The tests of a file: it has no errors, strict replay answers every',
    'recorded request, and each assertion passes. With --watch, the tests run again when a file changes.',
  ],
  examples: [
    ['transcript test transcripts/', 'run all tests of a folder'],
    ['transcript test transcripts/ --junit report.xml', 'write a JUnit report for CI'],
    ['transcript test run.yaml --json', 'print JSON'],
  ],
  exits: { 0: 'every test passed', 1: 'a test failed', 2: 'invalid arguments, an unreadable file, or nothing to test' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['check', 'replay', 'assertions.md'],
  options: {
    json: { flag: true, help: 'print JSON' },
    junit: { name: 'FILE', help: 'also write a JUnit XML report' },
    watch: { flag: true, short: 'w', help: 'run the tests again when a file changes' },
  },
  run,
}

/** A test with what is printed of it. */
type RenderedCase = TestCase & { rendered?: string }

/** The tests of a file, with what is printed of them. */
interface FileResult {
  file: string
  cases: RenderedCase[]
  rendered: string
}

const passed = (name: string): RenderedCase => ({ name, status: 'passed' })

/** Text for people, without its colors. */
const stripColors = (text: string) => text.replace(/\u001b\[[\d;]*m/g, '')

/** Whether it is an error that belongs to no assertion. */
const isDocumentError = ({ severity, code }: Diagnostic) => severity === 'error' && !/^T50\d$/.test(code)

/** The test that a document can be used; its assertions have tests of their own. */
const readTest = (document: TranscriptDocument, result: Check, file: string): RenderedCase => {
  const name = 'reads without errors'
  if (result.renderedDiagnostics === '' && !hasNoRun(result)) return passed(name)
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error')
  const first = errors.find(isDocumentError) ?? errors[0]
  if (first === undefined) {
    const { message, help } = hasOnlyHandlers(document) ? handlersProblem(document, file) : result.outcomes[0]!
    return { name, status: 'error', line: 1, message, rendered: renderError(message, help), details: message }
  }
  const rendered = result.renderedDiagnostics
  return { name, status: 'error', line: first.line, message: `${first.code}: ${first.message}`, rendered, details: stripColors(rendered) }
}

/** The test that a run replays as recorded; undefined if it calls no model. */
const replayTest = async (input: Input, options: Options, document: TranscriptDocument): Promise<RenderedCase | undefined> => {
  const name = 'replays against itself'
  if (!document.steps.some(({ kind }) => kind === 'llm_call')) return undefined
  let tape: Tape
  try {
    tape = await replay(input, { ...options, unrecorded: 'allow' })
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error
    return { name, status: 'error', message: error.message.split('\n')[0]!, details: error.message }
  }
  const { divergence } = playAll(tape)
  const { leftover } = tape
  if (divergence === null && leftover.length === 0) return passed(name)
  const details = divergence?.message ?? `the steps ${leftover.join(', ')} are never requested`
  return { name, status: 'failed', message: details.split('\n')[0], details, rendered: renderLongError(details) }
}

const titleOf = ({ path, index, type, description }: CheckOutcome) =>
  `assertion ${path === '' ? '' : `${path}/`}${index + 1}${type === '' ? '' : `, ${type}`}${description ? `: ${description}` : ''}`

/** The maximum length of a value in evidence. */
const MAX_LENGTH = 200

/** A value as JSON, truncated if it is long. */
const shortValue = (value: unknown) => {
  const json = JSON.stringify(value)
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}… (${json.length - MAX_LENGTH} more characters)` : json
}

/** A piece of evidence as a line: its place, and the values. */
const evidenceLine = ({ step, message, path, expected, actual, place }: Evidence) => {
  const at = step === '0' ? 'the initial state' : step && `step ${step}`
  const where = [place && `line ${place.line}`, at, message, path && `\`${path}\``].filter(Boolean).join(', ')
  const what = [expected !== undefined && `expected ${shortValue(expected)}`, actual !== undefined && `found ${shortValue(actual)}`]
    .filter(Boolean)
    .join(', ')
  return [where, what].filter(Boolean).join(': ')
}

const failureDetails = ({ message, help, evidence, omitted }: CheckOutcome) =>
  [
    message,
    ...evidence.map((item) => `  ${evidenceLine(item)}`),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
    ...(help ? [`help: ${help}`] : []),
  ].join('\n')

const assertionTest = (outcome: CheckOutcome): RenderedCase => {
  const { status, message, place } = outcome
  const testCase = { name: titleOf(outcome), line: place.line, status }
  return status === 'passed' ? testCase : { ...testCase, message, details: failureDetails(outcome) }
}

/** The tests of one file, or why a file of a folder is skipped. */
const testFile = async (name: string, { files, values }: Arguments<Values>, terminal: Terminal): Promise<FileResult | SkipReason> => {
  const input = await readInput(name, terminal, values)
  const options = withFiles(input, openOptions(values, name, terminal))
  const document = openDocument(input, openOptions(values, name, terminal))
  try {
    const skipReason = isNamed(name, files) ? undefined : skipReasonOf(document)
    if (skipReason !== undefined) return skipReason
    const color = terminal.colorOut(values.color)
    const result = document.check({ color })
    const reading = readTest(document, result, input.file)
    const outcomes = hasNoRun(result) ? [] : result.outcomes
    const replayed = reading.status === 'passed' ? await replayTest(input, options, document) : undefined
    const cases = [reading, ...(replayed ? [replayed] : []), ...outcomes.map(assertionTest)]
    const rendered = [reading, replayed].map((one) => one?.rendered ?? '').join('') + (hasNoRun(result) ? '' : result.rendered)
    return { file: input.file, cases, rendered }
  } finally {
    document.free()
  }
}

const isPassed = ({ status }: TestCase) => status === 'passed'

const headOf = ({ file, cases }: FileResult) => {
  const passedCount = cases.filter(isPassed).length
  return `${passedCount === cases.length ? 'ok    ' : 'FAILED'}  ${printable(file)}  ${passedCount} of ${cases.length}\n`
}

const summaryOf = (found: readonly FileResult[]) => {
  const cases = found.flatMap(({ cases }) => cases)
  return `${cases.filter(isPassed).length} of ${pluralize(cases.length, 'test')} passed, in ${pluralize(found.length, 'file')}\n`
}

const jsonOfFile = ({ file, cases }: FileResult) => ({
  file,
  tests: cases.map(({ name, status, line, message, details }) => ({
    name,
    status,
    line: line ?? null,
    message: message ?? null,
    details: details ?? null,
  })),
})

const writeReport = (path: string, found: readonly FileResult[]) => {
  try {
    writeFileSync(path, junit(found))
  } catch (error) {
    throw new UsageError(`cannot write \`${path}\`: ${fileErrorText(error)}`)
  }
}

/** Runs the tests of all files once; the exit code. */
const runTests = async (parsed: Arguments<Values>, terminal: Terminal) => {
  const { files, values } = parsed
  const found: FileResult[] = []
  let unread = 0
  const skipped = { unrelated: 0, handlers: 0 }
  const names = inputNames(files)
  const progress = trackProgress(terminal, names)
  for (const name of names) {
    progress.next(name)
    try {
      const result = await testFile(name, parsed, terminal)
      if (typeof result === 'string') {
        skipped[result] += 1
        continue
      }
      found.push(result)
      if (!values.json) terminal.out(headOf(result) + result.rendered)
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof ConfigError) throw error
      terminal.err(renderError(error.message, error.help))
      unread += 1
      const message = error.message
      found.push({ file: name === '-' ? '<stdin>' : name, cases: [{ name: 'can be read', status: 'error', message }], rendered: '' })
    }
  }
  terminal.err(skippedFilesText(skipped.unrelated, skipped.handlers))
  const hasNoRun = found.length === 0
  const ok = !hasNoRun && found.every(({ cases }) => cases.every(isPassed))
  if (values.junit !== undefined) writeReport(values.junit, found)
  if (values.json) terminal.out(`${JSON.stringify({ ok, version: version(), files: found.map(jsonOfFile) }, null, 2)}\n`)
  else if (!hasNoRun) terminal.out(summaryOf(found))
  if (hasNoRun) terminal.err(renderError('nothing was tested: no file has a run'))
  if (hasNoRun || unread > 0) return 2
  return ok ? 0 : 1
}

async function run(parsed: Arguments<Values>, terminal: Terminal): Promise<number> {
  const { files, values } = parsed
  if (files.length === 0) throw new UsageError('`test` needs a file', `transcript ${test.usage}`)
  if (!values.watch) return runTests(parsed, terminal)
  if (files.includes('-')) throw new UsageError('the standard input cannot be watched', 'name a file or a folder')
  return watchFiles(
    () => inputNames(files),
    () => runTests(parsed, terminal),
    terminal,
  )
}
