// The types of a replay.
import type { Diagnostic, Json, Options, Source, StepState } from './index.js'

/** How a replay compares. Only `strict` is there yet; the others are refused. */
export type ReplayMode = 'strict' | 'mocked-tools' | 'property'

/**
 * Begins a replay of a recording: the agent must send what was sent, and gets the recorded answers.
 *
 * In Node a string without a line break, or a `URL`, names a file. In a page only texts are taken.
 *
 * @throws {TranscriptError} when the transcript has errors, or records no model call.
 * @example
 * const tape = await replay('run.yaml')
 * await generateText({ model: aiSdkModel(tape), prompt, tools, stopWhen: isStepCount(9) })
 * tape.assertComplete()
 */
export declare function replay(source: Source | URL, options?: Options & { mode?: ReplayMode }): Promise<Tape>

/** A request in the form that all frameworks share. */
export interface CanonicalMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** Its text, or a list of parts such as texts and images. */
  content?: string | Json[] | null
  /** What is sent besides text and calls, in its normal form. */
  parts?: { type: string; at: number; media_type?: string; data?: string; url?: string; [key: string]: Json | undefined }[]
  tool_calls?: { id: string; name: string; arguments: Json }[]
  tool_call_id?: string
  name?: string
  result?: Json
  is_error?: boolean
}

/** What an agent is about to send to its model: canonical messages, or a prompt of the AI SDK as it is. */
export type TapeRequest =
  | { format: 'canonical'; messages: readonly CanonicalMessage[] }
  | { format: 'ai-sdk'; messages: readonly unknown[] }

/** A recorded answer, and the step that it was recorded in. */
export interface TapeResponse {
  step: string
  response: {
    content: string
    tool_calls: { id: string; name: string; arguments: Json }[]
    reasoning: string | null
    refusal: string | null
    usage: { [key: string]: Json } | null
  }
}

/** One request that a tape was asked. */
export interface TapeCall {
  /** The step whose request was expected. */
  step: string
  outcome: 'response' | 'error' | 'divergence'
  /** What was sent, in the framework's own form. */
  messages: readonly unknown[]
}

/** A recording that is being played. It has one cursor: the calls come in the order of the recording. */
export interface Tape {
  /** The name of the recording's file. */
  readonly file: string
  /** The number of recorded model calls that were not asked for yet. */
  readonly remainingSteps: number
  /** The steps of those calls. */
  readonly leftover: string[]
  /** Every request so far, the diverging ones too. */
  readonly calls: readonly TapeCall[]
  /** The recorded `agent_config` without its context: model, temperature, tools and the like. */
  readonly expectedConfig: { [key: string]: Json }
  /** The recorded context before the first step. */
  readonly initialContext: { [key: string]: Json }
  /** Every recorded tool run, in order. */
  readonly expectedToolCalls: {
    step: string
    id: string | null
    name: string
    arguments: Json
    result: Json
    success: boolean
  }[]
  /** The messages that are expected next; null when no call is left or they are not recorded. */
  readonly expectedMessages: CanonicalMessage[] | null
  /** The recorded state after a step; 0 is the initial state. */
  state(step: number | string): StepState
  /**
   * Answers the next model call. Adapters call this; a test seldom does.
   *
   * @throws {TranscriptDivergence} when the request is not the recorded one; the tape stays where it is.
   * @throws {RecordedModelError} when the call failed in the recording.
   */
  request(request: TapeRequest): TapeResponse
  /**
   * Says that the run is over.
   *
   * @throws {TranscriptDivergence} when the run diverged, even if a framework swallowed the error, or when
   * recorded calls were not asked for.
   */
  assertComplete(): void
}

/** The agent did not do what the recording says. No framework retries it. */
export declare class TranscriptDivergence extends Error {
  private constructor()
  readonly name: 'TranscriptDivergence'
  /** The step whose request was expected. */
  readonly step: string
  /** The path of the first difference, such as `messages[3].result.condition`. */
  readonly path: string
  /** What was recorded there; null for nothing. */
  readonly expected: Json
  /** What was sent there; null for nothing. */
  readonly actual: Json
  /** Other recorded calls that nearly match, best first. */
  readonly nearest: readonly { step: string; reason: string }[]
  /** What to do about it. */
  readonly hint: string
}

/** A transcript that cannot be replayed. */
export declare class TranscriptError extends Error {
  private constructor()
  readonly name: 'TranscriptError'
  /** Everything found in it. */
  readonly diagnostics: readonly Diagnostic[]
  /** The same as a compiler prints it. */
  readonly rendered: string
}

/** The model call failed in the recording, and so it does in the replay. */
export declare class RecordedModelError extends Error {
  private constructor()
  readonly name: 'RecordedModelError'
  readonly step: string
  /** The error as recorded. */
  readonly error: Json
  /** The HTTP status, where recorded. */
  readonly status: number | undefined
  /** Whether the recording goes on with the same request. */
  readonly retried: boolean
}
