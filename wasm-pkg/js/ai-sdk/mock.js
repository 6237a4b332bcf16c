// A mock model plays where a recording would.

/** Whether something is a mock model. */
export const isMock = (source) => typeof source?.call === 'function' && typeof source.snapshot === 'function'

const SETTINGS = [
  'temperature', 'maxOutputTokens', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty', 'stopSequences', 'seed',
  'responseFormat', 'toolChoice',
]

const textOf = (content) => {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  const isParts = Array.isArray(content) && content.every((part) => typeof part?.type === 'string')
  if (!isParts) return JSON.stringify(content)
  return content.map(({ text }) => text ?? '').join('')
}

const thought = (reasoning) => (reasoning === undefined || reasoning === null ? null : textOf(reasoning))

/** What the mock answers to a call of the SDK, as a tape would; `step` is the number of the call. */
export const mockAnswer = async (mock, { prompt, tools, abortSignal, ...call }, step) => {
  const given = SETTINGS.filter((name) => call[name] !== undefined).map((name) => [name, call[name]])
  const reply = await mock.call({
    format: 'ai-sdk',
    messages: prompt,
    tools: (tools ?? []).map(({ name }) => name),
    ...Object.fromEntries(given),
  }, { signal: abortSignal })
  // Ids follow from the call, so that a test sees the same ones every time.
  const calls = (reply.tool_calls ?? []).map(({ id, name, arguments: input }, at) => ({
    id: id ?? `call_${step}_${at + 1}`, name, arguments: input ?? {},
  }))
  return {
    step,
    response: {
      content: textOf(reply.content),
      tool_calls: calls,
      reasoning: thought(reply.reasoning),
      refusal: thought(reply.refusal),
      usage: reply.usage ?? null,
    },
  }
}
