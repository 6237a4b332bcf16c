// The types of a replay.
import type { FormattedMessages } from './check.ts'
import type { CanonicalMessage as BareMessage, RecordedResponse, RequestFormat } from './generated/index.ts'
import type { RecordedModelError } from '../api/errors.ts'
import type { ActualRun, AssertionType, Check, Json, Recorder, RunCall, RunError, RunMessage, StepState, TranscriptDocument } from './index.ts'

export type { NearestRecording, OtherDifference, RecordedResponse } from './generated/index.ts'

/**
 * How a run is checked: word for word, with recorded responses of the model (`strict`); with recorded results of tools
 * for a live model (`mocked-tools`); or only by the recording's assertions (`property`).
 */
export type ReplayMode = 'strict' | 'mocked-tools' | 'property'

/** How a replay compares. It ignores only what is named. */
export interface ReplaySettings {
  /**
   * What to ignore: `ids` of calls, as long as each is used consistently, `timestamps` in texts, the amount
   * of `whitespace`, or a path such as `messages[*].tool_calls[*].arguments.now`, where `*` matches one key or
   * index and `**` any number of them. Provider options, key order and the ids of messages never count.
   */
  ignore?: readonly string[]
  /**
   * What to compare in addition: `result_order`, the order of the results of parallel calls; `error_text`, the text
   * of a failed tool if both sides know that it failed; and of the request the `model`, its `settings` and the `tools` it
   * offers, each if recorded.
   */
  compare?: readonly ('result_order' | 'error_text' | 'model' | 'settings' | 'tools')[]
  /** `any` accepts calls in another order than the recorded one, as parallel agents make them. */
  order?: 'sequence' | 'any'
  /** Whether recorded calls may remain unused. Default: `fail`. */
  leftover?: 'fail' | 'allow'
  /**
   * Whether a call without a recorded request, as in partial transcripts, takes any request. Default: `fail`,
    * as nothing could be compared.
   */
  unrecorded?: 'fail' | 'allow'
  /** Aborts waiting for the file; `replay` then throws the signal's reason. */
  signal?: AbortSignal
}

/** A number, or its bounds. */
export type CountOrBounds = number | { min?: number; max?: number }

/**
 * A run, and the assertions of a recording. Every `assert…` throws a `TranscriptAssertionError` when it fails;
 * the last argument of each may have further fields of the assertion, such as `message` and `ignoreCase`.
 */
export interface PropertyTape {
  /** The name of the recording's file. */
  readonly file: string
  readonly expectedConfig: Tape['expectedConfig']
  readonly initialContext: Tape['initialContext']
  readonly expectedToolCalls: Tape['expectedToolCalls']
  /** The run as it was reported so far. */
  readonly run: ActualRun | TranscriptDocument | { text: string }
  /** Takes a whole run, which replaces earlier reports. */
  report(run: ActualRun | TranscriptDocument | Recorder | { text: string; file?: string }): this
  addMessage(message: RunMessage): this
  /** Once calls are reported, those in the messages do not count as well. */
  addToolCall(call: RunCall): this
  addError(error: RunError | Error): this
  setContext(context: { [key: string]: unknown }): this
  /** The outcome of the assertions of the recording. */
  check(options?: { color?: boolean }): Check
  /**
   * Ends the run.
   *
   * @throws {TranscriptAssertionError} when assertions of the recording fail.
   */
  assertComplete(): void
  /** Checks one assertion against the run. */
  assert(type: AssertionType, fields?: { [field: string]: unknown }): void
  assertContains(pattern: string, options?: { message?: string; ignoreCase?: boolean }): void
  assertNotContains(pattern: string, options?: { message?: string; ignoreCase?: boolean }): void
  assertMatches(pattern: string, options?: { message?: string; ignoreCase?: boolean }): void
  assertEquals(value: unknown, options?: { message?: string; ignoreCase?: boolean }): void
  assertFinalResponseContains(pattern: string, options?: { ignoreCase?: boolean }): void
  assertToolCalled(tool: string, args?: { [name: string]: unknown }): void
  /** The same: a call may have other arguments too. */
  assertToolParamsInclude(tool: string, args: { [name: string]: unknown }): void
  /** The same for a call of any tool. */
  assertToolParamsInclude(args: { [name: string]: unknown }): void
  assertToolNotCalled(tool: string, args?: { [name: string]: unknown }): void
  assertToolCallCount(count: CountOrBounds, tool?: string): void
  assertToolSequence(tools: string[], options?: { mode?: 'strict' | 'unordered' | 'subset' | 'superset' }): void
  assertContextValue(key: string, value: unknown): void
  assertMessageCount(count: CountOrBounds, role?: string): void
  assertVisible(message: string, value?: boolean): void
  assertMaxTokens(max: number): void
  assertMaxTurns(max: number): void
  assertNoErrors(): void
  assertJsonPath(path: string, value?: unknown, options?: { message?: string }): void
  assertExpr(expr: string): void
  /** Frees its memory now, instead of with the object. Calls after that throw. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/**
 * The recorded results of tools, also of other agents' tools. Of equal calls, the n-th gets the n-th
 * result. The result of a tool that runs another agent is that agent's final response, never its run.
 */
export interface ToolTape {
  /** The name of the recording's file. */
  readonly file: string
  /** The steps with results that were not requested yet. */
  readonly leftover: string[]
  readonly expectedConfig: Tape['expectedConfig']
  /** Every recorded tool run, in order. */
  readonly expectedToolCalls: Tape['expectedToolCalls']
  /**
   * The recorded result of a call.
   *
   * @throws {TranscriptDivergenceError} when none is recorded for it.
   * @throws {RecordedToolError} when the tool failed in the recording.
   */
  call(call: { id?: string; name: string; arguments: unknown }): { step: string; result: Json }
  /** A function for a framework's tool of that name: takes its arguments, returns the recorded result. */
  tool(name: string): (args: unknown, options?: { toolCallId?: string }) => Promise<any>
  /**
   * Ends the run.
   *
   * @throws {TranscriptDivergenceError} when a call had no result, or when recorded results were not requested.
   */
  assertComplete(): void
  /** Frees its memory now, instead of with the object. Calls after that throw. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** A message in the form that all frameworks share. */
export interface CanonicalMessage extends Omit<BareMessage, 'parts'> {
  /** What is sent in addition to text and calls, in its normal form. */
  parts?: { type: string; at: number; media_type?: string; data?: string; url?: string; [key: string]: Json | undefined }[]
}

/**
 * The next request of an agent to its model, in the form of its framework: the body of a request with its
 * `format` added. `ai-sdk` is the `prompt` of a language model of the AI SDK, or of Mastra, as `messages`.
 */
export type TapeRequest =
  | { format: 'canonical'; messages: readonly CanonicalMessage[] }
  | FormattedMessages<'ai-sdk' | 'langchain'>
  | (FormattedMessages<Exclude<RequestFormat, 'canonical' | 'ai-sdk' | 'langchain'>> & { [key: string]: unknown })

/** A recorded response, and the step that it was recorded in. */
export interface TapeResponse {
  step: string
  response: RecordedResponse
}

/** A recorded call that a tape made itself: its response, or how it failed. */
export type ReplayedCall = (TapeResponse & { error?: undefined }) | { step: string; response?: undefined; error: RecordedModelError }

/** One request to a tape. */
export interface TapeCall {
  /** The expected step. */
  step: string
  outcome: 'response' | 'error' | 'divergence'
  /** The messages sent, in the framework's form. */
  messages: readonly unknown[]
}

/** The tape for one agent: `aiSdkModel()` accepts it like the tape. */
export interface AgentTape extends Pick<Tape, 'file' | 'compare' | 'expectedConfig' | 'recordedResponse' | 'assertComplete'> {
  /** The agent's name; undefined where the messages determine the agent. */
  readonly agent: string | undefined
  /** Answers the next model call of this agent; see {@link Tape.request}. */
  request(request: TapeRequest): TapeResponse
}

/**
 * A replay of a recording. Each agent of each run has a cursor: its calls come in the order of the recording,
 * those of several agents as they run.
 */
export interface Tape {
  /** The name of the recording's file. */
  readonly file: string
  /** What the option `compare` of `replay()` names. */
  readonly compare: readonly string[]
  /**
   * The number of recorded model calls not requested yet. Those of an agent that is run by a tool no longer
    * count once the agent that called the tool has gone on without a request for any of them.
   */
  readonly remainingSteps: number
  /** The steps of those calls, such as `3`, or `3.1` in the run of another agent. */
  readonly leftover: string[]
  /** Every request so far, also diverging ones. */
  readonly calls: readonly TapeCall[]
  /** The recorded `agent_config` without its context: model, temperature, tools and the like. */
  readonly expectedConfig: { [key: string]: Json }
  /** The recorded context before the first step. */
  readonly initialContext: { [key: string]: Json }
  /** Every recorded tool run, in order; those of an agent that a tool runs follow it, with their paths. */
  readonly expectedToolCalls: {
    step: string
    id: string | null
    name: string
    arguments: Json
    result: Json
    success: boolean
  }[]
  /** The next expected messages, of several agents those of the one recorded first; null when no call is left or they are not recorded. */
  readonly expectedMessages: CanonicalMessage[] | null
  /** The recorded state after a step, such as 2, or '2.1' in the run of another agent; 0 is the initial state. */
  state(step: number | string): StepState
  /**
   * Answers the next model call. Adapters call this; tests rarely do. The messages of a request determine its agent;
    * a host that knows it may name it: the name of the agent, or of the tool that runs it, the id of that tool's call, or
   * the step of that call; `main` is the agent of a recording that names none.
   *
   * @throws {TranscriptDivergenceError} when the request is not the recorded one; the tape does not advance.
   * @throws {RecordedModelError} when the call failed in the recording.
   */
  request(request: TapeRequest, options?: { agent?: string }): TapeResponse
  /**
   * How the response of a step was streamed and why it ended, if recorded; else null. Adapters call this.
   */
  recordedResponse(step: string | number): { chunks?: Json[]; finish_reason?: string; model?: string; id?: string } | null
  /**
   * The same tape for the requests of one agent.
   *
   * @example
   * const researcher = aiSdkModel(tape.session({ agent: 'researcher' }))
   */
  session(options?: { agent?: string }): AgentTape
  /**
   * Makes the next recorded call itself, as the recorded agents would: the response, or the failure that
   * was recorded; null when none is left.
   */
  replayNext(): ReplayedCall | null
  /**
   * Ends the run.
   *
   * @throws {TranscriptDivergenceError} when the run diverged, even if a framework swallowed the error, or when
   * recorded calls were not requested.
   */
  assertComplete(): void
  /** Frees its memory now, instead of with the object. Calls after that throw. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}
