export * from '@langchain/core/language_models/chat_models'
