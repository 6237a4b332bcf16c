export * from '@langchain/core/utils/testing'
