// What the Agents SDK passes to and takes from a model, as far as it is read.
import type { IsFailure } from '../types/openai-agents.ts'

export interface ContentPart {
  type: string
  text?: string
  refusal?: string
}

/** An item of a request or of an answer. What else it has depends on its type; one without a type is a message. */
export interface AgentItem {
  type?: string
  role?: string
  content?: string | readonly ContentPart[]
  id?: string
  status?: string
  providerData?: object
}

/** A call of a tool. */
export interface FunctionCallItem extends AgentItem {
  callId: string
  name: string
  arguments?: unknown
}

/** The result of a tool. */
export interface FunctionCallResultItem extends AgentItem {
  callId: string
  name: string
  output?: unknown
}

/** The input of a model: the text of a user, or items. */
export type ModelInput = string | AgentItem[]

/** The messages of a request. */
export interface RequestInput {
  systemInstructions?: string | undefined
  input: ModelInput
}

export interface FunctionTool {
  name: string
  description?: string | undefined
  parameters?: unknown
}

interface Handoff {
  toolName: string
  toolDescription?: string
  inputJsonSchema?: unknown
}

export interface OutputSchema {
  schema?: unknown
}

export interface RequestSettings {
  modelSettings?: { readonly [setting: string]: unknown }
  outputType?: 'text' | OutputSchema
  tools?: readonly FunctionTool[]
  handoffs?: readonly Handoff[]
}

/** A request that may refer to its history instead of sending it. */
export interface HistoryRequest extends RequestInput {
  previousResponseId?: string
  conversationId?: string
}

export interface ModelRequest extends HistoryRequest, RequestSettings {
  signal?: AbortSignal
}

interface TokensDetails {
  cached_tokens?: number
  reasoning_tokens?: number
}

export interface Usage {
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  totalTokens?: number | undefined
  inputTokensDetails?: TokensDetails | TokensDetails[] | undefined
  outputTokensDetails?: TokensDetails | TokensDetails[] | undefined
}

/** What providers say of an answer. */
export interface ProviderData {
  transcript?: { finish_reason?: unknown }
  choices?: readonly { finish_reason?: unknown }[]
  incomplete_details?: { reason?: unknown }
  finish_reason?: unknown
}

export interface ModelResponse {
  output: readonly AgentItem[]
  usage?: Usage | null | undefined
  id?: string | undefined
  responseId?: string | undefined
  providerData?: ProviderData
}

/** An event of a streamed answer. */
export type StreamEvent =
  | { type: 'response_started' | 'model' }
  | { type: 'output_text_delta'; delta: string }
  | { type: 'response_done'; response: ModelResponse }

/** A model of the SDK. */
export interface Model {
  getResponse(request: ModelRequest): Promise<ModelResponse>
  getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent>
  /** The name, under the name that the class of the model has for it. */
  modelId?: unknown
  model?: unknown
  _model?: unknown
}

/** Whether the text of a tool shows that it failed. */
export type FailureDetector = (text: unknown, tool?: { name?: string }) => boolean

/** The option of all functions that read results of tools. */
export interface FailureOptions {
  isFailure?: IsFailure | undefined
}
