import type { BaseChatModel } from '@langchain/core/language_models/chat_models'

/** A chat model of LangChain that plays a tape, or answers as a mock does. */
export interface LangChainModel extends BaseChatModel {
  /** The name of the recorded model. */
  readonly model: string
  /** Binds tools; the result continues the same tape. */
  bindTools(...args: Parameters<NonNullable<BaseChatModel['bindTools']>>): ReturnType<NonNullable<BaseChatModel['bindTools']>>
}

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
