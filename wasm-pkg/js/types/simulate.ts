// The types of simulations.
import type {
  SimulatedEvent,
  SimulatedMessage,
  SimulationProblem as BareProblem,
  SimulationReport,
  ToolCall as SimulatedCall,
} from './generated/index.ts'
import type { Json, Options, Place, MockResponseInput, Severity } from './index.ts'

export type {
  SimulatedAgent,
  SimulatedError,
  SimulatedEvent,
  SimulatedMessage,
  SimulatedModelCall,
  SimulatedStep,
  ToolCall as SimulatedCall,
  ToolExecution,
} from './generated/index.ts'

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
export type SimulatedHandler = (context: SimulatedContext, options: { signal?: AbortSignal }) => MockResponseInput | Promise<MockResponseInput>

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

/** The outcome of a simulation. */
export interface SimulationResult extends Omit<SimulationReport, 'profile' | 'transcript'> {
  /** Whether it could begin and no step failed. */
  ok: boolean
  file: string
  /** Why it could not begin. */
  problems: SimulationProblem[]
  /** Probable mistakes in handlers, and functions among the options that nothing uses. */
  warnings: SimulationWarning[]
  /** Null when it could not begin. */
  profile: SimulationReport['profile'] | null
  /** The whole run as a transcript; null when it could not begin. */
  transcript: SimulationReport['transcript'] | null
  /** The same as YAML. */
  text: string | null
  /** What functions threw. */
  failures: { agent: string; tool: string | null; error: unknown }[]
}

/** How a simulation is run. */
export interface SimulateOptions extends Omit<Options, 'rules' | 'files'> {
  /**
   * Functions for live tools. The model gets their errors, also for results that cannot be written as data. Live
   * tools of one response run at the same time; their results come in the order of the calls.
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
