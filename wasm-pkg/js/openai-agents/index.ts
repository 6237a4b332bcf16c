// Models and recorders for the OpenAI Agents SDK.
export { openAIAgentsModel, openAIAgentsProvider } from './model.ts'
export { recordOpenAIAgents } from './recorder.ts'
export { openAIAgentsTools } from './tools.ts'
export { openAIAgentsTracing } from './tracing.ts'
export type * from '../types/openai-agents.ts'
