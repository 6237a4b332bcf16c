
/**
 * A transport of the Model Context Protocol, as the SDKs have it: those of `@modelcontextprotocol/sdk`,
 * `@modelcontextprotocol/client` and `@ai-sdk/mcp` are such.
 */
export interface McpTransport {
  start(): Promise<void>
  send(message: any, options?: any): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: any, extra?: any) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}

/** What a recording answers as. */
export interface McpReplayTransport extends McpTransport {
  /** None: a client would go on with a session that has one, and not begin with `initialize`. */
  sessionId: undefined
  /** The revision of the protocol that was agreed on. */
  protocolVersion: string | undefined
  setProtocolVersion(version: string): void
}

/** The definition of a tool as a server lists it. */
export interface McpTool {
  name: string
  description?: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  outputSchema?: { type: 'object'; [key: string]: unknown }
  [key: string]: unknown
}
