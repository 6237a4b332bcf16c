/**
 * Transcripts of LLM agent runs: check them, expand them, replay them against an agent in a test.
 *
 * Everything but `replay` is synchronous. A bad document is an answer with diagnostics; a `TypeError` is for
 * wrong arguments.
 */

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A transcript: its text, the bytes of its file, or either with the name of the file for the diagnostics. */
export type Source = string | Uint8Array | { text: string; file?: string } | { bytes: Uint8Array; file?: string }

/** Bounds against hostile input. What is hit is named in a diagnostic. */
export interface Limits {
  /** The largest document, in bytes of UTF-8. Default: 32 MiB. */
  maxBytes?: number
  /** The deepest nesting of lists and maps. Default: 200; at most 400. */
  maxDepth?: number
  /** The most nodes that YAML aliases may add. Default: 100 000. */
  maxAliasNodes?: number
  /** The most bytes of texts and keys that YAML aliases may add. Default: 8 MiB. */
  maxAliasBytes?: number
  /** The most messages that the full form of a compact transcript may name as sent to the model. Default: 1 000 000. */
  maxExpanded?: number
}

/** How grave a diagnostic is: whether the document cannot be replayed as meant, probably is not, or is only remarked on. */
export type Severity = 'error' | 'warning' | 'info'

/** One thing found in a document. Lines and columns count from 1, ends are exclusive. */
export interface Diagnostic {
  /** The name of the file, as given. */
  file: string
  /** The code of the rule, such as `T201`. */
  code: string
  severity: Severity
  /** What is wrong, in one line. */
  message: string
  line: number
  /** In characters (Unicode scalar values). */
  column: number
  endLine: number
  endColumn: number
  /** Where it starts, in bytes of UTF-8. */
  offset: number
  /** Where it ends, in bytes of UTF-8. */
  endOffset: number
  /** The remedy, where one is known. */
  help: string | null
  /** Other places that explain it. */
  related: { message: string; line: number; column: number; offset: number; endOffset: number }[]
  /** Edits that would mend it; `safe` ones may be applied unasked. */
  fixes: Fix[]
}

/** Edits that mend a diagnostic. */
export interface Fix {
  /** What it does. */
  title: string
  applicability: 'safe' | 'suggested'
  /** The edits in order of place, in bytes of UTF-8. */
  edits: { offset: number; endOffset: number; text: string }[]
}

/** What `validate` found. */
export interface Validation {
  /** Whether there is no error; warnings and remarks may be there. */
  ok: boolean
  /** Everything found, in the order of the text. */
  diagnostics: Diagnostic[]
}

/** What `expand` made. */
export interface Expansion {
  /** Whether there is no error. A document with errors may still be expanded as far as it is understood. */
  ok: boolean
  /** The full transcript in the format asked for; null for `object`, when the document cannot be read, and beyond `maxExpanded`. */
  text: string | null
  /** The full transcript as data; null when the document cannot be read. Numbers are those of JavaScript. */
  transcript: { [key: string]: Json } | null
  /** Everything found, in the order of the text. */
  diagnostics: Diagnostic[]
}

/**
 * Checks a transcript.
 *
 * @example
 * const { ok, diagnostics } = validate({ text, file: 'run.yaml' })
 */
export declare function validate(source: Source, options?: Limits): Validation

/**
 * Writes a transcript in its full form: every turn, message and call spelled out.
 *
 * @param options.format `yaml` (the default) and `json` fill `text`; `object` fills `transcript` alone.
 * @example
 * const { text } = expand("messages: ['user: Hi', 'assistant: Hello!']", { format: 'yaml' })
 */
export declare function expand(source: Source, options?: Limits & { format?: 'yaml' | 'json' | 'object' }): Expansion

/**
 * Reads a transcript and keeps it open, to be asked for its steps and its states.
 *
 * @example
 * const document = parse(text)
 * document.step('2').tool?.result
 */
export declare function parse(source: Source, options?: Limits): TranscriptDocument

/** An open transcript. */
export interface TranscriptDocument {
  /** Whether there is no error. */
  readonly ok: boolean
  /** Whether the whole text could be read as a transcript. */
  readonly readable: boolean
  /** Everything found, in the order of the text. */
  readonly diagnostics: Diagnostic[]
  /** What the document is, in one card. */
  readonly overview: Overview
  /** The rows of the step list; step 0 is the initial state, nested steps follow their parent. */
  readonly steps: StepRow[]
  /**
   * Everything to be seen at one step.
   *
   * @param path `'2'`, or `'2.1'` for a nested step; a number is a step of the top level.
   * @throws RangeError when there is no such step.
   */
  step(path: string | number): StepDetail
  /**
   * The state after a step of the top level; 0 is the initial state.
   *
   * @throws RangeError when there is no such step.
   */
  state(step: number | string): StepState
  /** The full transcript as text; null when the document cannot be read, or beyond the limit `maxExpanded`. */
  expand(format?: 'yaml' | 'json'): string | null
  /** The diagnostics as a compiler prints them, each with its source line. */
  render(options?: { color?: boolean }): string
  /** Why there is no full form though the document can be read, as a compiler prints it; else an empty text. */
  renderRefusal(options?: { color?: boolean }): string
  /** Frees the document's memory now, instead of with the object. It answers nothing afterwards. */
  free(): void
}

/** A document's card. */
export interface Overview {
  /** Which way it is written. */
  form: 'full' | 'partial' | 'compact' | 'handlers' | 'unknown'
  name: string | null
  description: string | null
  tags: string[]
  /** Nested steps are not counted. */
  steps: number
  /** In the store, at the end. */
  messages: number
  errors: number
  warnings: number
  infos: number
}

/** One row of the step list. */
export interface StepRow {
  /** The place in `execution` from 1; 0 is the initial state. */
  index: number
  /** `'2'`, or `'2.1'` for a nested step. */
  path: string
  /** The number that the author gave, else the index. */
  turn: number
  kind: 'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown'
  agent: string | null
  /** The role of the message that the step created. */
  role: string | null
  /** The message or the tool's result in one line. */
  summary: string
  /** The tools that the model called, or the tool that ran. */
  tools: { name: string; arguments: string }[]
  status: 'ok' | 'failed'
  tokens: number | null
  changesContext: boolean
  changesMessages: boolean
  /** The number of steps nested below. */
  children: number
  /** 0 at the top. */
  depth: number
  /** The place in the text, in bytes of UTF-8. */
  span: { start: number; end: number }
  line: number
  /** The gravest problem in the step. */
  problem: Severity | null
}

/** A call of a tool, as the model asked for it. */
export interface ToolCall {
  id: string
  name: string
  /** Data; a text when it is not JSON. */
  arguments: Json
}

/** One message of the store after a step. */
export interface MessageView {
  id: string
  role: string
  content: string | null
  toolCalls: ToolCall[]
  toolCallId: string | null
  toolName: string | null
  agent: string | null
  /** Whether the model can see it. */
  visible: boolean
  createdHere: boolean
  visibilityChangedHere: boolean
  /** The path of the step that hid it, when it is hidden and was not so from its start. */
  hiddenSince: string | null
}

/** One step in three layers. */
export interface StepDetail {
  row: StepRow
  /** The agent's context after the step, and what the step did to it. */
  state: {
    context: { [key: string]: Json }
    changes: { key: string; kind: 'added' | 'changed' | 'removed'; before: Json; after: Json }[]
  }
  /** The message store after the step. */
  flow: { store: MessageView[]; visible: string[] }
  /** What the model was sent and answered, at a step that called it. */
  llm: {
    sent: { id: string | null; role: string; content: string | null; toolCalls: ToolCall[]; transformed: boolean }[] | null
    /** Ids of messages that were in the store and were not sent. */
    withheld: string[]
    config: { [key: string]: Json }
    content: string | null
    toolCalls: ToolCall[]
    reasoning: string | null
    refusal: string | null
    usage: Json
    error: Json
  } | null
  /** The tool, at a step that ran one. */
  tool: { id: string | null; name: string; parameters: Json; result: Json; success: boolean; error: string | null } | null
  /** The step as the full transcript has it. */
  raw: Json
}

/** The state after a step, in the words of the file. */
export interface StepState {
  context: { [key: string]: Json }
  /** Whole messages, oldest first. */
  store: { [key: string]: Json }[]
  /** Ids of the messages that the model can see. */
  visible: string[]
  /** What the model was sent in this step; null when it was not called, or this is not recorded. */
  sent: { [key: string]: Json }[] | null
}

/** How a replay compares. Only `strict` is there yet; the others are refused. */
export type ReplayMode = 'strict' | 'mocked-tools' | 'property'

/**
 * Begins a replay of a recording: the agent must send what was sent, and gets the recorded answers.
 *
 * In Node a string without a line break, or a `URL`, names a file. In a page only texts are taken.
 *
 * @throws {TranscriptError} when the transcript has errors, or records no model call.
 * @example
 * const tape = await replay('run.yaml')
 * await generateText({ model: aiSdkModel(tape), prompt, tools, stopWhen: isStepCount(9) })
 * tape.assertComplete()
 */
export declare function replay(source: Source | URL, options?: Limits & { mode?: ReplayMode }): Promise<Tape>

/** A request in the form that all frameworks share. */
export interface CanonicalMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** Its text, or a list of parts such as texts and images. */
  content?: string | Json[] | null
  /** What is sent besides text and calls, in its normal form. */
  parts?: { type: string; at: number; media_type?: string; data?: string; url?: string; [key: string]: Json | undefined }[]
  tool_calls?: { id: string; name: string; arguments: Json }[]
  tool_call_id?: string
  name?: string
  result?: Json
  is_error?: boolean
}

/** What an agent is about to send to its model: canonical messages, or a prompt of the AI SDK as it is. */
export type TapeRequest =
  | { format: 'canonical'; messages: readonly CanonicalMessage[] }
  | { format: 'ai-sdk'; messages: readonly unknown[] }

/** A recorded answer, and the step that it was recorded in. */
export interface TapeResponse {
  step: string
  response: {
    content: string
    tool_calls: { id: string; name: string; arguments: Json }[]
    reasoning: string | null
    refusal: string | null
    usage: { [key: string]: Json } | null
  }
}

/** One request that a tape was asked. */
export interface TapeCall {
  /** The step whose request was expected. */
  step: string
  outcome: 'response' | 'error' | 'divergence'
  /** What was sent, in the framework's own form. */
  messages: readonly unknown[]
}

/** A recording that is being played. It has one cursor: the calls come in the order of the recording. */
export interface Tape {
  /** The name of the recording's file. */
  readonly file: string
  /** The number of recorded model calls that were not asked for yet. */
  readonly remainingSteps: number
  /** The steps of those calls. */
  readonly leftover: string[]
  /** Every request so far, the diverging ones too. */
  readonly calls: readonly TapeCall[]
  /** The recorded `agent_config` without its context: model, temperature, tools and the like. */
  readonly expectedConfig: { [key: string]: Json }
  /** The recorded context before the first step. */
  readonly initialContext: { [key: string]: Json }
  /** Every recorded tool run, in order. */
  readonly expectedToolCalls: {
    step: string
    id: string | null
    name: string
    arguments: Json
    result: Json
    success: boolean
  }[]
  /** The messages that are expected next; null when no call is left or they are not recorded. */
  readonly expectedMessages: CanonicalMessage[] | null
  /** The recorded state after a step; 0 is the initial state. */
  state(step: number | string): StepState
  /**
   * Answers the next model call. Adapters call this; a test seldom does.
   *
   * @throws {TranscriptDivergence} when the request is not the recorded one; the tape stays where it is.
   * @throws {RecordedModelError} when the call failed in the recording.
   */
  request(request: TapeRequest): TapeResponse
  /**
   * Says that the run is over.
   *
   * @throws {TranscriptDivergence} when the run diverged, even if a framework swallowed the error, or when
   * recorded calls were not asked for.
   */
  assertComplete(): void
}

/** The agent did not do what the recording says. No framework retries it. */
export declare class TranscriptDivergence extends Error {
  private constructor()
  readonly name: 'TranscriptDivergence'
  /** The step whose request was expected. */
  readonly step: string
  /** The path of the first difference, such as `messages[3].result.condition`. */
  readonly path: string
  /** What was recorded there; null for nothing. */
  readonly expected: Json
  /** What was sent there; null for nothing. */
  readonly actual: Json
  /** Other recorded calls that nearly match, best first. */
  readonly nearest: readonly { step: string; reason: string }[]
  /** What to do about it. */
  readonly hint: string
}

/** A transcript that cannot be replayed. */
export declare class TranscriptError extends Error {
  private constructor()
  readonly name: 'TranscriptError'
  /** Everything found in it. */
  readonly diagnostics: readonly Diagnostic[]
  /** The same as a compiler prints it. */
  readonly rendered: string
}

/** The model call failed in the recording, and so it does in the replay. */
export declare class RecordedModelError extends Error {
  private constructor()
  readonly name: 'RecordedModelError'
  readonly step: string
  /** The error as recorded. */
  readonly error: Json
  /** The HTTP status, where recorded. */
  readonly status: number | undefined
  /** Whether the recording goes on with the same request. */
  readonly retried: boolean
}
