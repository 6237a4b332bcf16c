// The types of transcripts that a language model writes.
import type { GenerateAssessment, AssessmentStatus } from './generated/index.ts'
import type { Json, Level, Limits } from './index.ts'

export type { GenerateAssessment, AssessmentStatus, SelfReplay } from './generated/index.ts'

/** A message to a model. */
export interface GenerateMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** A tool of the agent: its name, or what it declares in the form of this format, of OpenAI, of Anthropic or of the AI SDK. */
export type GenerateTool = string | { name?: string; description?: string; [key: string]: unknown }

/** Options of a transcript, in addition to its description. */
export interface GeneratePromptOptions extends Limits {
  /** The levels of rules, by code or name, for the checks. */
  rules?: { [rule: string]: Level }
  /** Its name. */
  name?: string
  /** The agent's tools, as a list or by name. Calls of others, or with arguments that do not fit, are errors. */
  tools?: GenerateTool[] | { [name: string]: unknown }
  /** The tone of user and agent. */
  tone?: string
  /** About how many turns it has, calls of the model and of tools counted together: from 1 to 1000. */
  turns?: number
  /** Whether something goes wrong in it; or a description of it. */
  edgeCases?: boolean | string[]
  /** Whether it has assertions. Default: true. */
  assertions?: boolean
  /** How the model writes it; `json` also gives endpoints the schema. Default: `yaml`. */
  format?: 'yaml' | 'json'
  /** The maximum number of repairs, from 0 to 20. Default: 3. */
  rounds?: number
  /** Whether `rendered` has colors. */
  color?: boolean
}

/** A conversation with a model about one transcript: plain data, to keep between the calls. */
export interface GenerateState {
  /** What to send. */
  messages: GenerateMessage[]
  /** The number of repair prompts so far. */
  round: number
  /** How often it may be. */
  rounds: number
  /** The first part of a response that was cut off, while the model continues it. */
  partialResponse: string | null
  options: { [key: string]: Json }
}

/** The first question. */
export interface GeneratePrompt extends GenerateState {
  /** The content of the first message: the form of a transcript. */
  system: string
  /** The content of the second: the scenario and the options. */
  user: string
  /** The JSON Schema of a response. */
  schema: { [key: string]: Json }
}

/** How a model ended its response, where that is known. */
export type ResponseFinish = '' | 'stop' | 'length' | 'refusal'

/** How a response is read. With `state`, the provided tools are checked as well. */
export interface AssessOptions extends Limits {
  rules?: { [rule: string]: Level }
  state?: GenerateState
  /** How the model ended it. */
  finish?: ResponseFinish
}

/** The tokens of all calls of the model; null if not reported. */
export interface GenerateUsage {
  calls: number
  inputTokens: number | null
  outputTokens: number | null
  totalTokens: number | null
}

/** A model at an endpoint. The key is sent there and nowhere else: it is in no error, no result and no progress. */
export interface GenerateEndpoint {
  /** Its URL. Default: that of OpenAI, or of Anthropic. */
  baseURL?: string
  apiKey?: string
  /** The name of the model. */
  model: string
  /** Further headers. */
  headers?: { [name: string]: string }
  /** Further entries of the request, such as `reasoning_effort`. */
  body?: { [key: string]: Json }
  /** What sends requests instead of the platform's `fetch`. */
  fetch?: typeof fetch
}

/** A function that calls a model: it returns the response as text, or with how it ended and its usage. */
export type GenerateFunction = (
  messages: GenerateMessage[],
  options: { signal?: AbortSignal; schema?: { [key: string]: Json }; maxTokens?: number; temperature?: number },
) => GenerateResponse | Promise<GenerateResponse>

/** What a model answered: its text, or that and why it ended and what it used. */
export type GenerateResponse = string | { text: string; finish?: ResponseFinish; usage?: unknown }

/** The progress. `text` is what the model wrote so far in this round. */
export interface GenerateProgress {
  phase: 'asking' | 'writing' | 'waiting' | 'checked'
  /** 0 for the first response, and one more for each repair. */
  round: number
  characters: number
  text: string
  /** Of `checked`: the assessment. */
  status?: AssessmentStatus
  /** Of `waiting`: how long, in milliseconds, before the next request to the endpoint. */
  delayMs?: number
  /** Of `waiting`: what the endpoint answered, such as 429. */
  httpStatus?: number
}

/** The options, with exactly one of `model`, `endpoint` and `anthropic`. */
export interface GenerateOptions extends GeneratePromptOptions {
  /** A function, or a model of the AI SDK (v2, v3, v4). */
  model?: GenerateFunction | { doGenerate?: unknown; doStream?: unknown; specificationVersion?: string }
  /** An endpoint with the chat completions of OpenAI. */
  endpoint?: GenerateEndpoint
  /** An endpoint with the messages of Anthropic. */
  anthropic?: GenerateEndpoint
  /** The most tokens of a response. Default: what the endpoint allows; 8192 for Anthropic. */
  maxTokens?: number
  temperature?: number
  /** Whether responses come piece by piece. Default: true of endpoints, and of other models with `onProgress`. */
  stream?: boolean
  /** How often a request is repeated when the endpoint answers 408, 429, 529 or a fault of its own. Default: 2. */
  retries?: number
  /** The prices of a million tokens, for `cost`. */
  prices?: { input: number; output: number }
  /** Aborts: the promise rejects with its reason at once. */
  signal?: AbortSignal
  onProgress?: (progress: GenerateProgress) => void
}

/** A valid transcript, and its cost. */
export interface GenerateResult extends GenerateAssessment {
  ok: true
  status: 'ok'
  text: string
  /** A warning about a valid transcript: the response ended as declined or filtered. */
  problems: { message: string; help: string }[]
  /** How often the model repaired it. */
  rounds: number
  usage: GenerateUsage
  /** In the currency of `prices`; null without them, or when the counts were not reported. */
  cost: number | null
}

/** What `generate` is: a function that calls a model, and its parts that call none. */
export interface Generate {
  (description: string, options: GenerateOptions): Promise<GenerateResult>
  /** The first prompt, for your own client. Sends nothing. */
  prompt(description: string, options?: GeneratePromptOptions): GeneratePrompt
  /** Assesses a response. With `state`, the provided tools are checked as well. */
  assess(response: string, options?: AssessOptions): GenerateAssessment
  /** The next question; null when the response is in order, the model declines, or all rounds are used. */
  repair(state: GenerateState, response: string, options?: Omit<AssessOptions, 'state'>): GenerateState | null
}
