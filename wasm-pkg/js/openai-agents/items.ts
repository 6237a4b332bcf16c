// A recorded answer as the items that a model of the Agents SDK gives.
import type { Fields } from '../api/fields.ts'
import type { OpenAIAgentsContent, OpenAIAgentsItem, OpenAIAgentsResponse, OpenAIAgentsUsage } from '../types/openai-agents.ts'
import type { TapeResponse } from '../types/index.ts'
import { finishKind } from '../adapters/finish.ts'
import { tokenCounts } from '../adapters/usage.ts'

type Answer = TapeResponse['response']

const assistantMessage = (content: OpenAIAgentsContent[], status: 'completed' | 'incomplete'): OpenAIAgentsItem => ({
  type: 'message',
  role: 'assistant',
  status,
  content,
})

/** The provider's own actions and thoughts, as the recorded items. */
const ownItems = (metadata: Answer['metadata']) =>
  (Array.isArray(metadata?.items) ? metadata.items : []).filter((item) => typeof (item as Fields)?.type === 'string') as OpenAIAgentsItem[]

/**
 * The items of an answer. Every message has its `type`, though the types of the SDK let it be left out: a run does not
 * end with one that has none.
 */
export const itemsOf = (response: Answer): OpenAIAgentsItem[] => {
  const { content, reasoning, refusal, tool_calls: calls, metadata } = response
  const own = ownItems(metadata)
  const hasThought = own.some(({ type }) => type === 'reasoning')
  const status = ['length', 'filter'].includes(finishKind(response)) ? 'incomplete' : 'completed'
  const parts: OpenAIAgentsContent[] = [
    ...(refusal ? [{ type: 'refusal' as const, refusal }] : []),
    // If the model answers nothing, the run would call it again.
    ...(content || (calls.length === 0 && !refusal) ? [{ type: 'output_text' as const, text: content }] : []),
  ]
  return [
    ...(reasoning && !hasThought ? [{ type: 'reasoning' as const, content: [{ type: 'input_text' as const, text: reasoning }] }] : []),
    ...own,
    ...(parts.length > 0 ? [assistantMessage(parts, status)] : []),
    ...calls.map(({ id, name, arguments: input }) => ({
      type: 'function_call' as const,
      callId: id,
      name,
      status: 'completed' as const,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
    })),
  ]
}

/** Why an answer ended; the SDK has no field for it. Empty if that was not recorded. */
export const finishData = ({ finish_reason: reason }: Answer) =>
  reason === undefined ? {} : { providerData: { transcript: { finish_reason: reason } } }

/** The counts of an answer; 0 for what was not recorded, for the SDK adds them up. */
export const usageOf = (usage: Answer['usage']): OpenAIAgentsUsage => {
  const { input = 0, output = 0, total = input + output, cacheRead, reasoning } = tokenCounts(usage)
  return {
    requests: 1,
    inputTokens: input,
    outputTokens: output,
    totalTokens: total,
    inputTokensDetails: cacheRead === undefined ? [] : [{ cached_tokens: cacheRead }],
    outputTokensDetails: reasoning === undefined ? [] : [{ reasoning_tokens: reasoning }],
  }
}

/** The usage of a response, which the SDK knows as an object that can add. */
export const withAdd = (usage: OpenAIAgentsUsage) =>
  Object.defineProperty(usage, 'add', {
    value(this: OpenAIAgentsUsage, other: Partial<OpenAIAgentsUsage>) {
      for (const key of ['requests', 'inputTokens', 'outputTokens', 'totalTokens'] as const) this[key] += other[key] ?? 0
      this.inputTokensDetails = [...this.inputTokensDetails, ...(other.inputTokensDetails ?? [])]
      this.outputTokensDetails = [...this.outputTokensDetails, ...(other.outputTokensDetails ?? [])]
    },
  }) as OpenAIAgentsResponse['usage']
