// What answers a model's call, and a mock's answer in the form of a recorded one.

/** Whether something is a recording that is being played. */
export const isTape = (source) => typeof source?.request === 'function' && typeof source.assertComplete === 'function'

/** Whether something is a mock model. */
export const isMock = (source) => typeof source?.call === 'function' && typeof source.snapshot === 'function'

const contentText = (content) => {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  const isParts = Array.isArray(content) && content.every((part) => typeof part?.type === 'string')
  return isParts ? content.map(({ text }) => text ?? '').join('') : JSON.stringify(content)
}

const thoughtText = (reasoning) => (reasoning === undefined || reasoning === null ? null : contentText(reasoning))

/** A reply of a mock as a tape would give it. Ids follow from the call, so that a test sees the same ones every time. */
export const answerFromReply = (reply, step) => ({
  step,
  response: {
    content: contentText(reply.content),
    tool_calls: (reply.tool_calls ?? []).map(({ id, name, arguments: input }, at) => ({
      id: id ?? `call_${step}_${at + 1}`,
      name,
      arguments: input ?? {},
    })),
    reasoning: thoughtText(reply.reasoning),
    refusal: thoughtText(reply.refusal),
    usage: reply.usage ?? null,
    ...(reply.chunks ? { chunks: reply.chunks } : {}),
    ...(reply.finish_reason ? { finish_reason: reply.finish_reason } : {}),
    ...(reply.metadata ? { metadata: reply.metadata } : {}),
  },
})
