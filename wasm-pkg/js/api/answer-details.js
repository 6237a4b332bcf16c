// What a recording has of the answers besides what a replay gives again: how each was streamed, and why it ended.

const KEPT = ['chunks', 'finish_reason', 'model', 'id']

/** Those details by step; the compact form has none. */
export const answersOf = (document) => {
  const found = new Map()
  if (document.overview.form === 'compact') return found
  const walk = (turns, prefix) => {
    for (const [at, { llm_response: answer, tool_call: tool }] of (turns ?? []).entries()) {
      const step = `${prefix}${at + 1}`
      const kept = KEPT.filter((name) => answer?.[name] !== undefined && answer[name] !== null)
      if (kept.length > 0) found.set(step, Object.fromEntries(kept.map((name) => [name, answer[name]])))
      walk(tool?.result?.nested_transcript?.execution, `${step}.`)
    }
  }
  walk(JSON.parse(document.expand('json') ?? '{}').execution, '')
  return found
}
