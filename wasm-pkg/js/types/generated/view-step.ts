// Written by the tests from the Rust types.
import type { Json } from './json.ts'
import type { StepRow } from './view-overview.ts'
import type { ToolCall } from './wire.ts'

/** One changed key of the context. */
export interface ContextChange {
  /** The key. */
  key: string
  /** How it changed. */
  kind: 'added' | 'changed' | 'removed'
  /** The value before. */
  before: Json
  /** The value after. */
  after: Json
}

/** Layer 2: every message in the store and whether the model can see it. */
export interface MessageFlow {
  /** The store after the step, oldest first. */
  store: MessageView[]
  /** The ids of the visible ones, oldest first. */
  visible: string[]
}

/** One message of the store. */
export interface MessageView {
  /** Its id. */
  id: string
  /** Its role; empty for a message that names none. */
  role: string
  /** Its text; null when the message has no content at all. */
  content: string | null
  /** The tools it calls. */
  toolCalls: ToolCall[]
  /** The call it answers, for a tool message. */
  toolCallId: string | null
  /** The tool that answered, for a tool message. */
  toolName: string | null
  /** The agent, where the document names one. */
  agent: string | null
  /** Whether the model can see it after this step. */
  visible: boolean
  /** Whether this step created it. */
  createdHere: boolean
  /** Whether this step hid it or showed it. */
  visibilityChangedHere: boolean
  /** The path of the step that hid it, when it is hidden and was not so from its start. */
  hiddenSince: string | null
}

/** One message as the model was sent it. */
export interface SentMessage {
  /** The store's id; null for a message that was never stored. */
  id: string | null
  /** Its role; empty for a message that names none. */
  role: string
  /** The text the model saw. */
  content: string | null
  /** The tools it calls. */
  toolCalls: ToolCall[]
  /** Whether the model saw another text than the store holds. */
  transformed: boolean
}

/** Layer 1: the context after the step, and what the step did to it. */
export interface StepContext {
  /** The context after the step. */
  context: { [key: string]: Json }
  /** The contexts that agents have of their own after the step, by agent; absent where none has. */
  agents?: { [key: string]: { [key: string]: Json } }
  /** The difference to the step before, by key in the order of the context, removed keys last. */
  changes: ContextChange[]
}

/** One step in three layers. */
export interface StepDetail {
  /** The row of the step list. */
  row: StepRow
  /** Layer 1: the context after the step, and what the step did to it. */
  state: StepContext
  /** Layer 2: the message store after the step. */
  flow: MessageFlow
  /** Layer 3 of a step that called the model: what was sent and answered; null of all others. */
  llm: StepLlmCall | null
  /** Layer 3 of a step that ran a tool; null of all others. */
  tool: StepToolCall | null
  /** The step as the full transcript has it, with what a partial document leaves to be filled in. */
  raw: Json
}

/** Layer 3 of a model call: what was sent and what came back. */
export interface StepLlmCall {
  /** The messages the model was sent; null when the document does not record them. */
  sent: SentMessage[] | null
  /** Ids of messages that are in the store before the call and were not sent. */
  withheld: string[]
  /** Model and settings of the call: the agent's, overridden by the step's own. */
  config: { [key: string]: Json }
  /** The answer's text. */
  content: string | null
  /** The tools the answer calls. */
  toolCalls: ToolCall[]
  /** The answer's reasoning text. */
  reasoning: string | null
  /** The answer's refusal text. */
  refusal: string | null
  /** Token usage as recorded. */
  usage: Json
  /** The error of a call that failed. */
  error: Json
}

/** Layer 3 of a tool call. */
export interface StepToolCall {
  /** The call's id. */
  id: string | null
  /** The tool's name. */
  name: string
  /** What it was called with. */
  parameters: Json
  /** What it returned. */
  result: Json
  /** Whether it succeeded. */
  success: boolean
  /** Its error text. */
  error: string | null
}
