import { writeFileSync } from 'node:fs'
import { TranscriptError, replay } from 'transcript-workbench'
import { openingOf } from '../arguments.js'
import { Misuse, Unusable, reasonOf } from '../failure.js'
import { junit } from '../formats/junit.js'
import { inputNames, isNamed, readInput } from '../inputs.js'
import { openDocument, withFiles } from '../opening.js'
import { printable } from '../printable.js'
import { following } from '../progress.js'
import { NAMED, SETTINGS } from '../manual-files.js'
import { counted, failure, longFailure, skippedFiles } from '../report.js'
import { version } from '../version.js'
import { watch } from '../watching.js'
import { hasNoRun } from './check.js'
import { playAll } from './replay.js'

export const test = {
  name: 'test',
  group: 'check',
  usage: 'test FILES… [--json] [--junit FILE] [--watch]',
  summary: 'test transcripts: each reads, replays against itself, and its assertions hold',
  about: [
    'FILES are names, folders, patterns, and - for the standard input. Of each file these are the tests: that it has',
    'no error, that strict replay answers its every request up to the end, and each of its assertions.',
    'With --watch they are run again when a file changes, until the program is ended.',
  ],
  examples: [
    ['transcript test transcripts/', 'runs all tests of a folder'],
    ['transcript test transcripts/ --junit report.xml', 'writes what continuous integration shows'],
    ['transcript test run.yaml --json', 'tells programs'],
  ],
  exits: { 0: 'every test passed', 1: 'a test failed', 2: 'misuse, or a file that cannot be read' },
  reads: [SETTINGS, NAMED],
  see: ['check', 'replay', 'assertions.md'],
  options: {
    json: { flag: true, help: 'tell programs instead of people' },
    junit: { name: 'FILE', help: 'write the results there as the XML of JUnit, too' },
    watch: { flag: true, short: 'w', help: 'run the tests again when a file changes' },
  },
  run,
}

const passed = (name, more) => ({ name, status: 'passed', ...more })

/** What was drawn for people, without its colours. */
const plain = (text) => text.replace(/\u001b\[[\d;]*m/g, '')

/** Whether it is an error that no outcome of an assertion tells. */
const isOfNoAssertion = ({ severity, code }) => severity === 'error' && !/^T50\d$/.test(code)

/** The test that a document can be used; what is said of its assertions is told by theirs. */
const readingOf = (document, told) => {
  const name = 'reads without errors'
  if (told.beside === '' && !hasNoRun(told)) return passed(name)
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error')
  const first = errors.find(isOfNoAssertion) ?? errors[0] ?? { line: 1, code: '', message: 'there is no run in it' }
  const rendered = told.beside
  return { name, status: 'error', line: first.line, message: `${first.code}: ${first.message}`, rendered, details: plain(rendered) }
}

/** The test that a run goes on as recorded; undefined for one that asks no model. */
const replayOf = async (input, options, document) => {
  const name = 'replays against itself'
  if (!document.steps.some(({ kind }) => kind === 'llm_call')) return undefined
  let tape
  try {
    tape = await replay(input, { ...options, unrecorded: 'accept' })
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error
    return { name, status: 'error', message: error.message.split('\n')[0], details: error.message }
  }
  const { divergence } = playAll(tape)
  const { leftover } = tape
  if (divergence === null && leftover.length === 0) return passed(name)
  const details = divergence?.message ?? `the steps ${leftover.join(', ')} are never asked for`
  return { name, status: 'failed', message: details.split('\n')[0], details, rendered: longFailure(details) }
}

const titleOf = ({ path, index, type, description }) =>
  `assertion ${path === '' ? '' : `${path}/`}${index + 1}${type === '' ? '' : `, ${type}`}${description ? `: ${description}` : ''}`

/** The most characters of a value that are told of evidence. */
const MOST_TOLD = 200

/** A value in words: a text in quotes, other data as JSON, what is long cut. */
const valueOf = (value) => {
  const words = JSON.stringify(value)
  return words.length > MOST_TOLD ? `${words.slice(0, MOST_TOLD)}… (${words.length - MOST_TOLD} more characters)` : words
}

/** A piece of evidence in a line: where it is, and what is there. */
const seenOf = ({ step, message, path, expected, actual, place }) => {
  const at = step === '0' ? 'the initial state' : step && `step ${step}`
  const where = [place && `line ${place.line}`, at, message, path && `\`${path}\``].filter(Boolean).join(', ')
  const what = [expected !== undefined && `expected ${valueOf(expected)}`, actual !== undefined && `found ${valueOf(actual)}`].filter(Boolean).join(', ')
  return [where, what].filter(Boolean).join(': ')
}

const evidenceOf = ({ message, help, evidence, leftOut }) => [
  message,
  ...evidence.map((seen) => `  ${seenOf(seen)}`),
  ...(leftOut > 0 ? [`  and ${leftOut} more`] : []),
  ...(help ? [`help: ${help}`] : []),
].join('\n')

const assertionOf = (outcome) => {
  const { status, message, place } = outcome
  const told = { name: titleOf(outcome), line: place.line, status }
  return status === 'passed' ? told : { ...told, message, details: evidenceOf(outcome) }
}

/** The tests of one file; undefined for a file of a folder that is no transcript. */
const testFile = async (name, { files, values }, terminal) => {
  const input = await readInput(name, terminal, values)
  const options = withFiles(input, openingOf(values, name, terminal))
  const document = openDocument(input, openingOf(values, name, terminal))
  try {
    if (!isNamed(name, files) && document.overview.foreign) return undefined
    const color = terminal.colourOut(values.color)
    const told = document.check({ color })
    const reading = readingOf(document, told)
    const outcomes = hasNoRun(told) ? [] : told.outcomes
    const played = reading.status === 'passed' ? await replayOf(input, options, document) : undefined
    const cases = [reading, ...(played ? [played] : []), ...outcomes.map(assertionOf)]
    const rendered = [reading, played].map((one) => one?.rendered ?? '').join('') + (hasNoRun(told) ? '' : told.rendered)
    return { file: input.file, cases, rendered }
  } finally {
    document.free()
  }
}

const isGood = ({ status }) => status === 'passed'

const headOf = ({ file, cases }) => {
  const good = cases.filter(isGood).length
  return `${good === cases.length ? 'ok    ' : 'FAILED'}  ${printable(file)}  ${good} of ${cases.length}\n`
}

const summaryOf = (found) => {
  const cases = found.flatMap(({ cases }) => cases)
  return `${cases.filter(isGood).length} of ${counted(cases.length, 'test')} passed, in ${counted(found.length, 'file')}\n`
}

const shown = ({ file, cases }) => ({
  file,
  tests: cases.map(({ name, status, line, message, details }) => ({
    name, status, line: line ?? null, message: message ?? null, details: details ?? null,
  })),
})

const writeReport = (path, found) => {
  try {
    writeFileSync(path, junit(found))
  } catch (error) {
    throw new Misuse(`cannot write \`${path}\`: ${reasonOf(error)}`)
  }
}

/** Runs the tests of all files once; the exit code. */
const once = async (given, terminal) => {
  const { files, values } = given
  const found = []
  let unread = 0
  let skipped = 0
  const names = inputNames(files)
  const progress = following(terminal, names)
  for (const name of names) {
    progress.next(name)
    try {
      const told = await testFile(name, given, terminal)
      if (told === undefined) skipped += 1
      else found.push(told)
      if (told !== undefined && !values.json) terminal.out(headOf(told) + told.rendered)
    } catch (error) {
      if (!(error instanceof Misuse) || error instanceof Unusable) throw error
      terminal.err(failure(error.message, error.help))
      unread += 1
      const message = error.message
      found.push({ file: name === '-' ? '<stdin>' : name, cases: [{ name: 'can be read', status: 'error', message }], rendered: '' })
    }
  }
  terminal.err(skippedFiles(skipped))
  const ok = found.every(({ cases }) => cases.every(isGood))
  if (values.junit !== undefined) writeReport(values.junit, found)
  if (values.json) terminal.out(`${JSON.stringify({ ok, version: version(), files: found.map(shown) }, null, 2)}\n`)
  else terminal.out(summaryOf(found))
  if (unread > 0) return 2
  return ok ? 0 : 1
}

async function run(given, terminal) {
  const { files, values } = given
  if (files.length === 0) throw new Misuse('`test` needs a file', `transcript ${test.usage}`)
  if (!values.watch) return once(given, terminal)
  if (files.includes('-')) throw new Misuse('the standard input cannot be watched', 'name a file or a folder')
  return watch(() => inputNames(files), () => once(given, terminal), terminal)
}
