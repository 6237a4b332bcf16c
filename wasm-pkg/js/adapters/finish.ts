// Why an answer ended, whichever vendor's finish reason was recorded.
import { FINISH_REASONS } from './vendor-names.ts'

/** The kind of a finish reason: `length` or `filter`; undefined for a normal end. */
export const classifyFinishReason = (reason: unknown) => {
  if (typeof reason !== 'string') return undefined
  const [kind] = Object.entries(FINISH_REASONS).find(([, reasons]) => reasons.includes(reason.toLowerCase())) ?? []
  return kind as keyof typeof FINISH_REASONS | undefined
}

/** An answer as far as it shows why it ended. */
export interface EndedAnswer {
  finish_reason?: unknown
  tool_calls: readonly unknown[]
  refusal?: string | null
}

/** `calls`, `stop`, `length` or `filter`. */
export const finishKind = ({ finish_reason: recorded, tool_calls: calls }: EndedAnswer) =>
  classifyFinishReason(recorded) ?? (calls.length > 0 ? 'calls' : 'stop')

/** The same for frameworks in which a refused answer has not ended normally. */
export const finishKindWithRefusal = (response: EndedAnswer) => {
  const kind = finishKind(response)
  return kind === 'stop' && response.refusal ? 'filter' : kind
}
