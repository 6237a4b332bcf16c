// The types of the builder.
import type { Json } from './index.ts'

export type { BuildProblem } from './generated/index.ts'

/** A part of a transcript as data, with the keys of the file. */
export type BuilderData = { [key: string]: Json }

/** The options of all steps that make a message. */
export interface BuilderStep {
  /** The agent that the message belongs to. */
  agent?: string
  /** Whether the message is stored and not shown to the model. */
  hidden?: boolean
  /** The id of the message, which is made up from its position otherwise. */
  id?: string
  /** The time of the turn, in ISO 8601. */
  at?: string
}

/** A message: its content, or a map of that and more. */
export type BuilderMessage = string | ({ content: Json; role?: string } & BuilderStep)

/** A call of a tool; the id follows from the position by default. */
export type BuilderToolCall =
  | { id?: string; name: string; arguments?: Json }
  | { id?: string; function: { name: string; arguments?: Json } }

/** What a model answers in addition to text. */
export interface BuilderResponse extends BuilderStep {
  toolCalls?: BuilderToolCall[]
  reasoning?: string
  refusal?: string
  parsed?: Json
  citations?: Json
  annotations?: Json
  chunks?: Json
  usage?: BuilderData
  metadata?: BuilderData
  llmConfig?: BuilderData
}

/** A run of a tool. It answers the oldest open call of the tool with these parameters, unless `callId` names one. */
export interface BuilderToolRun extends BuilderStep {
  tool: string
  parameters?: Json
  callId?: string
}

/** How a transcript is built. */
export interface BuildOptions {
  /** When it was made. */
  created?: string | Date
  /** Gives the time that `save` writes as `created` where there is none. Default: the clock of the machine. */
  clock?: () => string | number | Date
}
