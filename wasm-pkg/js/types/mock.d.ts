// The types of mock models.
import type { CanonicalMessage, Json, Options, Place, Source, TapeRequest } from './index.js'

/** A handler as data; `public/docs/handlers.md` tells of every type. */
export interface HandlerData {
  type:
    | 'queue' | 'conditional' | 'transcript' | 'state_machine' | 'composite' | 'tool_sequence' | 'repeat' | 'fail'
    | 'recording'
  [key: string]: unknown
}

/** A call of a tool in a reply. */
export interface ReplyCall {
  id?: string
  name: string
  arguments: Json
  /** What the tool returns without running, in a simulation. */
  result?: Json
  error?: Json
}

/** An answer of a mock model. */
export interface Reply {
  /** Its text, or its parts; null when it says nothing. */
  content: Json
  tool_calls?: ReplyCall[]
  /** `refusal`, `reasoning`, `usage`, `metadata` and whatever else it carries. */
  [key: string]: Json | ReplyCall[] | undefined
}

/** What a function may answer: a text, or a map with the keys of a response. */
export type GivenReply = string | { content?: unknown; tool_calls?: readonly unknown[]; [key: string]: unknown }

/** What a function sees of a call. */
export interface MockContext {
  agent: string | null
  messages: CanonicalMessage[]
  /** The round of the agent's loop, from 0. */
  iteration: number
  /** The calls of the model so far with this one. */
  callCount: number
  model: string | null
  tools: string[]
  context: { [key: string]: Json }
  /** What else was passed with the call, such as a temperature. */
  kwargs: { [key: string]: Json }
  /** The text of the last user message. */
  lastUser: string | null
  lastAssistant: string | null
  lastTool: string | null
  /** The last result of a tool, as data. */
  lastResult: Json
  lastRole: string | null
}

/** A function that answers for a model. */
export type MockFunction = (context: MockContext) => GivenReply | Promise<GivenReply>

/** Responses one after the other, a handler, handlers by agent, or a function. */
export type GivenHandlers =
  | MockFunction
  | readonly GivenReply[]
  | HandlerData
  | { handlers: { [agent: string]: HandlerData | MockFunction } }

/** A call of a mock model: messages in the words of any framework, and settings of the model besides. */
export type MockRequest = (TapeRequest | { format?: undefined; messages: readonly CanonicalMessage[] }) & {
  agent?: string
  /** The round of the agent's loop, from 0; without it, the answers since the last user message. */
  iteration?: number
  context?: { [key: string]: unknown }
  /** Names, or declarations in the words of any framework. */
  tools?: readonly unknown[]
  model?: string
  [setting: string]: unknown
}

/** What was asked in a call. */
export interface MockAsked {
  /** The number of the call, from 1. */
  call: number
  agent: string | null
  model: string | null
  iteration: number
  messages: CanonicalMessage[]
  /** How many messages were sent before those that are kept. */
  leftOff: number
  tools: string[]
  kwargs: { [key: string]: Json }
}

/** What was asked and answered in a call. */
export interface MockExchange extends MockAsked {
  reply?: Reply
  error?: { name: string; message: string; path: string; error?: Json }
}

/** What was tried for a call, in order. */
export interface MockTrace {
  decisions: { path: string; fits: boolean; why: string }[]
  /** How many decisions more there were than are kept. */
  leftOff: number
  /** Where the answer stands, such as `handlers.bot.rules[1]`: a place that `coverage` knows. */
  answered: string | null
  /** The same as lines for a person. */
  text: string
}

/** What happened to a call. */
export type MockEvent = { call: number; request: MockRequest } & (
  | { kind: 'before' }
  | { kind: 'after'; reply: Reply }
  | { kind: 'error'; error: unknown }
)

/** A model that a handler answers for. */
export interface MockModel {
  readonly agent: string | null
  /** The calls so far, failed ones included. */
  readonly callCount: number
  readonly responsesUsed: number
  /** Null when it cannot be known, as of conditions. */
  readonly responsesRemaining: number | null
  readonly allConsumed: boolean | null
  /** The calls that are kept, the earliest first. */
  readonly exchanges: MockExchange[]
  readonly requests: MockAsked[]
  readonly responses: Reply[]
  /**
   * Asks for an answer.
   *
   * @throws {MockError} when the handler has none; whatever a function throws, as it is.
   */
  call(request: MockRequest | readonly CanonicalMessage[]): Promise<Reply>
  /** Has a function told of what happens to calls; returns what ends that. */
  on<K extends MockEvent['kind']>(kind: K, listener: (event: Extract<MockEvent, { kind: K }>) => void): () => void
  /** What was tried for the last call, and why it did or did not fit. */
  trace(): MockTrace
  /** Begins anew. */
  reset(): void
  /** The state as data: the counts, what is kept, and the state of the handler, unless that is a function. */
  snapshot(): { [key: string]: Json }
  restore(state: { [key: string]: Json }): void
  /** Frees its memory now, instead of with the object. */
  free(): void
}

/**
 * A model that answers as a handler says: that of a document, or one in code.
 *
 * @param options.agent Whose handler it is, of a document with several.
 * @param options.profile Whose behaviour and words handlers have where the documents and the library differ.
 * @param options.keep How much of the calls is kept: a thousand calls, 256 messages of each, 64 MiB.
 * @throws {TranscriptError} when the document has errors.
 * @example
 * const model = mockModel(['Hi', 'Bye'])
 * await model.call({ messages: [{ role: 'user', content: 'Hello' }] }) // { content: 'Hi' }
 */
export declare function mockModel(
  given: Source | GivenHandlers,
  options?: Options & {
    agent?: string
    profile?: 'default' | 'good-agent'
    keep?: { calls?: number; messages?: number; bytes?: number }
  },
): MockModel

/** A mock model has no answer. */
export declare class MockError extends Error {
  protected constructor()
  /** The number of the call. */
  readonly call: number
  /** Where in the handler, such as `handlers.bot.rules[1].when`. */
  readonly path: string
  /** Where in the document; null of handlers that are given as data. */
  readonly place: Place | null
}

/** All responses were given. */
export declare class MockExhaustedError extends MockError {
  readonly name: 'MockExhaustedError'
}

/** No rule fits, and there is no default. */
export declare class MockNoMatchError extends MockError {
  readonly name: 'MockNoMatchError'
}

/** A state machine was led to a state that it does not have. */
export declare class UnknownStateError extends MockError {
  readonly name: 'UnknownStateError'
}

/** A condition or a template cannot be worked out. */
export declare class ConditionError extends MockError {
  readonly name: 'ConditionError'
}

/** A handler fails on purpose. */
export declare class MockFailure extends MockError {
  readonly name: 'MockFailure'
  /** What it says. */
  readonly error: Json
  /** The HTTP status, where it says one. */
  readonly status: number | undefined
}

/** A function answered with what is no response. */
export declare class InvalidReplyError extends MockError {
  readonly name: 'InvalidReplyError'
}
