// A recorded answer as the fields of a LangChain message.
import type { Json, TapeResponse } from '../types/index.ts'
import { finishKindWithRefusal } from '../adapters/finish.ts'
import { tokenCounts } from '../adapters/usage.ts'

type Answer = TapeResponse['response']

/** Only what was recorded: LangChain adds up what is there. */
const omitUndefined = <Entries extends object>(entries: Entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Partial<Entries>

const usageOf = (usage: Answer['usage']) => {
  const { input, output, total, cacheRead, cacheWrite, reasoning } = tokenCounts(usage)
  if (input === undefined && output === undefined) return undefined
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    total_tokens: total ?? 0,
    input_token_details: omitUndefined({ cache_read: cacheRead, cache_creation: cacheWrite }),
    output_token_details: omitUndefined({ reasoning }),
  }
}

const isMap = (value: Json) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The calls whose arguments are data, and those whose arguments are none. */
const toolCalls = (calls: Answer['tool_calls']) => ({
  tool_calls: calls
    .filter(({ arguments: args }) => isMap(args))
    .map(({ id, name, arguments: args }) => ({ type: 'tool_call', id, name, args })),
  invalid_tool_calls: calls
    .filter(({ arguments: args }) => !isMap(args))
    .map(({ id, name, arguments: args }) => ({
      type: 'invalid_tool_call',
      id,
      name,
      args: textOf(args),
      error: 'the arguments are no JSON object',
    })),
})

export const textOf = (args: Json) => (typeof args === 'string' ? args : JSON.stringify(args))

/** Fields of an answer in addition to text and calls. */
const additionalFields = ({ reasoning, refusal }: Answer) =>
  omitUndefined({ reasoning_content: reasoning ?? undefined, refusal: refusal ?? undefined })

const REASONS = { calls: 'tool_calls', stop: 'stop', length: 'length', filter: 'content_filter' } as const

/** Why an answer ended: the finish reason that most LangChain models use, and the recorded one if it differs. */
const finishReasons = (response: Answer) => {
  const reason = REASONS[finishKindWithRefusal(response)]
  const { finish_reason: recorded } = response
  return { finish_reason: reason, ...(recorded === undefined || recorded === reason ? {} : { stop_reason: recorded }) }
}

/** The fields at the end of an answer: the model, the finish reason, the usage. */
export const closingFields = (response: Answer, modelId: string) => ({
  response_metadata: { model_name: modelId, ...finishReasons(response) },
  ...omitUndefined({ usage_metadata: usageOf(response.usage) }),
})

/** The whole answer. */
export const messageFields = (response: Answer, modelId: string) => ({
  content: response.content,
  additional_kwargs: additionalFields(response),
  ...toolCalls(response.tool_calls),
  ...closingFields(response, modelId),
})
