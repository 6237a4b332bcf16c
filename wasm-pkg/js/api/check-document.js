// Checks the assertions of a document.
import { invoke } from './core.js'
import { toJsonText } from './data.js'
import { misuse } from './misuse.ts'
import { checkOptions, kindOf } from './options.js'
import { requestJson } from './request.js'

const checkJson = (call, handle, run, color) => {
  if (run === undefined) return invoke(handle, 'check', color)
  if (typeof run !== 'object' || run === null) {
    throw misuse(`${call}() takes a run, such as {messages: [...]}, but got ${kindOf(run)}`)
  }
  // Messages of a framework have their own forms for bytes and similar values.
  const text = run.format === undefined ? toJsonText(run, 'the run') : requestJson(run)
  return invoke(handle, 'checkRun', text, color)
}

/** The outcomes of the assertions of an open document: on its own run, on the run of `other`, or on an actual one. */
export const checkDocument = (call, handle, run, options, other) => {
  const { color = false } = checkOptions(call, options, ['color'])
  if (typeof color !== 'boolean') throw misuse(`the option \`color\` of ${call}() is true or false, but got ${kindOf(color)}`)
  const text = other === undefined ? checkJson(call, handle, run, color) : invoke(handle, 'checkAgainst', other, color)
  const { outcomes, rendered, beside } = JSON.parse(text)
  const count = (wanted) => outcomes.filter(({ status }) => status === wanted).length
  const [passed, failed, errors] = ['passed', 'failed', 'error'].map(count)
  const isWhole = invoke(handle, 'isWhole') && (other === undefined || invoke(other, 'isWhole'))
  const ok = isWhole && invoke(handle, 'isOk') && failed + errors === 0
  return { ok, passed, failed, errors, outcomes, diagnostics: JSON.parse(invoke(handle, 'diagnostics')), rendered, beside }
}
