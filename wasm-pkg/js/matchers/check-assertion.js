// Whether one assertion holds of a run.
import { checkRun } from 'transcript-workbench'
import { runOf } from './subject.js'

const pieceOf = ({ step, message, path, expected, actual }) => {
  const place = [step && `step ${step}`, message, path].filter(Boolean).join(', ')
  const said = [expected !== undefined && `expected ${JSON.stringify(expected)}`, actual !== undefined && `found ${JSON.stringify(actual)}`]
  return `  ${[place, ...said].filter(Boolean).join(': ')}`
}

/** What came of `assertion`, held against a run: whether it holds, and why not. */
export const holds = (run, assertion) => {
  const text = JSON.stringify({ messages: ['user: x'], assertions: [assertion] })
  const { outcomes: [outcome], diagnostics } = checkRun({ text, file: assertion.type }, runOf(run))
  if (outcome === undefined || outcome.status === 'error') {
    const wrong = outcome ?? diagnostics.find(({ severity }) => severity === 'error')
    throw new TypeError(`${assertion.type} cannot be told: ${wrong.message}${wrong.help ? `; ${wrong.help}` : ''}`)
  }
  const { status, message, help, evidence } = outcome
  const words = [message, ...evidence.map(pieceOf), ...(help ? [`  help: ${help}`] : [])].join('\n')
  return { pass: status === 'passed', words }
}
