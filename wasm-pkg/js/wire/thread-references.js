// How a request of Anthropic's Messages refers to earlier ones: by the thread that it continues.

const isThread = ({ thread }) => thread?.type === 'continue' && typeof thread.previous_message_id === 'string'

/** The request with the messages of the thread that it continues. */
export const resolveReferences = (request, references) => {
  if (!isThread(request)) return request
  const history = references.historyUpTo(request.thread.previous_message_id, 'thread.previous_message_id')
  const system = history.findLast((message) => 'threadSystem' in message)?.threadSystem
  const messages = [...history.filter((message) => !('threadSystem' in message)), ...request.messages]
  return { ...request, system: request.system ?? system, messages }
}

export const storeReferences = (request, references, { id, content }) => {
  const system = request.system === undefined ? [] : [{ threadSystem: request.system }]
  const added = [...system, ...(request.messages ?? []), { role: 'assistant', content }]
  references.storeAnswer(id, isThread(request) ? request.thread.previous_message_id : undefined, added)
}
