// Why an answer ended, whichever vendor's finish reason was recorded. The core has the same table, and one file of tests holds both.

/** The finish reasons of vendors and frameworks, in lower case. Any other recorded reason means a normal end. */
export const FINISH_REASONS = {
  length: [
    'length',
    'max_tokens',
    'max-tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'model_length',
    'model_context_window_exceeded',
  ],
  filter: [
    'content_filter',
    'content-filter',
    'content_filtered',
    'guardrail_intervened',
    'refusal',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
  ],
}

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
