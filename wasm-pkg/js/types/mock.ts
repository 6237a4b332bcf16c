// The types of mock models.
import type { MockDecisions } from './generated/index.ts'
import type { CanonicalMessage, Diagnostic, Json, Options, TapeRequest } from './index.ts'

export type { MockDecision, MockDecisions } from './generated/index.ts'

/** A handler as data; `docs/handlers.md` describes every type. */
export interface HandlerData {
  type:
    | 'queue' | 'conditional' | 'transcript' | 'state_machine' | 'composite' | 'tool_sequence' | 'repeat' | 'fail'
    | 'recording'
  [key: string]: unknown
}

/** A call of a tool in a response. */
export interface MockToolCall {
  id?: string
  name: string
  arguments: Json
  /** What the tool returns without running, in a simulation. */
  result?: Json
  error?: Json
}

/** A response of a mock model. */
export interface MockResponse {
  /** Its text, or its parts; null when it has none. */
  content: Json
  tool_calls?: MockToolCall[]
  /** `refusal`, `reasoning`, `usage`, `metadata` and whatever else it carries. */
  [key: string]: Json | MockToolCall[] | undefined
}

/** What a function may return: a string, or a map with the keys of a response. */
export type MockResponseInput =
  | string
  | { content?: unknown; tool_calls?: readonly unknown[]; handle?: undefined; [key: string]: unknown }

/** What a function sees of a call. */
export interface MockContext {
  agent: string | null
  /** What the model is sent; `content` of a tool's message is its text, as it was sent. They cannot be changed. */
  messages: readonly Readonly<CanonicalMessage>[]
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
  /** The text of the last tool result, as it was sent. */
  lastTool: string | null
  /** The last result of a tool, as data. Of an integer beyond 2^53 only `lastTool` has all digits. */
  lastResult: Json
  lastRole: string | null
}

/** A function that answers for a model; `options.signal` is that of the call. */
export type MockFunction = (context: MockContext, options: { signal?: AbortSignal }) => MockResponseInput | Promise<MockResponseInput>

/** An object that answers for a model: its method `handle` is such a function, and it may keep state. */
export interface MockHandler {
  handle: MockFunction
}

/** A function that decides whether a condition holds: it returns a truthy value. */
export type MockTest = (context: MockContext, options: { signal?: AbortSignal }) => unknown

/** A condition: an expression, a map of tests, or a function; functions may also be in `all`, `any` and `not`. */
export type ConditionInput = string | { [test: string]: unknown } | MockTest

/** A response, or a function that makes it from the call. */
export type ResponseInput = MockResponseInput | MockFunction

/** A handler as data, with functions in place of responses, conditions and handlers; or a handler in code. */
export type HandlerInput = HandlerData | MockFunction | MockHandler

/** Responses one after the other, a handler, handlers by agent, or a function. */
export type HandlersInput =
  | HandlerInput
  | readonly ResponseInput[]
  | { handlers: { [agent: string]: HandlerInput } }

/** A call of a mock model: messages in the form of any framework, and settings of the model. */
export type MockRequest = (TapeRequest | { format?: undefined; messages: readonly CanonicalMessage[] }) & {
  agent?: string
  /** The round of the agent's loop, from 0; without it, the responses since the last user message. */
  iteration?: number
  context?: { [key: string]: unknown }
  /** Names, or declarations in the form of any framework. */
  tools?: readonly unknown[]
  model?: string
  [setting: string]: unknown
}

/** The request of a call. */
export interface ReceivedRequest {
  /** The number of the call, from 1. */
  call: number
  agent: string | null
  model: string | null
  iteration: number
  messages: CanonicalMessage[]
  /** How many messages were sent before those that are kept. */
  omitted: number
  tools: string[]
  kwargs: { [key: string]: Json }
}

/** The request and the response of a call. */
export interface MockExchange extends ReceivedRequest {
  response?: MockResponse
  error?: { name: string; message: string; path: string; error?: Json; thrown?: Json }
}

/** The attempts for a call, in order. */
export interface MockTrace extends MockDecisions {
  /** The same as lines for a person. */
  text: string
}

/** What happened to a call. */
export type MockEvent = { call: number; request: MockRequest } & (
  | { kind: 'before' }
  | { kind: 'after'; response: MockResponse }
  | { kind: 'error'; error: unknown }
)

/** A model that a handler answers for. */
export interface MockModel {
  /** Probable mistakes in its handler: a variable that does not exist, a key that nothing reads. */
  readonly warnings: Diagnostic[]
  readonly agent: string | null
  /** The calls so far, failed ones included. */
  readonly callCount: number
  readonly responsesUsed: number
  /** Null if unknown, as for conditions. */
  readonly responsesRemaining: number | null
  readonly allConsumed: boolean | null
  /** The calls that are kept, the earliest first. */
  readonly exchanges: MockExchange[]
  readonly requests: ReceivedRequest[]
  readonly responses: MockResponse[]
  /**
   * Requests a response.
   *
   * Calls that run functions inside a handler are answered one after the other, in order. If the whole handler is a
   * function, its calls run at the same time.
   *
   * @param options.signal Aborts the call, whatever it waits for; it then throws the signal's reason.
   * @throws {MockError} when the handler has no response. If a function inside the handler throws, the error is a
   *   `MockFunctionError` with the thrown value as `cause`. If the whole handler is a function, what it throws is passed on.
   */
  call(request: MockRequest | readonly CanonicalMessage[], options?: { signal?: AbortSignal }): Promise<MockResponse>
  /** Listens to the events of calls; returns a function that stops it. */
  on<K extends MockEvent['kind']>(kind: K, listener: (event: Extract<MockEvent, { kind: K }>) => void): () => void
  /** The attempts for the last call, and why each matched or did not. */
  trace(): MockTrace
  /** Starts again. */
  reset(): void
  /** The state as data: the counts, what is kept, and the state of the handler, unless that is a function. */
  snapshot(): { [key: string]: Json }
  restore(state: { [key: string]: Json }): void
  /** Frees its memory now, instead of with the object. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** A state of `mock.stateMachine`. */
export type StateInput =
  | ResponseInput
  | {
      respond: ResponseInput
      /** Tried in order: a list, or a map of conditions by the state that each leads to. */
      transitions?: readonly { to: string; when?: ConditionInput }[] | { [to: string]: ConditionInput }
      /** The next state when no transition matches; `default_next`, its name in good-agent, means the same. */
      next?: string
      default_next?: string
    }

/** A rule of `mock.conditional`: when the condition holds, the model answers `respond`. */
export interface RuleInput {
  when: ConditionInput
  respond: ResponseInput
}

/** Rules in the order in which they are tried; every call gives a new handler. */
export interface ConditionalHandler extends HandlerData {
  type: 'conditional'
  rules: { when?: ConditionInput; respond?: ResponseInput; handler?: HandlerInput }[]
  /** Adds a rule: when `test` holds, the model answers `respond`. */
  when(test: ConditionInput, respond: ResponseInput): ConditionalHandler
  /** Sets the response when no rule holds. */
  default(respond: ResponseInput): HandlerData
}

/** What `mock.create` takes: the keys of a response. */
export interface ResponseFields {
  role?: string
  content?: unknown
  tool_calls?: readonly unknown[]
  refusal?: unknown
  reasoning?: unknown
  citations?: unknown
  annotations?: unknown
  usage?: unknown
  metadata?: unknown
  parsed?: unknown
  chunks?: readonly unknown[]
  finish_reason?: string
  model?: string
}

/** A response as data. */
export interface ResponseData {
  content?: unknown
  tool_calls?: readonly unknown[]
  [key: string]: unknown
}

/** What `mock` is: a function that makes a model, and the handlers and responses to make it of, as data. */
export interface Mock {
  /**
   * A model that gives these responses one after the other, or answers according to a handler, a function or a document.
   *
   * @example
   * const model = mock('Response 1', 'Response 2')
   * const echo = mock(({ lastUser }) => `You said ${lastUser}`)
   */
  (...responses: ResponseInput[]): MockModel
  (handler: HandlerInput | { handlers: { [agent: string]: HandlerInput } } | Uint8Array | { text: string; file?: string }): MockModel

  /**
   * A handler with rules: `mock.conditional().when({ last_user_contains: 'weather' }, 'Sunny').default('No idea')`.
   * The first rules may be passed at once, as `{when, respond}`.
   */
  conditional(...rules: (RuleInput | readonly RuleInput[])[]): ConditionalHandler
  conditional(when: ConditionInput, respond: ResponseInput): ConditionalHandler
  /** Follows a conversation: messages, or `[role, content, more]`; or the transcript of a file that the document names. */
  transcript(
    entries: string | readonly (ResponseInput | { role: string; content?: unknown; [key: string]: unknown } | readonly [string, unknown, object?])[],
  ): HandlerData
  /** A state machine; it begins in its first state by default; `initial` names another. */
  stateMachine(machine: { initial?: string; states: { [name: string]: StateInput } }): HandlerData
  /** A response. Its `tool_calls` may contain calls that `toolCall` made. */
  create(fields: string | ResponseFields): ResponseData
  /** A response that calls a tool, and may specify what the tool returns without running. */
  toolCall(
    name: string,
    args?: { [name: string]: unknown },
    options?: { id?: string; result?: unknown; error?: unknown; content?: string },
  ): ResponseData
  /** Tries handlers by a strategy that may be named first: `first_match`, `in_order` or `round_robin`. */
  composite(
    ...handlers: [first: 'first_match' | 'in_order' | 'round_robin', ...rest: (HandlerInput | readonly HandlerInput[])[]]
      | (HandlerInput | readonly HandlerInput[])[]
  ): HandlerData
  /** Responses one after the other. */
  queue(...responses: (ResponseInput | readonly ResponseInput[])[]): HandlerData
  /** One response, repeated. */
  repeat(respond: ResponseInput, options?: { times?: number }): HandlerData
  /** Fails, then leaves the response to another handler. */
  fail(error?: unknown, options?: { times?: number; then?: HandlerInput }): HandlerData
  /** Calls tools one after the other, then gives a last response. */
  toolSequence(calls: readonly unknown[], options?: { then?: ResponseInput }): HandlerData
  /** Passes every call on and keeps requests and responses. */
  recording(handler: HandlerInput, options?: { saveAs?: string }): HandlerData
  /** Whether a handler contains no function, so it prints as a document. */
  isData(handler: HandlerInput): boolean
}

/** The options of a mock model. */
export interface MockModelOptions extends Options {
  /** The agent, if a document has several handlers. */
  agent?: string
  /** `good-agent` follows the Python library good-agent where the default differs. */
  profile?: 'default' | 'good-agent'
  /** How much of the calls is kept. Default: a thousand calls, 256 messages of each, 64 MiB. */
  keep?: { calls?: number; messages?: number; bytes?: number }
  /** Receives each of the model's `warnings` when it is made. Nothing is printed. */
  onWarning?: (warning: Diagnostic) => void
}
