// Written by the tests from the Rust types.
import type { Json } from './json.ts'
import type { ToolCall } from './wire.ts'

/** A recorded call that nearly matches. */
export interface NearestRecording {
  /** The step. */
  step: string
  /** The reason why it does not match. */
  reason: string
  /** The path of the first difference; null when it matches. */
  path: string | null
}

/** A second difference. */
export interface OtherDifference {
  /** The path in the sent request. */
  path: string
  /** What was recorded there; absent when there was nothing. */
  expected?: Json
  /** What was sent; absent when there is nothing. */
  actual?: Json
}

/** A recorded answer of the model. */
export interface RecordedResponse {
  /** Its text. */
  content: string
  /** The tools it calls. */
  tool_calls: ToolCall[]
  /** Its reasoning. */
  reasoning: string | null
  /** Its refusal. */
  refusal: string | null
  /** Tokens used, as recorded. */
  usage: { [key: string]: Json } | null
  /** The pieces in which it was streamed, as recorded; absent where it was not streamed or they were not kept. */
  chunks?: Json[]
  /** Why it ended, in the word that was recorded. */
  finish_reason?: string
  /** Other data of the provider, as recorded: an adapter finds items there that no other key has. */
  metadata?: { [key: string]: Json }
}
