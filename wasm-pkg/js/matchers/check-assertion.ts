// Checks assertions on a run: one of a matcher, or those of a transcript.
import { type Evidence, type Source, type TranscriptDocument, check, checkRun } from 'transcript-workbench'
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import type { Run } from '../types/matchers.ts'
import { checkReadable, toRun } from './subject.ts'

const formatEvidence = ({ step, message, path, expected, actual }: Evidence) => {
  const place = [step && `step ${step}`, message, path].filter(Boolean).join(', ')
  const details = [
    expected !== undefined && `expected ${JSON.stringify(expected)}`,
    actual !== undefined && `found ${JSON.stringify(actual)}`,
  ].filter(Boolean)
  return `  ${[place, details.join(', ')].filter(Boolean).join(': ')}`
}

/** An assertion as data. */
export interface Assertion {
  type: string
  [field: string]: unknown
}

/** What a value is that is no data; undefined for data. */
const describeNonData = (value: unknown) => {
  if (value instanceof RegExp) return 'a regular expression'
  if (typeof (value as Fields)?.asymmetricMatch === 'function') return 'an asymmetric matcher'
  return ['function', 'symbol', 'bigint'].includes(typeof value) ? `a ${typeof value}` : undefined
}

/** An assertion as JSON. What is no data would be lost there, so that the assertion would hold or fail whatever the run did. */
const assertionJson = (assertion: Assertion) =>
  JSON.stringify({ messages: ['user: x'], assertions: [assertion] }, (key, value) => {
    const kind = describeNonData(value)
    if (kind === undefined) return value
    throw misuse(
      `\`${key}\` is ${kind}, but matchers compare data: leave out an argument that may have any value, or write an expression with toSatisfyAssertion('expr', { expr })`,
    )
  })

/** Checks `assertion` against a run: whether it holds, and why not. */
export const checkAssertion = (run: Run, assertion: Assertion) => {
  const text = assertionJson(assertion)
  const known = toRun(run)
  const {
    outcomes: [outcome],
    diagnostics,
  } = checkRun({ text, file: assertion.type }, known)
  if (outcome === undefined || outcome.status === 'error') {
    checkReadable(known)
    // A document without an outcome has an error.
    const wrong = outcome ?? diagnostics.find(({ severity }) => severity === 'error')!
    throw misuse(`${assertion.type} cannot be decided: ${wrong.message}${wrong.help ? `; ${wrong.help}` : ''}`)
  }
  const { status, message, help, evidence } = outcome
  const explanation = [message, ...evidence.map(formatEvidence), ...(help ? [`  help: ${help}`] : [])].join('\n')
  return { pass: status === 'passed', words: explanation }
}

/** Checks the assertions of `source` against a run, or those of the run itself: whether all hold, and which do not. */
export const checkAssertions = (run: Run, source: Source | TranscriptDocument | undefined) => {
  const known = toRun(run)
  if (source === undefined && known.text === undefined) {
    throw misuse('toSatisfyAssertions() takes a transcript with assertions: this run is data and has none')
  }
  // A run without text is data, which was rejected above where there is no source.
  const { ok, outcomes, passed, failed, rendered, renderedDiagnostics } =
    source === undefined ? check(known as { text: string; file: string }) : checkRun(source, known)
  if (!ok && failed === 0) checkReadable(known)
  if (!ok && failed === 0) throw misuse(`the assertions cannot be checked\n\n${renderedDiagnostics}${rendered}`.trimEnd())
  if (outcomes.length === 0) throw misuse('toSatisfyAssertions() found no assertions: add `assertions` to the transcript')
  const passedLines = outcomes.map(({ type, message }) => `  ${type}: ${message}`).join('\n')
  return { pass: ok, words: ok ? passedLines : `${outcomes.length - passed} of ${outcomes.length} do not hold\n\n${rendered.trimEnd()}` }
}
