// What a mock model answers, in the form of a recorded answer.

/** Whether something is a mock model. */
export const isMock = (source) => typeof source?.call === 'function' && typeof source.snapshot === 'function'

/** Whether something is a recording that is being played. */
export const isTape = (source) => typeof source?.request === 'function' && typeof source.assertComplete === 'function'

const textOf = (content) => {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  const isParts = Array.isArray(content) && content.every((part) => typeof part?.type === 'string')
  if (!isParts) return JSON.stringify(content)
  return content.map(({ text }) => text ?? '').join('')
}

const thought = (text) => (text === undefined || text === null ? null : textOf(text))

/** A reply as a tape would give it; ids follow from `step`, the number of the call, so that they are the same every time. */
export const answerOf = (reply, step) => ({
  step,
  response: {
    content: textOf(reply.content),
    tool_calls: (reply.tool_calls ?? []).map(({ id, name, arguments: input }, at) => ({
      id: id ?? `call_${step}_${at + 1}`, name, arguments: input ?? {},
    })),
    reasoning: thought(reply.reasoning),
    refusal: thought(reply.refusal),
    usage: reply.usage ?? null,
  },
})
