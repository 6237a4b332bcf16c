import type { Recorder, ToolTape } from './index.ts'

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

/**
 * The same transport, of a client or a server, its calls of tools recorded. Everything passes through it as it is.
 *
 * A call that a model made, and that another adapter reports to the recorder, is one call: it is found by the name of the
 * tool and its arguments. Calls that no model made are recorded too. Recording never fails the run.
 *
 * @param options.server The name of the server, where there are several or the agent puts it before the names of tools.
 * @example
 * const recorder = createRecorder({ name: 'files' })
 * await client.connect(recordMcp(recorder, new StdioClientTransport({ command: 'files-server' })))
 * await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
 * await recorder.save('run.yaml')
 */
export declare function recordMcp<T extends McpTransport>(recorder: Recorder, transport: T, options?: { server?: string }): T

/**
 * A transport for a client whose server is a recording. Calls of tools get the recorded results, found by tool and
 * arguments; of calls that are alike, the n-th gets the n-th result. A call that was not recorded is answered with an error of the
 * protocol that explains it, and `tape.assertComplete()` throws the same.
 *
 * @param options.server Whose tools these are, where the recording has those of several servers.
 * @param options.tools The definitions that are listed. Default: those that were recorded, and of other tools that
 * were called a definition that takes any arguments.
 * @example
 * const tape = await replay('run.yaml', { mode: 'mocked-tools' })
 * await client.connect(replayMcp(tape))
 * const { content } = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
 * tape.assertComplete()
 */
export declare function replayMcp(tape: ToolTape, options?: { server?: string; tools?: readonly McpTool[] }): McpReplayTransport

/**
 * The transport of a live server, its calls of tools answered with what was recorded: everything else goes to the server.
 *
 * @param options.unrecorded What becomes of calls that were not recorded: they are refused as above, or the server carries them out.
 * @example
 * await client.connect(replayMcp(tape, { transport: new StdioClientTransport({ command: 'files-server' }), unrecorded: 'forward' }))
 */
export declare function replayMcp<T extends McpTransport>(
  tape: ToolTape,
  options: { transport: T; server?: string; unrecorded?: 'refuse' | 'forward' },
): T
