// The types of the builder.
import type { BuildProblem } from './generated/index.ts'
import type { Json } from './index.ts'

export type { BuildProblem } from './generated/index.ts'

type Data = { [key: string]: Json }

/** What is common to all steps that make a message. */
interface Common {
  agent?: string
  /** Whether the message is stored and not shown to the model. */
  hidden?: boolean
  /** The id of the message, which is made up from its position otherwise. */
  id?: string
  /** The time of the turn, in ISO 8601. */
  at?: string
}

/** A message: its content, or a map of that and more. */
export type BuilderMessage = string | ({ content: Json; role?: string } & Common)

/** A call of a tool; the id follows from the position by default. */
export type BuilderToolCall =
  | { id?: string; name: string; arguments?: Json }
  | { id?: string; function: { name: string; arguments?: Json } }

/** What a model answers in addition to text. */
export interface BuilderReply extends Common {
  toolCalls?: BuilderToolCall[]
  reasoning?: string
  refusal?: string
  parsed?: Json
  citations?: Json
  annotations?: Json
  chunks?: Json
  usage?: Data
  metadata?: Data
  llmConfig?: Data
}

/** A run of a tool. It answers the oldest open call of the tool with these parameters, unless `callId` names one. */
export interface BuilderToolRun extends Common {
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

/** Writes a transcript step by step. `build`, `toYaml` and `save` report every step that is at fault. */
export declare class TranscriptBuilder {
  constructor(name: string, options?: BuildOptions)
  withMetadata(metadata: Data): this
  withConfig(config: Data): this
  withContext(context: Data): this
  /** Names, or maps of a name with a description and a JSON Schema. */
  withTools(...tools: (string | Data | (string | Data)[])[]): this
  withSystemMessage(message: BuilderMessage): this
  withDeveloperMessage(message: BuilderMessage): this
  withUserMessage(message: BuilderMessage): this
  withMessage(message: { content: Json; role: string } & Common): this
  thenUserSays(message: BuilderMessage): this
  thenMessage(message: { content: Json; role: string } & Common): this
  thenLlmResponds(content: string, options?: BuilderReply): this
  thenLlmResponds(reply: { content?: Json } & BuilderReply): this
  thenLlmFails(error: string | { type?: string; message?: string; status?: number; agent?: string; at?: string }): this
  thenToolExecutes(tool: string, parameters?: Json, result?: Json, options?: Partial<BuilderToolRun> & { success?: boolean }): this
  thenToolExecutes(run: BuilderToolRun & { result?: Json; success?: boolean; error?: string }): this
  thenToolFails(tool: string, parameters: Json, error: string, options?: Partial<BuilderToolRun> & { result?: Json }): this
  thenToolFails(run: BuilderToolRun & { error: string; result?: Json }): this
  thenNestedRun(run: BuilderToolRun & { agentId?: string; response?: Json; transcript?: Json }): this
  /** Keys of the context that the turn before sets. */
  thenContext(context: Data): this
  thenContextRemoved(keys: string | string[]): this
  /** Ids of messages that the model no longer sees after the turn before. */
  thenHides(ids: string | string[]): this
  thenShows(ids: string | string[]): this
  withAssertion(type: string, fields?: Data): this
  withAssertion(assertion: { type: string } & Data): this
  /**
   * Every step that cannot be carried out or, when there is none, what the rules find in the transcript, in order
   * of the steps. `build` refuses the former alone.
   */
  problems(): BuildProblem[]
  /**
   * The transcript in its full form, as data.
   *
   * @throws TypeError with `problems`: every step at fault, `{step, method, message, help}`.
   */
  build(): Data
  /** The same as YAML. */
  toYaml(): string
  /**
   * Writes it to a file, as JSON when its name ends so; in Node. The file has `metadata.created`, and an empty name becomes
   * that of the file.
   */
  save<Path extends string | URL>(path: Path): Promise<Path>
}

/**
 * Begins a transcript.
 *
 * @example
 * await transcript('weather')
 *   .withUserMessage("What's the weather?")
 *   .thenLlmResponds('', { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] })
 *   .thenToolExecutes({ tool: 'weather', parameters: { city: 'Rome' }, result: { temp: 21 } })
 *   .thenLlmResponds("It's 21°C.")
 *   .save('weather.yaml')
 */
export declare function transcript(name: string, options?: BuildOptions): TranscriptBuilder
