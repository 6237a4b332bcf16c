// Written by the tests from the Rust types.
import type { Json } from './json.ts'
import type { ToolCall } from './wire.ts'

/** One message as every framework means it. */
export interface CanonicalMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** The text; empty for a tool message. A request may also have a list of parts, such as texts and images. */
  content?: string | Json[] | null
  /** Sent parts that are neither text nor calls, such as images, each in its normal form. */
  parts?: { [key: string]: Json }[]
  /** The calls of an assistant message. */
  tool_calls?: ToolCall[]
  /** The call that a tool message answers. */
  tool_call_id?: string
  /** The tool that answered. */
  name?: string
  /** What the tool returned. */
  result?: Json
  /**
   * Whether the tool failed. Frameworks word errors each in its own way, so that of two failures the texts are not
   * compared.
   */
  is_error?: boolean
}

/** The format of a request: that of this program, of a framework, or of a vendor. */
export type RequestFormat =
  | 'canonical'
  | 'ai-sdk'
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-agents'
  | 'anthropic'
  | 'gemini'
  | 'bedrock-converse'
  | 'mistral'
  | 'ollama'
  | 'cohere'
  | 'langchain'
