// Written by the tests from the Rust types.
import type { Json } from './json.ts'
import type { MockDecisions } from './mock.ts'
import type { ToolCall } from './wire.ts'

/** The outcome of one agent. */
export interface SimulatedAgent {
  /** Its name in steps. */
  key: string
  /** Its name. */
  name: string
  /** The class of its model: `MockQueuedLanguageModel` or `MockHandlerLanguageModel`. */
  modelClass: 'MockQueuedLanguageModel' | 'MockHandlerLanguageModel'
  /** Its history. */
  messages: SimulatedMessage[]
  /** Its context at the end. */
  context: { [key: string]: Json }
  /** Every call of its model, those inside other agents' tools included. */
  calls: SimulatedModelCall[]
  /** The calls since its mock was entered last, failed ones included. */
  callCount: number
  /** The number of responses used since then; under `good-agent` only those of a plain queue. */
  responsesUsed: number
  /** The responses that are left, where that is known. */
  responsesRemaining: number | null
  /** Whether none is left, if known. */
  allResponsesConsumed: boolean | null
  /** The number of answers of the handler, over all entries of its mock. */
  handlerResponsesUsed: number
  /** The answers that the handler has left, where that is known. */
  handlerResponsesRemaining: number | null
  /** The tool calls without an answer. */
  pending: ToolCall[]
}

/** An error of a step, with its profile's wording. */
export interface SimulatedError {
  /** The name: `MockExhaustedError` and the like, under `good-agent` the Python class. */
  type: string
  /** The message. */
  message: string
  /** Where it was raised, such as `steps[2]` or `agents[0].handler.rules[1].when`. */
  path: string
  /** What a function of the host threw; in the core, the host's number for it. */
  cause?: unknown
  /** Other details of a handler that fails on purpose, such as `status`; absent without any. */
  details?: { [key: string]: Json }
}

/** An event for listeners of the host. */
export interface SimulatedEvent {
  /** Its name in the Python library, such as `tool:call:before`. */
  event: string
  /** The key of the agent. */
  agent: string
  /** Other keys. */
  [key: string]: unknown
}

/** A message of an agent's history. */
export interface SimulatedMessage {
  /** Its id, by its place in the simulation. */
  id: string
  /** `system`, `user`, `assistant` or `tool`. */
  role: string
  /** Its content: a text, or parts. */
  content: Json
  /** Its index among the messages of one `execute`; 0 for a message from outside. */
  i: number
  /** The key of the agent with this history. */
  agent: string
  /** The tools it calls. */
  toolCalls?: ToolCall[]
  /** The call it answers. */
  toolCallId?: string
  /** The tool that answers. */
  toolName?: string
  /** The result of the tool, as data. */
  toolResponse?: SimulatedToolResponse
  /** Fields that the Python library adds to a message, under `good-agent` only. */
  extra?: { [key: string]: Json }
  /** Other keys. */
  [key: string]: unknown
}

/** One call of a model. */
export interface SimulatedModelCall {
  /** The step it was made in, from 0. */
  step: number
  /** Which entry of the mock it belongs to, from 1. */
  entry: number
  /** The calls of the model so far with this one, within that entry. */
  callCount: number
  /** The round of the agent's loop, from 0. */
  iteration: number
  /** Whether it was made as a tool of another agent, in a history of its own. */
  nested: boolean
  /** How many messages of the history the model was sent: all there were. */
  sent: number
  /** The text that replaced a message, with its index, as in a conversation of three. */
  replacement?: [number, string]
  /** Other options of the call. */
  kwargs: { [key: string]: Json }
  /** The names of the tools that were offered. */
  tools: string[]
  /** The schema that the answer has to fit. */
  outputSchema?: Json
  /** The answer. */
  response?: SimulatedModelResponse
  /** How the call failed. */
  error?: SimulatedError
  /** The handler's attempts, with the reasons for each. */
  trace: MockDecisions
}

/** An answer of a model. */
export interface SimulatedModelResponse {
  /** The id of the answer, by its place in the simulation. */
  id: string
  /** Its text, or its parts. */
  content: Json
  /** The tools it calls. */
  toolCalls?: ToolCall[]
  /** Other keys. */
  [key: string]: unknown
}

/** The outcome of one step. */
export interface SimulatedStep {
  /** The operation of the step. */
  op: string
  /** The agents it is about. */
  agents: string[]
  /** The final message of the step; for a call that did not fail. */
  returned?: SimulatedMessage
  /** The messages in order, including those before an error. */
  yielded?: SimulatedMessage[]
  /** How it failed. */
  error?: SimulatedError
  /** The open tool calls, for a step that requests them. */
  pending?: ToolCall[]
  /** What models would refuse about the messages, for a step that requests it. */
  issues?: string[]
  /** The instructions of each agent while a conversation lasts. */
  systemInside?: { [key: string]: Json }
  /** The events, in order. */
  events: SimulatedEvent[]
}

/** The result of a tool. */
export interface SimulatedToolResponse {
  /** The result; null for a failure. */
  response: Json
  /** The model's arguments. */
  parameters: Json
  /** Whether it succeeded. */
  success: boolean
  /** How it failed. */
  error: string | null
}

/** The outcome of a simulation. */
export interface SimulationReport {
  /** The profile of the simulation. */
  profile: 'default' | 'good-agent'
  /** Whether all steps were run. */
  done: boolean
  /** The steps that were run. */
  steps: SimulatedStep[]
  /** The agents in the order of the input. */
  agents: SimulatedAgent[]
  /** The tools that ran, in order. */
  toolExecutions: ToolExecution[]
  /** The whole run as a transcript in the full form. */
  transcript: { [key: string]: Json }
}

/** A tool that ran. */
export interface ToolExecution {
  /** The step it ran in, from 0. */
  step: number
  /** The agent that called it. */
  agent: string
  /** The tool. */
  tool: string
  /** The id of the call. */
  callId: string
  /** Its arguments, with defaults filled in. */
  arguments: Json
}
