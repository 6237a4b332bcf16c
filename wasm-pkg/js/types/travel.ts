// The types of time travel.
import type { TravelResult, TravelChange, TravelMark, TravelStep } from './author.ts'
import type { CanonicalMessage, MockResponseInput, Json, MockContext, MockModel } from './index.ts'

/** How far to continue a changed run. */
export interface RerunOptions {
  /** The maximum number of steps to rerun. Default: 1000. */
  maxSteps?: number
  /** Whether to call the model again where the run, or the fork, ends before it has answered. */
  continuePastEnd?: boolean
}

/** The request to a model in a changed run. */
export interface RerunModelRequest extends Pick<MockContext, 'lastUser' | 'lastAssistant' | 'lastTool' | 'lastResult' | 'lastRole'> {
  kind: 'response'
  /** The path of the step that the answer becomes. */
  step: string
  /** The step of the original run that it replaces. */
  origin: string | null
  agent: string | null
  messages: CanonicalMessage[]
  iteration: number
  model: string | null
  tools: string[]
  context: { [key: string]: Json }
  /** Settings of this call. */
  config: { [key: string]: Json }
}

/** What a changed run waits for. */
export type RerunNeeds =
  | RerunModelRequest
  /** A call that nothing was recorded for. */
  | { kind: 'tool'; step: string; agent: string | null; call: { id: string | null; name: string; arguments: Json } }
  | { kind: 'nothing'; ended: 'done' | 'limit' }

/** A changed run that continues step by step. */
export interface Rerun {
  /** What it waits for; a second call returns the same. */
  needs(): RerunNeeds
  /** Takes the response of the model. */
  respond(response: MockResponseInput): void
  /** Takes that the call of the model failed. */
  fail(error: unknown): void
  toolResult(result: unknown): void
  toolError(error: unknown): void
  /** The run so far; this ends the rerun. */
  finish(): TravelResult
  /** Frees its memory now, instead of with the object. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** What a function that answers for the model sees. */
export type RerunContext = MockContext & { step: string; origin: string | null }

/** How a changed run is played to its end. */
export interface RecomputeOptions extends RerunOptions {
  /** Answers where a recorded response is no longer valid. */
  model?: Pick<MockModel, 'call'> | ((context: RerunContext, options: { signal?: AbortSignal }) => MockResponseInput | Promise<MockResponseInput>)
  /** Functions for calls that nothing was recorded for; what one throws is the result's error. */
  tools?: {
    [name: string]: (
      args: any,
      options: { agent: string | null; call: { id: string | null; name: string; arguments: Json }; step: string; signal?: AbortSignal },
    ) => unknown
  }
  signal?: AbortSignal
}

/**
 * A recorded run with changes. Every change returns a new object, so one beginning can have many ends. Steps are
 * those of the original run, whatever was changed before.
 */
export interface TimeTravel {
  /** The changes so far, as data. */
  readonly changes: TravelChange[]
  /** Any change, or several, as data. */
  change(change: TravelChange | readonly TravelChange[]): TimeTravel
  /** Changes the content of the step's message; `message` names one of the initial state, in step 0. */
  edit(step: TravelStep, content: Json, options?: { message?: string }): TimeTravel
  /** Removes the step. */
  skip(step: TravelStep): TimeTravel
  /** Moves the step to step `to`. */
  move(step: TravelStep, to: TravelStep): TimeTravel
  /** Changes the model's response, or the tool's result or failure. */
  replace(step: TravelStep, replacement: { response: unknown } | { result: unknown } | { error: unknown }): TimeTravel
  /** Sets a key of the context after the step; without a value, removes it. */
  setContext(step: TravelStep, key: string, value?: Json): TimeTravel
  /** Inserts a turn in the full form after it. */
  insert(after: TravelStep, turn: Json): TimeTravel
  /** Ends the run after the step. */
  fork(at: TravelStep): TimeTravel
  /** The new run: recorded responses that are no longer valid are marked. */
  result(): TravelResult
  /** The marks of steps that are no longer valid. */
  readonly diverged: TravelMark[]
  /** Continues the new run step by step. */
  rerun(options?: RerunOptions): Rerun
  /**
   * Plays the new run to its end, requesting invalid responses again. `ended` is null when the changes cannot be
   * made, and `limit` when `maxSteps` was reached.
   *
   * @throws what the model throws; `ERR_TRANSCRIPT_MISUSE` when a model or a tool is needed and not provided.
   */
  recompute(options?: RecomputeOptions): Promise<TravelResult & { ended: 'done' | 'limit' | null }>
}
