// Converts spans of the Agents SDK to the form of recordings.
import type { RunAnswer, RunEntry } from '../adapters/run-recorder.ts'
import type { FactFields } from '../types/index.ts'
import { omitEmpty, recordedUsage } from '../adapters/usage.ts'
import { readAnswer, callSettings, unsupportedParts } from './from-sdk.ts'
import type { AgentItem, ContentPart, FunctionCallItem, FunctionTool, HistoryRequest, ModelInput } from './protocol.ts'

type Content = string | readonly ContentPart[] | null | undefined

interface ChatToolCall {
  id: string
  function?: { name?: string; arguments?: unknown }
}

/** A message of the chat completions. */
interface ChatMessage {
  role: string
  content?: Content
  tool_calls?: readonly ChatToolCall[] | null
  tool_call_id?: string
  reasoning?: unknown
  reasoning_content?: unknown
  refusal?: unknown
  audio?: unknown
}

interface ChatUsage {
  prompt_tokens?: number
  completion_tokens?: number
  total_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number }
  completion_tokens_details?: { reasoning_tokens?: number }
}

/** A completion of a chat, or its message alone. */
interface ChatCompletion extends ChatMessage {
  choices?: readonly { message?: ChatMessage; finish_reason?: unknown }[]
  usage?: ChatUsage | null
  model?: unknown
  id?: string
}

interface ResponseItem {
  type: string
  id?: string
  role?: string
  content?: readonly ContentPart[]
  call_id?: string
  name?: string
  arguments?: unknown
  summary?: readonly ContentPart[]
}

interface ResponseUsage {
  input_tokens?: number
  output_tokens?: number
  total_tokens?: number
  input_tokens_details?: { cached_tokens?: number }
  output_tokens_details?: { reasoning_tokens?: number }
}

/** A response of the Responses API. */
interface ResponseBody {
  id?: string
  instructions?: unknown
  previous_response_id?: string | null
  conversation?: { id?: string } | null
  model?: unknown
  output?: readonly ResponseItem[]
  temperature?: unknown
  max_output_tokens?: unknown
  top_p?: unknown
  parallel_tool_calls?: unknown
  tool_choice?: unknown
  tools?: readonly (FunctionTool & { type: string })[]
  usage?: ResponseUsage | null
}

/** What a span is of. What else it has depends on its type. */
export interface SpanData {
  type: string
  name: string
  input?: unknown
  output?: unknown
  model?: unknown
  model_config?: { readonly [setting: string]: unknown }
  _input?: ModelInput
  _response?: ResponseBody
  triggered?: boolean
}

interface ModelSpan {
  about: FactFields
  leftOut: readonly string[]
  answer: (RunAnswer & { id?: string }) | undefined
}

/** A call of a model with a whole request. */
interface GenerationSpan extends ModelSpan {
  request: object
  entries: readonly RunEntry[]
  historyRequest?: undefined
  output?: undefined
}

/** One whose request may refer to its history. */
interface ResponseSpan extends ModelSpan {
  request?: undefined
  entries?: undefined
  historyRequest: HistoryRequest
  output: readonly AgentItem[]
}

const listOf = <Item>(value: readonly Item[] | null | undefined): readonly Item[] => (Array.isArray(value) ? value : [])

const textOf = (content: Content) => {
  if (typeof content === 'string' || content === null || content === undefined) return content ?? ''
  const isText = ({ type }: ContentPart) => type === 'text'
  // What is no text stays as it is.
  return Array.isArray(content) && content.every(isText) ? content.map(({ text }) => text).join('') : content
}

const toolCall = ({ id, function: { name, arguments: args } = {} }: ChatToolCall) => ({ id, name, arguments: args })

const toMessage = ({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage): RunEntry => {
  if (role === 'tool') return { role, id, content: textOf(content) }
  if (role !== 'assistant') return { role: role === 'developer' ? 'system' : role, content: textOf(content) }
  return { role, content: textOf(content), ...(listOf(calls).length > 0 ? { tool_calls: calls!.map(toolCall) } : {}) }
}

const chatUsage = ({ prompt_tokens: input, completion_tokens: output, total_tokens: total, ...more }: ChatUsage) =>
  recordedUsage({
    input,
    output,
    total,
    cached: more.prompt_tokens_details?.cached_tokens,
    reasoning: more.completion_tokens_details?.reasoning_tokens,
  })

const usageOrNothing = (usage: ChatCompletion['usage']) => {
  const found: ReturnType<typeof chatUsage> = usage === undefined || usage === null ? {} : chatUsage(usage)
  return found.prompt_tokens || found.completion_tokens ? found : undefined
}

const CONFIG = ['temperature', 'max_tokens', 'top_p', 'presence_penalty', 'frequency_penalty', 'tool_choice', 'parallel_tool_calls']

/** The kinds of parts of a chat completion that a recording cannot represent. */
const unsupportedInChat = ({ content, audio }: ChatMessage) => [
  ...listOf(content as ContentPart[])
    .map(({ type }) => type)
    .filter((type) => type !== 'text' && type !== 'refusal'),
  ...(audio ? ['audio'] : []),
]

/** A span of a chat completion; undefined where it carries no messages. */
const generation = ({ input, output, model, model_config: modelConfig = {} }: SpanData): GenerationSpan | undefined => {
  const [completion] = listOf(output as ChatCompletion[])
  const message = completion?.choices?.[0]?.message ?? (typeof completion?.role === 'string' ? completion : undefined)
  if (!Array.isArray(input)) return undefined
  return {
    request: { format: 'openai-chat', messages: input },
    entries: input.map(toMessage),
    about: {
      ...omitEmpty({ model }),
      config: Object.fromEntries(
        CONFIG.filter((name) => modelConfig[name] !== undefined && modelConfig[name] !== null).map((name) => [name, modelConfig[name]]),
      ),
    },
    leftOut: message ? unsupportedInChat(message) : [],
    // A message is that of a completion.
    answer:
      message &&
      omitEmpty({
        content: textOf(message.content),
        tool_calls: listOf(message.tool_calls).length === 0 ? undefined : message.tool_calls!.map(toolCall),
        reasoning: message.reasoning ?? message.reasoning_content,
        refusal: message.refusal,
        usage: usageOrNothing(completion!.usage),
        finish_reason: completion!.choices?.[0]?.finish_reason,
        model: completion!.model,
        id: completion!.id,
      }),
  }
}

/** The items that recordings have: those of the provider have another form in a span than in a model of the SDK. */
const ITEMS = ['message', 'function_call', 'reasoning']

/** An item of a response as the SDK has it. */
const itemOf = ({
  type,
  id,
  role,
  content,
  call_id: callId,
  name,
  arguments: args,
  summary,
}: ResponseItem): AgentItem & { type: string } => {
  // A call has an id and a name.
  if (type === 'function_call') return { type, callId, name, arguments: args } as FunctionCallItem & { type: string }
  if (type === 'message') return { type, role, content: listOf(content) }
  if (type === 'reasoning')
    return { type, content: [...listOf(content), ...listOf(summary)].filter(({ text }) => typeof text === 'string') }
  return { type, id }
}

const responseUsage = ({ input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens, ...more }: ResponseUsage) => ({
  inputTokens,
  outputTokens,
  totalTokens,
  inputTokensDetails: more.input_tokens_details,
  outputTokensDetails: more.output_tokens_details,
})

/** A span of a response; undefined where it carries no input. */
const response = ({ _input: input, _response: body }: SpanData): ResponseSpan | undefined => {
  if (input === undefined) return undefined
  const { instructions, previous_response_id: previousResponseId, conversation, model } = body ?? {}
  const request = {
    input,
    ...(typeof instructions === 'string' && instructions !== '' ? { systemInstructions: instructions } : {}),
    ...(previousResponseId ? { previousResponseId } : {}),
    ...(conversation?.id ? { conversationId: conversation.id } : {}),
  }
  const output = listOf(body?.output).map(itemOf)
  const {
    temperature,
    max_output_tokens: maxTokens,
    top_p: topP,
    parallel_tool_calls: parallelToolCalls,
    tool_choice: toolChoice,
  } = body ?? {}
  const modelSettings = omitEmpty({ temperature, maxTokens, topP, parallelToolCalls, toolChoice })
  const tools = listOf(body?.tools).filter(({ type }) => type === 'function')
  return {
    historyRequest: request,
    output,
    about: callSettings({ modelSettings, tools }, model),
    leftOut: [...unsupportedParts({ output }), ...output.map(({ type }) => type).filter((type) => !ITEMS.includes(type))],
    answer:
      body &&
      readAnswer({
        output: output.filter(({ type }) => ITEMS.includes(type)),
        usage: body.usage && responseUsage(body.usage),
        id: body.id,
      }),
  }
}

const READERS: { readonly [type: string]: (data: SpanData) => GenerationSpan | ResponseSpan | undefined } = { generation, response }

/** The model call of a span. */
export const readModelSpan = (data: SpanData) => READERS[data.type]!(data)

/** Whether a span is that of a call of a model. */
export const isModelSpan = ({ type }: SpanData) => Object.hasOwn(READERS, type)
