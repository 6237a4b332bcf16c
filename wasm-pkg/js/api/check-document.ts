// Checks the assertions of a document.
import type { DocumentHandle } from '#core'
import type { ActualRun, Check, CheckOutcome } from '../types/index.ts'
import { invoke } from './core.ts'
import { toJsonText } from './data.ts'
import { misuse } from './misuse.ts'
import { checkOptions, kindOf } from './options.ts'
import { requestJson } from './request.ts'

const checkJson = (call: string, handle: DocumentHandle, run: ActualRun | null | undefined, color: boolean) => {
  if (run === undefined) return invoke(handle, 'check', color)
  if (typeof run !== 'object' || run === null) {
    throw misuse(`${call}() takes a run, such as {messages: [...]}, but got ${kindOf(run)}`)
  }
  // Messages of a framework have their own forms for bytes and similar values.
  const text = run.format === undefined ? toJsonText(run, 'the run') : requestJson(run)
  return invoke(handle, 'checkRun', text, color)
}

/** The outcomes of the assertions of an open document: on its own run, on the run of `other`, or on an actual one. */
export const checkDocument = (
  call: string,
  handle: DocumentHandle,
  run: ActualRun | null | undefined,
  options: { color?: boolean } | undefined,
  other?: DocumentHandle,
): Check => {
  const { color = false } = checkOptions(call, options, ['color'])
  if (typeof color !== 'boolean') throw misuse(`the option \`color\` of ${call}() is a boolean, but got ${kindOf(color)}`)
  const text = other === undefined ? checkJson(call, handle, run, color) : invoke(handle, 'checkAgainst', other, color)
  const { outcomes, rendered, renderedDiagnostics }: { outcomes: CheckOutcome[]; rendered: string; renderedDiagnostics: string } =
    JSON.parse(text)
  const count = (wanted: CheckOutcome['status']) => outcomes.filter(({ status }) => status === wanted).length
  const [passed, failed, errors] = (['passed', 'failed', 'error'] as const).map(count) as [number, number, number]
  const isWhole = invoke(handle, 'isWhole') && (other === undefined || invoke(other, 'isWhole'))
  const ok = isWhole && invoke(handle, 'isOk') && failed + errors === 0
  return { ok, passed, failed, errors, outcomes, diagnostics: JSON.parse(invoke(handle, 'diagnostics')), rendered, renderedDiagnostics }
}
