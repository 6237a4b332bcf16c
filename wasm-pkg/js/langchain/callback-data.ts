// What LangChain passes to callbacks and to a chat model, as far as it is read.

export interface ContentBlock {
  type?: string
  text?: string
  reasoning?: string
  thinking?: string
}

export type MessageContent = string | readonly ContentBlock[] | null | undefined

interface ToolCall {
  id: string
  name: string
  args: unknown
}

/** A message: an object of LangChain, one that was serialized, or one that the host wrote. */
export interface BaseMessage {
  getType?(): string
  _getType?(): string
  type?: string
  role?: string
  content: MessageContent
  name?: string
  tool_call_id?: string
  status?: string
  tool_calls?: readonly ToolCall[]
  invalid_tool_calls?: readonly ToolCall[]
  additional_kwargs?: { reasoning_content?: unknown; refusal?: unknown }
  response_metadata?: { stop_reason?: unknown; finish_reason?: unknown; model_name?: unknown; model?: unknown }
  usage_metadata?: UsageMetadata | null
}

interface UsageMetadata {
  input_tokens?: number
  output_tokens?: number
  total_tokens?: number
  input_token_details?: { cache_read?: number }
  output_token_details?: { reasoning?: number }
}

/** What a model answered. There is one prompt, and its first generation is recorded. */
export interface LLMResult {
  generations: readonly [readonly [{ text: string; message?: BaseMessage }, ...unknown[]], ...unknown[]]
}

interface ToolDeclaration {
  name?: string
  description?: string
  parameters?: unknown
  input_schema?: unknown
}

export interface InvocationParams {
  tools?: readonly (string | (ToolDeclaration & { function?: ToolDeclaration }))[]
  response_format?: { json_schema?: { schema?: unknown } }
  model?: unknown
  model_name?: unknown
  [setting: string]: unknown
}

/** What a callback receives with a call of the model. */
export interface CallExtra {
  invocation_params?: InvocationParams
}

export interface CallMetadata {
  ls_model_name?: unknown
}

/** What a tool returns to go on elsewhere. */
export interface Command {
  lg_name: 'Command'
  update?: [string, MessageUpdate][] | { messages?: MessageUpdate }
  goto?: Destination | readonly Destination[]
}

type MessageUpdate = BaseMessage | readonly BaseMessage[]

export type Destination = string | { node?: string }

/** A tool message, perhaps serialized; all else is the result itself. */
export type ToolMessage = Pick<BaseMessage, 'content' | 'status' | 'tool_call_id'> & { lg_name?: undefined; kwargs?: ToolMessage }

export type ToolReturn = Command | ToolMessage | null | undefined
