import type { AgentTape, MockModel, Recorder, Tape, ToolTape } from './index.ts'

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

/** Whether the text of a tool shows that it failed; a tool with an `errorFunction` has a text of its own for that. */
export type IsFailure = (words: string, tool: { name?: string }) => boolean

/** An item of an answer. Each has its `type`: a run does not end with a message without one. */
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

/** The tokens of an answer; 0 for what was not recorded. */
export interface OpenAIAgentsUsage {
  requests: number
  inputTokens: number
  outputTokens: number
  totalTokens: number
  inputTokensDetails: Record<string, number>[]
  outputTokensDetails: Record<string, number>[]
}

/** An answer of the model. */
export interface OpenAIAgentsResponse {
  usage: OpenAIAgentsUsage & { requestUsageEntries: undefined; add(usage: OpenAIAgentsUsage): void }
  output: OpenAIAgentsItem[]
  responseId: string
  /** Why it ended, where that was recorded: the SDK has no word for it. */
  providerData?: { transcript: { finish_reason: string } }
}

/** An event of a streamed answer. */
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

/**
 * A model for agents of the OpenAI Agents SDK that answers from a tape.
 *
 * A run that diverges rejects with a `TranscriptDivergenceError`, streamed or not. Call `tape.assertComplete()` afterwards to know
 * that the whole recording was played. One tape answers several agents, those of a handoff and those run by tools: it finds
  * the agent of a request by its messages, unless `agent` names it.
 *
 * @param options.agent Whose requests these are: see {@link Tape.session}.
 * @param options.isFailure Which texts show that a tool failed, in addition to those of the SDK.
 * @example
 * const tape = await replay('run.yaml')
 * const agent = new Agent({ name: 'Helper', model: openAIAgentsModel(tape), tools })
 * const { finalOutput } = await run(agent, 'What is the weather?')
 * tape.assertComplete()
 */
export declare function openAIAgentsModel(source: Tape | AgentTape | MockModel, options?: { agent?: string; isFailure?: IsFailure }): OpenAIAgentsModel

/**
 * A provider of models for a `Runner` whose agents name their models: every name gives a model of the same tape.
 *
 * @param options.agents Where two agents may send the same: names of models, each with the name of its agent.
 * @example
 * await new Runner({ modelProvider: openAIAgentsProvider(tape) }).run(triage, 'I want a refund')
 */
export declare function openAIAgentsProvider(
  source: Tape | AgentTape | MockModel,
  options?: { agent?: string; agents?: { [model: string]: string }; isFailure?: IsFailure },
): { getModel(name?: string): OpenAIAgentsModel }

/**
 * The tools of an agent with recorded results instead of their own work, for a live model.
 *
 * The model gets the failure of a tool in the recording: in the recorded text where it is that of the SDK or `isFailure`
  * knows it, as with an `errorFunction` of the tool, and otherwise in that of the SDK.
 *
 * @param options.isFailure Which texts show that a tool failed, in addition to those of the SDK.
 * @example
 * const tape = await replay('run.yaml', { mode: 'mocked-tools' })
 * const agent = new Agent({ name: 'Helper', tools: openAIAgentsTools(tape, [weather]) })
 */
export declare function openAIAgentsTools<T extends object>(tape: ToolTape, tools: readonly T[], options?: { isFailure?: IsFailure }): T[]

/** What records runs of the Agents SDK. */
export interface OpenAIAgentsRecording {
  /**
   * The same model, recorded: a structure with the methods of the SDK's `Model`.
   *
   * @param options.agent The name of the agent, which matters for one that a tool runs.
   * @param options.name The name of the model, where it cannot be seen.
   */
  model<M extends object>(model: M, options?: { agent?: string; name?: string }): M
  /** The same provider, its models recorded. */
  provider<M extends object>(provider: { getModel(name?: string): Promise<M> | M }): { getModel(name?: string): Promise<M> }
  /** Has the hooks of a `Runner`, or of an agent, report tools and agents; returns its argument. */
  attach<R extends object>(runner: R): R
}

/**
 * What records runs of the OpenAI Agents SDK: wrapped models see what is sent and answered, chunk by chunk, and hooks the tools.
 *
 * A conversation that is handed over stays one conversation; an agent that is run by a tool has a run of its own. Without
 * hooks, results are those that the model is sent. Recording never fails the run.
 *
 * @param options.isFailure Which texts show that a tool failed, in addition to those of the SDK.
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * const recording = recordOpenAIAgents(recorder)
 * const runner = recording.attach(new Runner({ modelProvider: recording.provider(provider) }))
 * await runner.run(agent, 'What is the weather?')
 * await recorder.save('run.yaml')
 */
export declare function recordOpenAIAgents(recorder: Recorder, options?: { isFailure?: IsFailure }): OpenAIAgentsRecording

/** What `addTraceProcessor()` of the SDK takes. */
export interface OpenAIAgentsTracing {
  onTraceStart(trace: any): Promise<void>
  onTraceEnd(trace: any): Promise<void>
  onSpanStart(span: any): Promise<void>
  onSpanEnd(span: any): Promise<void>
  shutdown(timeout?: number): Promise<void>
  forceFlush(): Promise<void>
}

/**
 * A processor of traces that reports their content to a recorder.
 *
 * Together with {@link recordOpenAIAgents} it adds the times, the agents, guardrails and errors of agents, and the tools where no hooks
 * are attached; what both see is recorded once. Alone it records what spans of models and tools carry, those of
 * OpenAI's own models. Traces without data (`traceIncludeSensitiveData: false`) have nothing to record.
 *
 * @param options.isFailure Which texts show that a tool failed, in addition to those of the SDK.
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * addTraceProcessor(openAIAgentsTracing(recorder))
 * await run(agent, 'What is the weather?')
 * await recorder.save('run.yaml')
 */
export declare function openAIAgentsTracing(recorder: Recorder, options?: { isFailure?: IsFailure }): OpenAIAgentsTracing
