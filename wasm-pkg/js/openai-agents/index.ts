// Models and recorders for the OpenAI Agents SDK.
export { agentsModel, agentsProvider } from './model.ts'
export { recordAgents } from './recorder.ts'
export { agentsTools } from './tools.ts'
export { agentsTracing } from './tracing.ts'
