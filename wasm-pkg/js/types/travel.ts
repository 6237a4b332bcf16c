// The types of time travel.
import type { TravelResult, TravelChange, TravelMark, TravelStep } from './author.ts'
import type { CanonicalMessage, ReplyInput, Json, MockContext, MockModel } from './index.ts'

/** How far a changed run is played on. */
export interface RerunOptions {
  /** The most steps that are worked out anew. Default: 1000. */
  maxSteps?: number
  /** Whether to call the model again where the run, or the fork, ends before it has answered. */
  goOn?: boolean
}

/** The request to a model in a changed run. */
export interface RerunModelRequest extends Pick<MockContext, 'lastUser' | 'lastAssistant' | 'lastTool' | 'lastResult' | 'lastRole'> {
  kind: 'reply'
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

/** A changed run that is played on step by step. */
export interface Rerun {
  /** What it waits for; a second call returns the same. */
  needs(): RerunNeeds
  /** Takes the answer of the model. */
  reply(response: ReplyInput): void
  /** Takes that the call of the model failed. */
  fail(error: unknown): void
  toolResult(result: unknown): void
  toolError(error: unknown): void
  /** The run as far as it has come; the rerun is at its end then. */
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
  /** Who answers where a recorded answer no longer holds. */
  model?: Pick<MockModel, 'call'> | ((context: RerunContext, options: { signal?: AbortSignal }) => ReplyInput | Promise<ReplyInput>)
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
 * A recorded run with changes. Every change gives a new object, so that one beginning can be led to many ends. Steps are
 * those of the run as it was, whatever was changed before.
 */
export interface TimeTravel {
  /** The changes so far, as data. */
  readonly changes: TravelChange[]
  /** Any change, or several, as data. */
  change(change: TravelChange | readonly TravelChange[]): TimeTravel
  /** Changes the content of the step's message; `message` names one of the initial state, in step 0. */
  edit(step: TravelStep, content: Json, options?: { message?: string }): TimeTravel
  /** The step does not happen. */
  skip(step: TravelStep): TimeTravel
  /** The step comes where step `to` is. */
  move(step: TravelStep, to: TravelStep): TimeTravel
  /** The model answers otherwise, or the tool returns otherwise or fails. */
  replace(step: TravelStep, instead: { response: unknown } | { result: unknown } | { error: unknown }): TimeTravel
  /** A key of the context has another value after the step; without a value, it is gone. */
  setContext(step: TravelStep, key: string, value?: Json): TimeTravel
  /** A turn in the full form comes behind the step. */
  insert(after: TravelStep, turn: Json): TimeTravel
  /** The run ends after the step. */
  fork(at: TravelStep): TimeTravel
  /** The new run: recorded answers that no longer hold are in it, and marked. */
  result(): TravelResult
  /** The marks of the steps that no longer hold. */
  readonly diverged: TravelMark[]
  /** Plays the new run on, step by step. */
  rerun(options?: RerunOptions): Rerun
  /**
   * Plays the new run to its end: what no longer holds is requested anew. `ended` is null when the changes cannot be
   * made, and `limit` when `maxSteps` was reached.
   *
   * @throws what the model throws; `ERR_TRANSCRIPT_MISUSE` when a model or a tool is needed and not provided.
   */
  recompute(options?: RecomputeOptions): Promise<TravelResult & { ended: 'done' | 'limit' | null }>
}
