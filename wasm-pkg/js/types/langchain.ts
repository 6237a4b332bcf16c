import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { AgentTape, MockModel, Recorder, Tape, ToolTape } from './index.ts'

/** A chat model of LangChain that plays a tape, or answers as a mock does. */
export interface LangChainModel extends BaseChatModel {
  /** The name of the recorded model. */
  readonly model: string
  /** Binds tools; what comes back plays on from the same tape. */
  bindTools(...args: Parameters<NonNullable<BaseChatModel['bindTools']>>): ReturnType<NonNullable<BaseChatModel['bindTools']>>
}

/**
 * A chat model for agents of LangChain and LangGraph that answers from a tape: invoked, and streamed in every mode, it is
  * one tape. Install `@langchain/core` next to this package.
 *
 * A run that diverges rejects with a `TranscriptDivergenceError`. Call `tape.assertComplete()` afterwards to know that the whole
 * recording was played. `withStructuredOutput` reads a recorded call of its tool, and a recorded text that is JSON.
 *
 * @param options.agent Whose requests these are: see {@link Tape.session}.
 * @example
 * const tape = await replay('run.yaml')
 * const agent = createAgent({ model: langChainModel(tape), tools })
 * await agent.invoke({ messages: [{ role: 'user', content: 'What is the weather?' }] })
 * tape.assertComplete()
 */
export declare function langChainModel(source: Tape | AgentTape | MockModel, options?: { agent?: string }): LangChainModel

/**
 * The tools of an agent with recorded results instead of their own work, for a live model.
 *
 * @example
 * const tape = await replay('run.yaml', { mode: 'mocked-tools' })
 * const agent = createAgent({ model, tools: langChainTools(tape, [weather]) })
 */
export declare function langChainTools<T extends object>(tape: ToolTape, tools: readonly T[]): T[]

/** The methods of a handler of LangChain's callbacks. */
export interface LangChainRecording {
  awaitHandlers: boolean
  handleChatModelStart(...args: any[]): void
  handleLLMNewToken(...args: any[]): void
  handleLLMEnd(...args: any[]): void
  handleLLMError(...args: any[]): void
  handleChainStart(...args: any[]): void
  handleChainEnd(...args: any[]): void
  handleChainError(...args: any[]): void
  handleToolStart(...args: any[]): void
  handleToolEnd(...args: any[]): void
  handleToolError(...args: any[]): void
}

/**
 * What records runs of LangChain and LangGraph: a handler of callbacks. An agent that is run by a tool has a run of its own.
 *
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * await agent.invoke(input, { callbacks: [recordLangChain(recorder)] })
 * await recorder.save('run.yaml')
 */
export declare function recordLangChain(recorder: Recorder): LangChainRecording
