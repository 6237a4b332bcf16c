// Checks the assertions of a document.
import { ask } from './core.js'
import { toJsonText } from './data.js'
import { misuse } from './misuse.js'
import { checkOptions, kindOf } from './options.js'
import { requestJson } from './request.js'

const askCore = (call, handle, run, color) => {
  if (run === undefined) return ask(handle, 'check', color)
  if (typeof run !== 'object' || run === null) {
    throw misuse(`${call}() takes a run, such as {messages: [...]}, but got ${kindOf(run)}`)
  }
  // Messages of a framework have their own forms for bytes and similar values.
  const text = run.format === undefined ? toJsonText(run, 'the run') : requestJson(run)
  return ask(handle, 'checkRun', text, color)
}

/** The outcomes of the assertions of an open document: on its own run, on the run of `other`, or on an actual one. */
export const checkDocument = (call, handle, run, options, other) => {
  const { color = false } = checkOptions(call, options, ['color'])
  if (typeof color !== 'boolean') throw misuse(`the option \`color\` of ${call}() is true or false, but got ${kindOf(color)}`)
  const text = other === undefined ? askCore(call, handle, run, color) : ask(handle, 'checkAgainst', other, color)
  const { outcomes, rendered, beside } = JSON.parse(text)
  const count = (wanted) => outcomes.filter(({ status }) => status === wanted).length
  const [passed, failed, errors] = ['passed', 'failed', 'error'].map(count)
  const isWhole = ask(handle, 'isWhole') && (other === undefined || ask(other, 'isWhole'))
  const ok = isWhole && ask(handle, 'isOk') && failed + errors === 0
  return { ok, passed, failed, errors, outcomes, diagnostics: JSON.parse(ask(handle, 'diagnostics')), rendered, beside }
}
