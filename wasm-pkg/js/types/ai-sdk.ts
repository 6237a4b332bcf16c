import type { Json } from './index.ts'

/** The version of the AI SDK's model interface: `v4` for ai 7, `v3` for ai 6, `v2` for ai 5. */
export type SpecificationVersion = 'v4' | 'v3' | 'v2'

/** What the SDK passes to a model, as far as a tape looks at it. */
export interface AiSdkCall {
  prompt: readonly unknown[]
  abortSignal?: AbortSignal
}

/** A part of a response. */
export type AiSdkContent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }

/** Why a response ended. */
export type AiSdkFinish = 'stop' | 'tool-calls' | 'content-filter' | 'length' | 'error' | 'other'

/** The parts of the interface that differ between its versions. */
export interface AiSdkShapes {
  v4: AiSdkShapes['v3']
  v3: {
    /** `raw` is the word that was recorded. */
    finishReason: { unified: AiSdkFinish; raw: string | undefined }
    usage: {
      inputTokens: {
        total: number | undefined
        noCache: number | undefined
        cacheRead: number | undefined
        cacheWrite: number | undefined
      }
      outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined }
      raw?: { [key: string]: Json }
    }
  }
  v2: {
    finishReason: AiSdkFinish
    usage: {
      inputTokens: number | undefined
      outputTokens: number | undefined
      totalTokens: number | undefined
      reasoningTokens: number | undefined
      cachedInputTokens: number | undefined
    }
  }
}

/** A response of the model. */
export type AiSdkResult<V extends SpecificationVersion> = AiSdkShapes[V] & {
  content: AiSdkContent[]
  warnings: []
  response: { id: string; modelId: string; timestamp: Date }
  providerMetadata?: { transcript: { refusal: string } }
}

/** A part of a streamed response. */
export type AiSdkStreamPart<V extends SpecificationVersion> =
  | { type: 'stream-start'; warnings: [] }
  | { type: 'response-metadata'; id: string; modelId: string; timestamp: Date }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' | 'tool-input-end'; id: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }
  | (AiSdkShapes[V] & { type: 'finish'; providerMetadata?: { transcript: { refusal: string } } })

/** A language model of the AI SDK that plays a tape, or answers as a mock does. */
export interface AiSdkModel<V extends SpecificationVersion = 'v4'> {
  readonly specificationVersion: V
  readonly provider: 'transcript-workbench'
  readonly modelId: string
  readonly supportedUrls: Record<string, RegExp[]>
  doGenerate(call: AiSdkCall): Promise<AiSdkResult<V>>
  doStream(call: AiSdkCall): Promise<{ stream: ReadableStream<AiSdkStreamPart<V>> }>
}

/** Records the AI SDK. */
export interface AiSdkRecording {
  /** For `wrapLanguageModel`: sees what the model is sent and answers, chunk by chunk. */
  middleware: {
    // Each version of the SDK has a literal of its own here, and reads none.
    specificationVersion: any
    wrapGenerate(options: any): Promise<any>
    wrapStream(options: any): Promise<any>
  }
  /** An integration that sees the tools: `telemetry: { integrations: [recording.telemetry] }`, or `registerTelemetry`. */
  telemetry: {
    onToolExecutionStart(event: any): void
    executeTool(event: any): any
    onToolExecutionEnd(event: any): void
  }
  /** The same model, recorded: what `wrapLanguageModel` makes of it, for hosts such as Mastra. */
  model<M extends object>(model: M): M
}
