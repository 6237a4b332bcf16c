// Details of recorded answers that a replay does not return by itself: how each was streamed, and why it ended.

const DETAILS = ['chunks', 'finish_reason', 'model', 'id']

/** Those details by step; the compact form has none. */
export const answerDetails = (document) => {
  const found = new Map()
  if (document.overview.form === 'compact') return found
  const walk = (turns, prefix) => {
    for (const [at, { llm_response: answer, tool_call: tool }] of (turns ?? []).entries()) {
      const step = `${prefix}${at + 1}`
      const names = DETAILS.filter((name) => answer?.[name] !== undefined && answer[name] !== null)
      if (names.length > 0) found.set(step, Object.fromEntries(names.map((name) => [name, answer[name]])))
      walk(tool?.result?.nested_transcript?.execution, `${step}.`)
    }
  }
  walk(JSON.parse(document.expand('json') ?? '{}').execution, '')
  return found
}
