// The types of assertions and their outcomes.
import type { CheckOutcome as BareOutcome, Evidence as BareEvidence, RequestFormat } from './generated/index.ts'
import type { Diagnostic, Options, Place } from './index.ts'

/** The types of assertions; `docs/assertions.md` describes each. */
export type AssertionType =
  | 'contains' | 'not_contains' | 'matches' | 'equals' | 'final_response_contains'
  | 'tool_called' | 'tool_not_called' | 'tool_call_count' | 'tool_sequence'
  | 'context_value' | 'message_count' | 'visible' | 'max_tokens' | 'max_turns' | 'no_errors' | 'json_path' | 'expr'

/** One value that was checked. */
export interface Evidence extends BareEvidence {
  /** Its place in the text, when the run is the document's own. */
  place?: Place
}

/** The outcome of one assertion. */
export interface CheckOutcome extends BareOutcome {
  evidence: Evidence[]
}

/** The options of `check` and `checkRun`. */
export interface CheckOptions extends Options {
  /** Whether to color what is rendered, for a terminal. */
  color?: boolean
}

/** The outcomes of all assertions of a document. */
export interface Check {
  /** Whether the document has no error and every assertion holds. */
  ok: boolean
  passed: number
  failed: number
  /** How many cannot be decided. */
  errors: number
  /** In the order of the document, those of runs inside it last. Empty when the document cannot be read whole. */
  outcomes: CheckOutcome[]
  /** The problems of the document. */
  diagnostics: Diagnostic[]
  /** The assertions that do not hold, as a compiler prints them. */
  rendered: string
  /** The other diagnostics of a document that has errors, as a compiler prints them; empty when it has none. */
  renderedDiagnostics: string
}

/** A message of an actual run. */
export interface RunMessage {
  role: string
  content?: unknown
  id?: string
  tool_calls?: readonly RunCall[]
  tool_call_id?: string
  name?: string
  agent?: string
  visible?: boolean
  step?: number | string
  is_error?: boolean
  usage?: { [key: string]: unknown }
}

/** A call of a tool in an actual run, its name and arguments perhaps in `function`. */
export type RunCall = { id?: string; message?: string; step?: number | string; failed?: boolean; result?: unknown } & (
  | { name: string; arguments?: unknown }
  | { function: { name: string; arguments?: unknown } }
)

/** Something that failed in an actual run. */
export type RunError = string | { message: string; step?: number | string; tool?: string }

/** The facts of an actual run in addition to its messages. What is left out follows from them. */
export interface RunFacts {
  calls?: readonly RunCall[]
  context?: { [key: string]: unknown }
  answer?: unknown
  turns?: number
  tokens?: number
  errors?: readonly RunError[]
  /** The runs of other agents, by the step of the document in which they take place. */
  nested?: { [step: string]: ActualRun }
  /** The name of the agent of a run in `nested`, for assertions about that agent. */
  agent?: string
}

/** What a request of each format has. */
interface RequestFields {
  'canonical': { messages: readonly unknown[] }
  'ai-sdk': { messages: readonly unknown[] }
  'openai-chat': { messages: readonly unknown[] }
  'openai-responses': { instructions?: string | null; input?: unknown }
  'openai-agents': { systemInstructions?: string; input: unknown }
  'anthropic': { system?: unknown; messages: readonly unknown[] }
  'bedrock-converse': { system?: unknown; messages: readonly unknown[] }
  'mistral': { messages: readonly unknown[] }
  'ollama':
    | { messages: readonly unknown[] }
    | { prompt: string; system?: string; suffix?: string; images?: readonly unknown[]; messages?: undefined }
  'cohere': { messages: readonly unknown[] }
  'gemini': { systemInstruction?: unknown; contents: readonly unknown[] }
  'langchain': { messages: readonly unknown[] }
}

/** The messages of a run or of a request in a format. */
export type FormattedMessages<Format extends RequestFormat> =
  Format extends RequestFormat ? { format: Format } & RequestFields[Format] : never

/** An actual run: plain data, with messages in any framework's form. */
export type ActualRun = RunFacts &
  (
    | { messages?: readonly RunMessage[]; format?: undefined }
    | FormattedMessages<RequestFormat>
  )
