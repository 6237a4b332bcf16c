// What the AI SDK passes to and takes from a language model, as far as a recording looks at it.

/** A part of a message, of an answer or of a stream. What else it has depends on its type. */
export interface Part {
  type: string
  providerExecuted?: boolean
}

export interface TextPart extends Part {
  text: string
}

export interface ToolCallPart extends Part {
  toolCallId: string
  toolName: string
  input: unknown
}

/** The result of a tool in a message. */
export interface ToolResultPart extends Part {
  toolCallId: string
  toolName: string
  output?: ToolResultOutput
}

export interface ToolResultOutput {
  type?: string
  value?: unknown
  reason?: string
}

/** A message of a prompt. */
export type PromptMessage = { role: 'system'; content: string } | { role: 'user' | 'assistant' | 'tool'; content: readonly Part[] }

export interface FunctionTool {
  name: string
  description?: string
  inputSchema?: unknown
}

/** What a model is called with. */
export interface CallOptions {
  prompt: readonly PromptMessage[]
  tools?: readonly FunctionTool[]
  responseFormat?: { type: string; schema?: unknown }
  readonly [setting: string]: unknown
}

export type Count = number | undefined

export interface TokenDetails {
  total?: number
  cacheRead?: number
  reasoning?: number
}

/** Token counts, in the shape of any version. */
interface Usage {
  inputTokens?: Count | TokenDetails
  outputTokens?: Count | TokenDetails
  totalTokens?: number
  reasoningTokens?: number
  cachedInputTokens?: number
}

/** Why an answer ended, in the shape of any version. */
export type FinishReason = string | UnifiedReason | undefined

export interface UnifiedReason {
  unified?: string
  raw?: unknown
}

/** An answer of the model. */
export interface Answer {
  content: readonly Part[]
  finishReason?: FinishReason
  usage?: Usage | null
  response?: { id?: string | undefined; modelId?: string | undefined }
  providerMetadata?: { transcript?: { refusal?: string } }
}

export interface StreamPart extends Part, Pick<Answer, 'finishReason' | 'usage' | 'providerMetadata'> {
  id: string
  delta: string
  toolName: string
  modelId?: string
  error?: unknown
}

export interface StreamResult {
  stream: ReadableStream<StreamPart>
}

/** A language model of the SDK. */
export interface LanguageModel {
  specificationVersion: string
  provider: string
  modelId: string
  supportedUrls: unknown
  doGenerate(params: CallOptions): PromiseLike<Answer>
  doStream(params: CallOptions): PromiseLike<StreamResult>
}

/** A call of the model that a middleware wraps. */
export interface WrappedCall {
  params: CallOptions
  model?: Pick<LanguageModel, 'modelId'>
}

/** A tool that runs, as the telemetry of the SDK has it. */
export interface ToolEvent {
  callId: string
  toolCall: ToolCallPart
}

export interface ToolEndEvent extends ToolEvent {
  toolOutput: { type: string; output?: unknown; error?: unknown }
}
