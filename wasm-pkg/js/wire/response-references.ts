// How a request of OpenAI's Responses refers to earlier ones: by an item, by a response, or by a conversation.
import type { IssuedReferences, Item } from './issued-references.ts'
import type { IssuedResponse, RequestBody } from './protocols.ts'

/** A request as far as it refers to earlier ones. */
interface ReferringRequest extends RequestBody {
  readonly previous_response_id?: string | null
  readonly conversation?: string | { readonly id: string } | null
  readonly input?: unknown
}

const inputItems = (input: unknown): Item[] => {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? input : []
}

const conversationId = ({ conversation }: ReferringRequest) => (typeof conversation === 'string' ? conversation : conversation?.id)

/** The request with the history that it refers to. */
export const resolveReferences = (request: ReferringRequest, references: IssuedReferences): RequestBody => {
  const { previous_response_id: before } = request
  const named = conversationId(request)
  const sent = inputItems(request.input)
  const input = sent.map((item, at) => (item?.type === 'item_reference' ? references.item(item.id as string, `input[${at}].id`) : item))
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
export const storeReferences = (request: ReferringRequest, references: IssuedReferences, { id, output }: IssuedResponse) => {
  references.storeItems(output)
  const { previous_response_id: before } = request
  const named = conversationId(request)
  const items = [...inputItems(resolveReferences({ input: request.input }, references).input), ...output]
  if (named !== undefined) references.addToConversation(named, items)
  references.storeAnswer(id, before ?? undefined, items)
}
