// How a request of OpenAI's Responses refers to earlier ones: by an item, by a response, or by a conversation.

const inputItems = (input) => {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? input : []
}

const conversationId = ({ conversation }) => (typeof conversation === 'string' ? conversation : conversation?.id)

/** The request with the history that it refers to. */
export const resolveReferences = (request, references) => {
  const { previous_response_id: before } = request
  const named = conversationId(request)
  const sent = inputItems(request.input)
  const input = sent.map((item, at) => (item?.type === 'item_reference' ? references.item(item.id, `input[${at}].id`) : item))
  const isWhole = (before === undefined || before === null) && named === undefined
  if (isWhole && input.every((item, at) => item === sent[at])) return request
  const history = before
    ? references.historyUpTo(before, 'previous_response_id')
    : named === undefined
      ? []
      : references.conversation(named)
  return { ...request, input: [...history, ...input] }
}

/** Stores what a later request may refer to. */
export const storeReferences = (request, references, { id, output }) => {
  references.storeItems(output)
  const { previous_response_id: before } = request
  const named = conversationId(request)
  const added = [...(resolveReferences({ input: request.input }, references).input ?? [])]
  const items = [...(typeof added === 'string' ? inputItems(added) : added), ...output]
  if (named !== undefined) references.addToConversation(named, items)
  references.storeAnswer(id, before ?? undefined, items)
}
