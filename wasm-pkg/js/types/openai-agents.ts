
/** What the SDK passes to a model, as far as a tape looks at it. */
export interface OpenAIAgentsRequest {
  systemInstructions?: string
  input: string | readonly unknown[]
  modelSettings?: object
  tools?: readonly { name?: string }[]
  handoffs?: readonly { toolName: string }[]
  outputType?: unknown
  signal?: AbortSignal
}

/** Whether the text of a tool shows that it failed; a tool with an `errorFunction` returns its own text. */
export type IsFailure = (text: string, tool: { name?: string }) => boolean

/** An item of a response. Each has its `type`: a run does not end with a message without one. */
export type OpenAIAgentsItem =
  | { type: 'message'; role: 'assistant'; status: 'completed' | 'incomplete'; content: OpenAIAgentsContent[] }
  | { type: 'function_call'; callId: string; name: string; status: 'completed'; arguments: string }
  | { type: 'reasoning'; id?: string; content: { type: 'input_text'; text: string }[]; providerData?: { [key: string]: any } }
  | {
      type: 'hosted_tool_call'
      id?: string
      name: string
      arguments?: string
      status?: string
      output?: string
      providerData?: { [key: string]: any }
    }

/** A part of a message. */
export type OpenAIAgentsContent = { type: 'output_text'; text: string } | { type: 'refusal'; refusal: string }

/** The tokens of a response; 0 for what was not recorded. */
export interface OpenAIAgentsUsage {
  requests: number
  inputTokens: number
  outputTokens: number
  totalTokens: number
  inputTokensDetails: Record<string, number>[]
  outputTokensDetails: Record<string, number>[]
}

/** A response of the model. */
export interface OpenAIAgentsResponse {
  usage: OpenAIAgentsUsage & { requestUsageEntries: undefined; add(usage: OpenAIAgentsUsage): void }
  output: OpenAIAgentsItem[]
  responseId: string
  /** Why it ended, if recorded: the SDK has no field for it. */
  providerData?: { transcript: { finish_reason: string } }
}

/** An event of a streamed response. */
export type OpenAIAgentsEvent =
  | { type: 'response_started' }
  | { type: 'output_text_delta'; delta: string }
  | { type: 'response_done'; response: { id: string; usage: OpenAIAgentsUsage; output: OpenAIAgentsItem[]; providerData?: { transcript: { finish_reason: string } } } }

/** The advice for the SDK about a failure: a recorded one may be retried where the recording goes on, a divergence never. */
export interface OpenAIAgentsRetryAdvice {
  suggested: boolean
  retryAfterMs: number
  replaySafety: 'safe'
}

/** A model of the OpenAI Agents SDK that plays a tape, or answers as a mock does. */
export interface OpenAIAgentsModel {
  readonly modelId: string
  getResponse(request: OpenAIAgentsRequest): Promise<OpenAIAgentsResponse>
  getStreamedResponse(request: OpenAIAgentsRequest): AsyncIterable<OpenAIAgentsEvent>
  getRetryAdvice(failed: { error: unknown }): OpenAIAgentsRetryAdvice
}

/** Records runs of the Agents SDK. */
export interface OpenAIAgentsRecording {
  /**
   * The same model, recorded: a structure with the methods of the SDK's `Model`.
   *
   * @param options.agent The name of the agent, which matters for one that a tool runs.
   * @param options.name The name of the model, if it is not visible.
   */
  model<M extends object>(model: M, options?: { agent?: string; name?: string }): M
  /** The same provider, its models recorded. */
  provider<M extends object>(provider: { getModel(name?: string): Promise<M> | M }): { getModel(name?: string): Promise<M> }
  /** Has the hooks of a `Runner`, or of an agent, report tools and agents; returns its argument. */
  attach<R extends object>(runner: R): R
}

/** What `addTraceProcessor()` of the SDK takes. */
export interface OpenAIAgentsTracing {
  onTraceStart(trace: any): Promise<void>
  onTraceEnd(trace: any): Promise<void>
  onSpanStart(span: any): Promise<void>
  onSpanEnd(span: any): Promise<void>
  shutdown(timeout?: number): Promise<void>
  forceFlush(): Promise<void>
}
