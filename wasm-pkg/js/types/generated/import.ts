// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** Whether a request matches the recording. */
export interface Drift {
  /** Which request it is, from 1. */
  request: number
  /** Its step, if the request names one. */
  step: string | null
  /** `missing` when the recording has no answer; `unchecked` when it has no hash to compare. */
  status: 'same' | 'changed' | 'missing' | 'unchecked'
  /** The line of the answer, from 1. */
  line: number | null
  /** The hash in the recording. */
  recordedHash: string | null
  /** The hash of the request. */
  hash: string
  /** The field that changed, where it is known: the request with the value `before` in it has the recorded hash. */
  field: 'messages' | 'model' | 'temperature' | 'max_tokens' | 'extra' | null
  /** The recorded value. */
  before: Json
  /** The present value. */
  after: Json
}

/** What a file of another program is, as `detect` returns it. */
export type FormatKind =
  | 'agentloom-calls'
  | 'agentloom-recording'
  | 'agentloom-result'
  | 'ai-sdk-devtools'
  | 'ai-sdk-messages'
  | 'aider-history'
  | 'aimock-fixtures'
  | 'anthropic-messages'
  | 'antigravity-transcript'
  | 'atif-trajectory'
  | 'autogen-recording'
  | 'braintrust-logs'
  | 'chat-log'
  | 'chatgpt-conversations'
  | 'claude-ai-conversations'
  | 'claude-code-session'
  | 'cline-task'
  | 'codex-rollout'
  | 'continue-session'
  | 'copilot-cli-session'
  | 'crewai-log'
  | 'cursor-store'
  | 'cursor-transcript'
  | 'factory-droid-session'
  | 'fine-tuning'
  | 'gemini-cli-session'
  | 'gemini-contents'
  | 'google-adk-session'
  | 'grok-session'
  | 'http-recording'
  | 'iflow-session'
  | 'inspect-log'
  | 'kimi-wire'
  | 'kiro-conversation'
  | 'langfuse-trace'
  | 'langgraph-checkpoints'
  | 'langsmith-runs'
  | 'letta-agents'
  | 'managed-agents-session'
  | 'mini-swe-agent-trajectory'
  | 'mlflow-traces'
  | 'openai-agents-traces'
  | 'openai-responses'
  | 'opencode-session'
  | 'openhands-events'
  | 'otel-spans'
  | 'pi-session'
  | 'pydantic-ai-messages'
  | 'qbit-log'
  | 'qwen-code-session'
  | 'sharegpt-conversations'
  | 'smolagents-steps'
  | 'specstory-history'
  | 'swe-agent-trajectory'
  | 'tau-simulations'
  | 'vscode-chat'

/** What `from` takes. */
export type FormatName =
  | 'agentloom'
  | 'ai-sdk'
  | 'ai-sdk-devtools'
  | 'aider'
  | 'aimock'
  | 'anthropic'
  | 'antigravity'
  | 'atif'
  | 'autogen'
  | 'braintrust'
  | 'chatgpt'
  | 'claude-code'
  | 'managed-agents'
  | 'claude-ai'
  | 'cline'
  | 'codex'
  | 'continue'
  | 'copilot-cli'
  | 'crewai'
  | 'cursor'
  | 'cursor-store'
  | 'factory-droid'
  | 'fine-tuning'
  | 'gemini'
  | 'gemini-cli'
  | 'google-adk'
  | 'grok'
  | 'http'
  | 'iflow'
  | 'inspect'
  | 'kimi'
  | 'kiro'
  | 'langfuse'
  | 'langgraph'
  | 'langsmith'
  | 'letta'
  | 'mini-swe-agent'
  | 'mlflow'
  | 'openai-agents'
  | 'openai-chat'
  | 'openai-responses'
  | 'opencode'
  | 'openhands'
  | 'otel'
  | 'pi'
  | 'pydantic-ai'
  | 'qbit'
  | 'qwen-code'
  | 'sharegpt'
  | 'smolagents'
  | 'specstory'
  | 'swe-agent'
  | 'tau-bench'
  | 'vscode-chat'

/** A response of a recording. */
export interface ImportedResponse {
  /** Its key: the name of a step, or the hash of the request. */
  key: string
  /** Whether the key is a hash. */
  isHash: boolean
  /** Which turn of the step it is, from 1, where the step has a list of them. */
  turn: number | null
  /** The line of its begin, from 1. */
  line: number
  /** The name of the model. */
  model: string | null
  /** The provider. */
  provider: string | null
  /** The text of the response. */
  content: string | null
  /** The tools it called, each `{id, name, arguments}`. */
  toolCalls: { [key: string]: Json }[]
  /** The tokens used. */
  usage: { [key: string]: Json } | null
  /** Its cost, in dollars. */
  costUsd: number | null
  /** How long it took, in milliseconds. */
  latencyMs: number | null
  /** Why the response ended. */
  finishReason: string | null
  /** The hash of the request, where the recording has one next to the key. */
  requestHash: string | null
  /** The number of embeddings, if it has embeddings instead of an answer. */
  embeddings: number | null
  /** Whether the rest of it is missing: the file was cut, or is broken there. */
  isIncomplete: boolean
  /** The entry as it is. */
  entry: { [key: string]: Json }
}

/** An entry that a run has no place for. */
export interface KeptEntry {
  /** Its line, from 1. */
  line: number
  /** Its kind, where it has one. */
  kind: string
}

/** Lines that could not be read. */
export interface LostLines {
  /** The first, from 1. */
  line: number
  /** The last. */
  endLine: number
}

/** A format, and which of its keys a file has and lacks. */
export interface NearestFormat {
  /** The format, as `detect` returns it, or `event-log`. */
  format: string
  /** Its keys that are in the file. */
  has: string[]
  /** Its keys that are not. */
  lacks: string[]
}

/** A repair of a part of a log. */
export interface RepairNote {
  /** The first line of the part, from 1. */
  line: number
  /** Its last line. */
  endLine: number
  /** Why it was done. */
  message: string
  /** The part as in the log. */
  text: string
}

/** A repaired log. */
export interface RepairedLog {
  /** The events, one a line, in the order of the log. */
  text: string
  /** How many events these are. */
  events: number
  /** How the log was laid out: `lines`, `array`, `array and lines` or `empty`. */
  layout: 'lines' | 'array' | 'array and lines' | 'empty'
  /** The rest, which is not among the events. */
  omitted: RepairNote[]
  /** Events whose content differs from the log. */
  changed: RepairNote[]
}

/** The size and the times of a session, without the runs of its sub-agents. */
export interface SessionSize {
  /** How many responses the model gave. */
  responses: number
  /** How many tool calls these have. */
  toolCalls: number
  /** The time of the first step that has one, as the transcript writes it. */
  started: string | null
  /** The time of the last step that has one. */
  ended: string | null
}
