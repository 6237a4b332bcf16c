// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** A call of a tool, as the model requested it. */
export interface ToolCall {
  /** The call's id. */
  id: string
  /** The tool. */
  name: string
  /** The arguments as data; a text when they are not JSON. */
  arguments: Json
}

/** The protocol of a vendor, as the format of its requests. */
export type WireProtocol =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'bedrock-converse'
  | 'mistral'
  | 'ollama'
  | 'cohere'
