// Written by the tests from the Rust types.

/** The format of a request: that of this program, of a framework, or of a vendor. */
export type RequestFormat =
  | 'canonical'
  | 'ai-sdk'
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-agents'
  | 'anthropic'
  | 'langchain'
