// How a request of Anthropic's Messages refers to earlier ones: by the thread that it continues.
import type { IssuedReferences, Item } from './issued-references.ts'
import type { IssuedResponse, RequestBody } from './protocols.ts'

/** A request as far as it refers to earlier ones. */
interface ReferringRequest extends RequestBody {
  readonly thread?: { readonly type?: unknown; readonly previous_message_id?: unknown } | null
  readonly system?: unknown
  readonly messages?: readonly Item[]
}

/** A request that continues a thread; its messages follow those of the thread. */
interface ThreadRequest extends ReferringRequest {
  readonly thread: { readonly previous_message_id: string }
  readonly messages: readonly Item[]
}

const isThread = (request: ReferringRequest): request is ThreadRequest =>
  request.thread?.type === 'continue' && typeof request.thread.previous_message_id === 'string'

/** The request with the messages of the thread that it continues. */
export const resolveReferences = (request: ReferringRequest, references: IssuedReferences): RequestBody => {
  if (!isThread(request)) return request
  const history = references.historyUpTo(request.thread.previous_message_id, 'thread.previous_message_id')
  const system = history.findLast((message) => 'threadSystem' in message)?.threadSystem
  const messages = [...history.filter((message) => !('threadSystem' in message)), ...request.messages]
  return { ...request, system: request.system ?? system, messages }
}

export const storeReferences = (request: ReferringRequest, references: IssuedReferences, { id, content }: IssuedResponse) => {
  const system = request.system === undefined ? [] : [{ threadSystem: request.system }]
  const added = [...system, ...(request.messages ?? []), { role: 'assistant', content }]
  references.storeAnswer(id, isThread(request) ? request.thread.previous_message_id : undefined, added)
}
