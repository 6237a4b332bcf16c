// Whether one assertion holds of a run.
import { type Evidence, checkRun } from 'transcript-workbench'
import type { Run } from '../types/matchers.d.ts'
import { toRun } from './subject.ts'

const formatEvidence = ({ step, message, path, expected, actual }: Evidence) => {
  const place = [step && `step ${step}`, message, path].filter(Boolean).join(', ')
  const details = [
    expected !== undefined && `expected ${JSON.stringify(expected)}`,
    actual !== undefined && `found ${JSON.stringify(actual)}`,
  ]
  return `  ${[place, ...details].filter(Boolean).join(': ')}`
}

/** An assertion as data. */
export interface Assertion {
  type: string
  [field: string]: unknown
}

/** Checks `assertion` against a run: whether it holds, and why not. */
export const checkAssertion = (run: Run, assertion: Assertion) => {
  const text = JSON.stringify({ messages: ['user: x'], assertions: [assertion] })
  const {
    outcomes: [outcome],
    diagnostics,
  } = checkRun({ text, file: assertion.type }, toRun(run))
  if (outcome === undefined || outcome.status === 'error') {
    // A document without an outcome has an error.
    const wrong = outcome ?? diagnostics.find(({ severity }) => severity === 'error')!
    throw new TypeError(`${assertion.type} cannot be told: ${wrong.message}${wrong.help ? `; ${wrong.help}` : ''}`)
  }
  const { status, message, help, evidence } = outcome
  const explanation = [message, ...evidence.map(formatEvidence), ...(help ? [`  help: ${help}`] : [])].join('\n')
  return { pass: status === 'passed', words: explanation }
}
