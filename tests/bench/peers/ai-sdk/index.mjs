export * from 'ai/test'
