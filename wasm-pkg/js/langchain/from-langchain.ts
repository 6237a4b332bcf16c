// Converts requests and responses of LangChain to the form of recordings.
import type { RunAnswer, RunEntry } from '../adapters/run-recorder.ts'
import type {
  MessageContent,
  BaseMessage,
  LLMResult,
  InvocationParams,
  CallExtra,
  CallMetadata,
  Command,
  Destination,
  ToolMessage,
  ToolReturn,
} from './callback-data.ts'
import { omitEmpty, recordedUsage } from '../adapters/usage.ts'

const TEXTS: readonly unknown[] = ['text', 'text_delta', 'output_text']

const textOf = (content: MessageContent) => {
  if (typeof content === 'string' || content === undefined || content === null) return content ?? ''
  // What is no text stays as it is.
  return content.every(({ type }) => TEXTS.includes(type)) ? content.map(({ text }) => text).join('') : content
}

const messageText = (content: MessageContent) => {
  if (!Array.isArray(content)) return content ?? ''
  return content
    .filter(({ type }) => TEXTS.includes(type))
    .map(({ text }) => text)
    .join('')
}

/** The type of a message, which has one of these. */
const messageType = (message: BaseMessage) => message.getType?.() ?? message._getType?.() ?? message.type ?? message.role!

const ROLES: { readonly [type: string]: string } = { human: 'user', ai: 'assistant', function: 'tool', developer: 'system' }

const toolCalls = ({ tool_calls: calls = [], invalid_tool_calls: invalid = [] }: BaseMessage) =>
  [...calls, ...invalid].map(({ id, name, args }) => ({ id, name, arguments: args }))

const toMessage = (message: BaseMessage): RunEntry => {
  const kind = messageType(message)
  const role = ROLES[kind] ?? (kind === 'generic' || kind === 'chat' ? message.role! : kind)
  const { content } = message
  if (role === 'tool') {
    const failed = message.status === 'error' ? { failed: true } : {}
    return { role, id: message.tool_call_id, name: message.name, content: textOf(content), ...failed }
  }
  if (role !== 'assistant') return { role, content: textOf(content) }
  const calls = toolCalls(message)
  return { role, content: messageText(content), ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

/** The messages that a model is sent. */
export const toMessages = (messages: readonly BaseMessage[]) => messages.map(toMessage)

const usageFields = (usage: BaseMessage['usage_metadata']) => {
  if (usage === undefined || usage === null) return undefined
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage
  const cached = usage.input_token_details?.cache_read
  const reasoning = usage.output_token_details?.reasoning
  return recordedUsage({ input, output, total, cached, reasoning })
}

const reasoningOf = ({ content, additional_kwargs: more = {} }: BaseMessage) => {
  if (typeof more.reasoning_content === 'string') return more.reasoning_content
  if (!Array.isArray(content)) return undefined
  return content.map(({ reasoning, thinking }) => reasoning ?? thinking ?? '').join('')
}

/** Blocks of an answer that are recorded elsewhere than in its text. */
const RECORDED_ELSEWHERE = [
  'reasoning',
  'thinking',
  'redacted_thinking',
  'reasoning_content',
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'input_json_delta',
  'function_call',
]

/** The kinds of blocks of an answer that recordings have no place for. */
export const unsupportedParts = ({ generations: [[{ message }]] }: LLMResult) => {
  const blocks = Array.isArray(message?.content) ? message.content : []
  return blocks
    .map(({ type }) => type)
    .filter((type) => typeof type === 'string' && !TEXTS.includes(type) && !RECORDED_ELSEWHERE.includes(type))
}

/** What a model answered: the first of its generations. */
export const readAnswer = ({ generations }: LLMResult): RunAnswer => {
  const [[{ text, message = { content: text } }]] = generations
  const { response_metadata: responseMetadata = {}, additional_kwargs: more = {} } = message
  const calls = toolCalls(message)
  return omitEmpty({
    content: messageText(message.content),
    tool_calls: calls.length === 0 ? undefined : calls,
    reasoning: reasoningOf(message),
    refusal: more.refusal,
    usage: usageFields(message.usage_metadata),
    // A replay has the recorded finish reason next to that of LangChain.
    finish_reason: responseMetadata.stop_reason ?? responseMetadata.finish_reason,
    model: responseMetadata.model_name ?? responseMetadata.model,
  })
}

const SETTINGS = ['temperature', 'max_tokens', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty', 'stop', 'seed', 'tool_choice']

const toolDeclaration = (tool: NonNullable<InvocationParams['tools']>[number]) => {
  if (typeof tool === 'string') return tool
  const { name, description, parameters, input_schema: schema = parameters } = tool.function ?? tool
  return schema === undefined ? name : omitEmpty({ name, description, parameters: schema })
}

/** The settings of a model call, from what the callback receives. */
export const callSettings = ({ invocation_params: params = {} }: CallExtra = {}, metadata: CallMetadata = {}) => {
  const tools = (params.tools ?? []).map(toolDeclaration).filter((tool) => tool !== undefined)
  const schema = params.response_format?.json_schema?.schema
  const config = SETTINGS.filter((name) => params[name] !== undefined && params[name] !== null).map((name) => [name, params[name]])
  return {
    ...omitEmpty({ model: params.model ?? params.model_name ?? metadata.ls_model_name }),
    config: { ...Object.fromEntries(config), ...(schema ? { response_schema: schema } : {}) },
    ...(tools.length > 0 ? { tools } : {}),
  }
}

/** The tool message of a handoff to another agent: the last tool message among the messages of its update. */
const handoverMessage = ({ update, goto }: Command): ToolMessage => {
  const entries = Array.isArray(update) ? update.flatMap(([key, value]) => (key === 'messages' ? value : [])) : update?.messages
  const answer = [entries ?? []].flat().findLast((message) => message?.tool_call_id !== undefined)
  return (
    answer ?? {
      tool_call_id: '',
      content: `goto ${[goto ?? []]
        .flat()
        .map((to) => (to as Exclude<Destination, string>)?.node ?? to)
        .join(', ')}`,
    }
  )
}

/** The output of a tool: a tool message, or any other value. */
export const toolOutput = (returned: ToolReturn) => {
  const output = returned?.lg_name === 'Command' ? handoverMessage(returned) : returned
  const message = output?.tool_call_id === undefined && output?.kwargs?.tool_call_id !== undefined ? output.kwargs : output
  if (message?.tool_call_id === undefined) return { result: output }
  return { content: textOf(message.content), failed: message.status === 'error' }
}
