// The types of a replay.
import type { NearestRecording, OtherDifference, RecordedResponse } from './generated/index.ts'
import type {
  ActualRun, AssertionType, Check, CheckOutcome, Diagnostic, Json, Options, Place, Recorder, RunCall, RunError, RunMessage, Source,
  StepState, TranscriptDocument,
} from './index.ts'

export type { NearestRecording, OtherDifference, RecordedResponse } from './generated/index.ts'

/**
 * How a run is held against a recording: word for word, the model answering from it (`strict`); with tools that answer
 * from it, to a live model (`mocked-tools`); or only by what it asserts (`property`).
 */
export type ReplayMode = 'strict' | 'mocked-tools' | 'property'

/** How a replay compares. What it disregards is named, never guessed. */
export interface ReplaySettings {
  /**
   * What is disregarded: `ids` of calls, as long as each is used consistently, `timestamps` in texts, the amount
   * of `whitespace`, or a path such as `messages[*].tool_calls[*].arguments.now`, `*` standing for any one key or
   * index and `**` for any number of them. Provider options, key order and the ids of messages never count.
   */
  ignore?: readonly string[]
  /**
   * What is compared only when named: `result_order`, the order of the results of parallel calls; `error_text`, the words
   * of a failed tool where both sides know that it failed; and of the request the `model`, its `settings` and the `tools` it
   * offers, each as far as the recording has it.
   */
  compare?: readonly ('result_order' | 'error_text' | 'model' | 'settings' | 'tools')[]
  /** `any` lets calls come in another order than they were recorded in, as those of agents side by side do. */
  order?: 'sequence' | 'any'
  /** Whether recorded calls that were never made are all right. Default: `fail`. */
  leftover?: 'fail' | 'allow'
  /**
   * Whether a call whose request was not recorded, as those of partial transcripts, takes any request. Default: `refuse`,
    * for nothing could be compared.
   */
  unrecorded?: 'refuse' | 'accept'
  /** Gives up waiting for the file; `replay` then throws the signal's reason. */
  signal?: AbortSignal
}

/**
 * Begins a replay of a recording: the agent must send what was sent, and gets the recorded answers.
 *
 * In Node a string without a line break, or a `URL`, names a file. In a page only texts are taken.
 *
 * @throws {TranscriptError} when the transcript has errors. One that records no model call is complete at once.
 * @example
 * const tape = await replay('run.yaml')
 * await generateText({ model: aiSdkModel(tape), prompt, tools, stopWhen: isStepCount(9) })
 * tape.assertComplete()
 */
export declare function replay(
  source: Source | URL,
  options?: Options &
    ReplaySettings & {
      mode?: 'strict'
    },
): Promise<Tape>

/**
 * Begins a replay of the tools of a recording, for a live model.
 *
 * @example
 * const tools = await replay('run.yaml', { mode: 'mocked-tools' })
 * const weather = tool({ inputSchema, execute: tools.tool('weather') })
 */
export declare function replay(
  source: Source | URL,
  options: Options &
    ReplaySettings & {
      mode: 'mocked-tools'
      /** How a call finds its result: by tool and arguments, by the call's id alone, or by the order of calls of a tool. */
      match?: 'arguments' | 'id' | 'order'
    },
): Promise<ToolTape>

/**
 * Begins a run that is held against what the recording asserts, whatever its own words.
 *
 * @example
 * const tape = await replay('run.yaml', { mode: 'property' })
 * tape.report({ format: 'ai-sdk', messages: [...prompt, ...result.response.messages] })
 * tape.assertToolCalled('weather', { city: 'Rome' })
 * tape.assertComplete()
 */
export declare function replay(source: Source | URL, options: Options & { mode: 'property'; signal?: AbortSignal }): Promise<PropertyTape>

/** A number, or its bounds. */
export type CountOrBounds = number | { min?: number; max?: number }

/**
 * A run, and what a recording asserts of it. Every `assert…` throws a `TranscriptAssertionError` when it does not hold;
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
  /** Takes a whole run; what was reported before is gone. */
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
   * @throws {TranscriptAssertionError} when assertions of the recording do not hold of it.
   */
  assertComplete(): void
  /** Holds one assertion against the run. */
  assert(type: AssertionType, fields?: { [field: string]: unknown }): void
  assertContains(pattern: string, options?: { message?: string; ignoreCase?: boolean }): void
  assertNotContains(pattern: string, options?: { message?: string; ignoreCase?: boolean }): void
  assertMatches(pattern: string, options?: { message?: string; ignoreCase?: boolean }): void
  assertEquals(value: unknown, options?: { message?: string; ignoreCase?: boolean }): void
  assertFinalResponseContains(pattern: string, options?: { ignoreCase?: boolean }): void
  assertToolCalled(tool: string, parameters?: { [name: string]: unknown }): void
  /** The same: a call may have other arguments too. */
  assertToolParamsInclude(tool: string, parameters: { [name: string]: unknown }): void
  /** The same for a call of any tool. */
  assertToolParamsInclude(parameters: { [name: string]: unknown }): void
  assertToolNotCalled(tool: string, parameters?: { [name: string]: unknown }): void
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
  /** Frees its memory now, instead of with the object. It answers nothing afterwards. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** Assertions do not hold of a run. */
export declare class TranscriptAssertionError extends Error {
  private constructor()
  readonly name: 'TranscriptAssertionError'
  readonly code: 'ERR_TRANSCRIPT_ASSERTION'
  /** Every outcome. */
  readonly outcomes: readonly CheckOutcome[]
  /** Those that are not passed. */
  readonly failed: readonly CheckOutcome[]
  /** The same as a compiler prints it. */
  readonly rendered: string
}

/**
 * The recorded results of tools, those of tools of other agents too. Of calls that are alike, the n-th gets the n-th
 * result. Of a tool that runs another agent it is what that answered, never its run.
 */
export interface ToolTape {
  /** The name of the recording's file. */
  readonly file: string
  /** The steps whose results were not requested yet. */
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
  /** A function for a framework's tool of that name: takes its arguments, gives the recorded result. */
  tool(name: string): (args: unknown, options?: { toolCallId?: string }) => Promise<any>
  /**
   * Ends the run.
   *
   * @throws {TranscriptDivergenceError} when a call had no result, or when recorded results were not requested.
   */
  assertComplete(): void
  /** Frees its memory now, instead of with the object. It answers nothing afterwards. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** A request in the form that all frameworks share. */
export interface CanonicalMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** Its text, or a list of parts such as texts and images. */
  content?: string | Json[] | null
  /** What is sent in addition to text and calls, in its normal form. */
  parts?: { type: string; at: number; media_type?: string; data?: string; url?: string; [key: string]: Json | undefined }[]
  tool_calls?: { id: string; name: string; arguments: Json }[]
  tool_call_id?: string
  name?: string
  result?: Json
  is_error?: boolean
}

/**
 * What an agent is about to send to its model, in the words of its framework: the body of a request with its
 * `format` added. `ai-sdk` is the `prompt` of a language model of the AI SDK, or of Mastra, as `messages`.
 */
export type TapeRequest =
  | { format: 'canonical'; messages: readonly CanonicalMessage[] }
  | { format: 'ai-sdk' | 'langchain'; messages: readonly unknown[] }
  | { format: 'openai-chat'; messages: readonly unknown[]; [key: string]: unknown }
  | { format: 'anthropic'; system?: unknown; messages: readonly unknown[]; [key: string]: unknown }
  | { format: 'openai-responses'; instructions?: string | null; input?: unknown; [key: string]: unknown }
  | { format: 'openai-agents'; systemInstructions?: string; input: unknown; [key: string]: unknown }

/** A recorded answer, and the step that it was recorded in. */
export interface TapeResponse {
  step: string
  response: RecordedResponse
}

/** A recorded call that a tape made itself: its answer, or how it failed. */
export type ReplayedCall = (TapeResponse & { error?: undefined }) | { step: string; response?: undefined; error: RecordedModelError }

/** One request to a tape. */
export interface TapeCall {
  /** The step whose request was expected. */
  step: string
  outcome: 'response' | 'error' | 'divergence'
  /** What was sent, in the framework's own form. */
  messages: readonly unknown[]
}

/** A tape as one agent sees it: `aiSdkModel()` takes it as it takes the tape. */
export interface AgentTape extends Pick<Tape, 'file' | 'compare' | 'expectedConfig' | 'recordedAnswer' | 'assertComplete'> {
  /** Whose requests it makes; undefined where the messages determine the agent. */
  readonly agent: string | undefined
  /** Answers the next model call of this agent; see {@link Tape.request}. */
  request(request: TapeRequest): TapeResponse
}

/**
 * A recording that is being played. Each agent of each run has a cursor: its calls come in the order of the recording,
 * those of several as they run.
 */
export interface Tape {
  /** The name of the recording's file. */
  readonly file: string
  /** What the option `compare` of `replay()` names. */
  readonly compare: readonly string[]
  /**
   * The number of recorded model calls that are still to be requested. Those of an agent that is run by a tool no longer
    * count once the agent that called the tool has gone on without a request for any of them.
   */
  readonly remainingSteps: number
  /** The steps of those calls, such as `3`, or `3.1` in the run of another agent. */
  readonly leftover: string[]
  /** Every request so far, the diverging ones too. */
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
  /** The messages that are expected next, of several agents those of the one recorded first; null when no call is left or they are not recorded. */
  readonly expectedMessages: CanonicalMessage[] | null
  /** The recorded state after a step, such as 2, or '2.1' in the run of another agent; 0 is the initial state. */
  state(step: number | string): StepState
  /**
   * Answers the next model call. Adapters call this; a test seldom does. The messages of a request determine its agent;
    * a host that knows it may name it: the name of the agent, or of the tool that runs it, the id of that tool's call, or
   * the step of that call; `main` is the agent of a recording that names none.
   *
   * @throws {TranscriptDivergenceError} when the request is not the recorded one; the tape stays where it is.
   * @throws {RecordedModelError} when the call failed in the recording.
   */
  request(request: TapeRequest, options?: { agent?: string }): TapeResponse
  /**
   * How the answer of a step was streamed and why it ended, where that was recorded; else null. Adapters call this.
   */
  recordedAnswer(step: string | number): { chunks?: Json[]; finish_reason?: string; model?: string; id?: string } | null
  /**
   * The same tape for the requests of one agent.
   *
   * @example
   * const researcher = aiSdkModel(tape.session({ agent: 'researcher' }))
   */
  session(options?: { agent?: string }): AgentTape
  /**
   * Makes the next recorded call itself, as the agents would that do what was recorded: the answer, or the failure that
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
  /** Frees its memory now, instead of with the object. It answers nothing afterwards. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** The agent did not follow the recording. No framework retries it. */
export declare class TranscriptDivergenceError extends Error {
  private constructor()
  readonly name: 'TranscriptDivergenceError'
  readonly code: 'ERR_TRANSCRIPT_DIVERGENCE'
  /** The step whose request was expected, such as `3`, or `3.1` in the run of another agent. */
  readonly step: string
  /** Whose request that is, such as `turn 3 > researcher`; empty where there is only one agent. */
  readonly run: string
  /** The path of the first difference in what was sent, such as `messages[3].result.condition`. */
  readonly path: string
  /** The same place in the recording, where results of parallel calls arrived in another order; else null. */
  readonly recordedPath: string | null
  /**
   * The recorded message that differs and where it stands, lines and columns from 1; null where none was recorded.
   * `message` is its id, null of one that was sent and never stored.
   */
  readonly recorded: ({ message: string | null; file: string | null } & Partial<Place>) | null
  /** What was recorded there; undefined for nothing, which is not null. */
  readonly expected: Json | undefined
  /** What was sent there; undefined for nothing, which is not null. */
  readonly actual: Json | undefined
  /** Which of the two is nothing; null when neither is, or both are. */
  readonly missing: 'expected' | 'actual' | null
  /** Of a call or a result whose id is another one, the other differences from the recording; else null. */
  readonly also: OtherDifference | null
  /** The lines that differ, as a unified diff, where both are texts of several lines or long ones; else null. */
  readonly diff: string | null
  /** Other recorded calls that nearly match, best first. */
  readonly nearest: readonly NearestRecording[]
  /** What to do about it. */
  readonly hint: string
}

/** A transcript that cannot be replayed. */
export declare class TranscriptError extends Error {
  private constructor()
  readonly name: 'TranscriptError'
  readonly code: 'ERR_TRANSCRIPT_INVALID'
  /** Everything found in it. */
  readonly diagnostics: readonly Diagnostic[]
  /** The same as a compiler prints it. */
  readonly rendered: string
}

/** The model call failed in the recording, and so it does in the replay. */
export declare class RecordedModelError extends Error {
  private constructor()
  readonly name: 'RecordedModelError'
  readonly code: 'ERR_RECORDED_MODEL'
  readonly step: string
  /** The error as recorded. */
  readonly error: Json
  /** The HTTP status, where recorded. */
  readonly status: number | undefined
  /** Whether the recording goes on with the same request. */
  readonly retried: boolean
}

/** The tool failed in the recording, and so it does in the replay. Its message is the tool's own. */
export declare class RecordedToolError extends Error {
  private constructor()
  readonly name: 'RecordedToolError'
  readonly code: 'ERR_RECORDED_TOOL'
  readonly step: string
  readonly file: string
}

/**
 * The messages of a request in the form that all frameworks share: what a strict replay compares.
 *
 * @throws {TypeError} when it is no request in its format.
 * @example
 * canonicalMessages({ format: 'anthropic', system: 'Be brief', messages: [{ role: 'user', content: 'Hi' }] })
 * // [{ role: 'system', content: 'Be brief' }, { role: 'user', content: 'Hi' }]
 */
export declare function canonicalMessages(request: TapeRequest): CanonicalMessage[]
