// The types of simulations.
import type { MockDecisions, SimulationProblem as BareProblem, ToolExecution } from './generated/index.ts'
import type { Json, Options, Place, ReplyInput, Severity } from './index.ts'

export type { ToolExecution } from './generated/index.ts'

/** A message of a simulation. */
export interface SimulatedMessage {
  id: string
  role: string
  content: Json
  [key: string]: Json
}

/** A call of a tool in a simulation. */
export interface SimulatedCall {
  id: string
  name: string
  arguments: Json
}

/** What a function sees of a call that it answers. */
export interface SimulatedContext {
  agent: string
  /** What the model is sent, as it is now. The messages are shared between calls, and frozen. */
  messages: readonly Readonly<SimulatedMessage>[]
  iteration: number
  callCount: number
  model: string | null
  tools: string[]
  context: { [key: string]: Json }
  kwargs: { [key: string]: Json }
  outputSchema?: Json
  /** The text of the last user message. */
  lastUser: string | null
  lastAssistant: string | null
  lastTool: string | null
  /** The last result of a tool, as data. */
  lastResult: Json
  lastRole: string | null
}

/** A function that answers for an agent of a simulation. */
export type SimulatedHandler = (context: SimulatedContext, options: { signal?: AbortSignal }) => ReplyInput | Promise<ReplyInput>

/** An error of a step; its `cause` is what a function threw. */
export interface SimulatedError {
  type: string
  message: string
  /** Where it was raised, such as `steps[2]`. */
  path: string
  /** The other details of a handler that fails on purpose, such as `status`. */
  details?: Record<string, unknown>
  readonly cause?: unknown
}

/** Something that happened in a simulation. */
export interface SimulatedEvent {
  event: string
  agent: string
  [key: string]: Json
}

/** Why a simulation cannot begin. */
export interface SimulationProblem extends BareProblem {
  /** The name of the error, such as `InputError`. */
  name: string
  /** The error as a compiler prints it, with the line of the text; with colors when `color` is set. */
  rendered: string
}

/** A probable mistake: in the handlers, with a code and a place, or a function that nothing uses. */
export interface SimulationWarning {
  /** Where, such as `agents[0].mock[1]`, or `tools.wether` of the options. */
  path: string
  code?: string
  message: string
  help: string | null
  place?: Place
  severity?: Severity
  rendered?: string
}

/** The outcome of one step. */
export interface SimulatedStep {
  op: string
  agents: string[]
  /** The message that a `call` ends in. */
  returned?: SimulatedMessage
  /** The messages in the order in which they were added. */
  yielded?: SimulatedMessage[]
  error?: SimulatedError
  pending?: SimulatedCall[]
  issues?: string[]
  events: SimulatedEvent[]
}

/** One call of a model in a simulation. */
export interface SimulatedModelCall {
  /** The step it was made in, from 0. */
  step: number
  /** Which entry of the mock it belongs to, from 1. */
  entry: number
  callCount: number
  iteration: number
  nested: boolean
  /** How many messages of the history the model was sent. */
  sent: number
  /** The text in place of a message, with its index, as in a conversation of three. */
  replacement?: [number, string]
  /** What else was passed with the call. */
  kwargs: { [key: string]: Json }
  /** The schema that the answer has to fit. */
  outputSchema?: Json
  tools: string[]
  response?: { id: string; content: Json; toolCalls?: SimulatedCall[]; [key: string]: unknown }
  error?: SimulatedError
  /** What the handler tried, and why it matched or did not. */
  trace: MockDecisions
}

/** The outcome of one agent. */
export interface SimulatedAgent {
  key: string
  name: string
  /** What answers, as the library good-agent calls it. */
  modelClass: 'MockQueuedLanguageModel' | 'MockHandlerLanguageModel'
  messages: SimulatedMessage[]
  context: { [key: string]: Json }
  calls: SimulatedModelCall[]
  callCount: number
  responsesUsed: number
  responsesRemaining: number | null
  allResponsesConsumed: boolean | null
  /** The answers of the handler that were used, over all entries of its mock. */
  answersUsed: number
  answersRemaining: number | null
  pending: SimulatedCall[]
}

/** The outcome of a simulation. */
export interface SimulationResult {
  /** Whether it could begin and no step failed. */
  ok: boolean
  file: string
  /** Why it could not begin. */
  problems: SimulationProblem[]
  /** Probable mistakes in handlers, and functions among the options that nothing uses. */
  warnings: SimulationWarning[]
  profile: 'default' | 'good-agent' | null
  /** Whether all steps were run. */
  done: boolean
  steps: SimulatedStep[]
  agents: SimulatedAgent[]
  /** The tools that ran, in order. */
  toolExecutions: ToolExecution[]
  /** The whole run as a transcript; null when it could not begin. */
  transcript: { [key: string]: Json } | null
  /** The same as YAML. */
  text: string | null
  /** What functions threw. */
  failures: { agent: string; tool: string | null; error: unknown }[]
}

/** How a simulation is run. */
export interface SimulateOptions extends Omit<Options, 'rules' | 'files'> {
  /**
   * Functions for live tools. The model gets their errors, also for results that cannot be written as data. Live
   * tools of one answer run at the same time; their results come in the order of the calls.
   */
  tools?: { [name: string]: (args: any, call: { agent: string; call: SimulatedCall; signal?: AbortSignal }) => unknown }
  /** Functions that answer for agents; what one throws fails the step. */
  handlers?: {
    [agent: string]: SimulatedHandler | { handle: SimulatedHandler }
  }
  /** Aborts the simulation, whatever it waits for; it then throws the signal's reason. */
  signal?: AbortSignal
  /** The maximum number of function calls. */
  maxSteps?: number
  onEvent?: (event: SimulatedEvent) => void
  /** The messages for the handlers of a document, one step each, instead of a simulation's own steps. */
  user?: string | string[]
  /** Their agent. Default: the first. */
  agent?: string
  /** Whether `rendered` of problems has the colors of a terminal. */
  color?: boolean
}
