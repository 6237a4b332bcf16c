// What the package uses of `@langchain/core`, which is the host's.
declare module '@langchain/core/messages' {
  interface AIMessageFields {
    content: string
    additional_kwargs?: object
    response_metadata?: object
    usage_metadata?: object
    tool_calls?: readonly object[]
    invalid_tool_calls?: readonly object[]
    tool_call_chunks?: readonly object[]
  }

  export class AIMessageChunk {
    constructor(fields: AIMessageFields)
  }
}

declare module '@langchain/core/outputs' {
  import type { AIMessageChunk } from '@langchain/core/messages'

  interface ChatGeneration {
    text: string
    message: AIMessageChunk
  }

  export class ChatGenerationChunk {
    constructor(fields: ChatGeneration)
  }

  interface ChatResult {
    generations: ChatGeneration[]
  }
}

declare module '@langchain/core/language_models/chat_models' {
  import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs'

  /** A tool in whichever form it was bound. */
  interface BoundTool {
    name?: string
    function?: { name?: string }
    lc_kwargs?: { name?: string }
  }

  interface ParsedCallOptions {
    signal?: AbortSignal
    tools?: readonly BoundTool[]
    [setting: string]: unknown
  }

  interface CallbackManagerForLLMRun {
    handleLLMNewToken(
      token: string,
      index: undefined,
      runId: undefined,
      parentRunId: undefined,
      tags: undefined,
      fields: { chunk: ChatGenerationChunk },
    ): Promise<void>
  }

  export abstract class BaseChatModel {
    constructor(fields: object)
    static lc_name(): string
    abstract _llmType(): string
    abstract _generate(messages: readonly unknown[], options: ParsedCallOptions): Promise<ChatResult>
    _streamResponseChunks(
      messages: readonly unknown[],
      options: ParsedCallOptions,
      run?: CallbackManagerForLLMRun,
    ): AsyncGenerator<ChatGenerationChunk>
    /** Earlier versions lack it. */
    getLsParams?(options: ParsedCallOptions): object
    invocationParams(options?: ParsedCallOptions): object
    bindTools?(tools: readonly BoundTool[], options?: object): object
    withConfig(config: object): object
    withStructuredOutput(schema: unknown, config?: unknown): object
  }
}
