// Why an answer ended, whichever vendor's word was recorded.

const KINDS = {
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded'],
  filter: ['content_filter', 'content-filter', 'refusal', 'safety'],
}

/** `calls`, `stop`, `length` or `filter`. */
export const finishOf = ({ finish_reason: recorded, tool_calls: calls }) => {
  const [kind] = Object.entries(KINDS).find(([, words]) => words.includes(recorded)) ?? []
  return kind ?? (calls.length > 0 ? 'calls' : 'stop')
}
