export * from '@openai/agents'
