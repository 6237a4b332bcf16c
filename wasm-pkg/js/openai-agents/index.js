// Models and recorders for the OpenAI Agents SDK.
export { agentsModel, agentsProvider } from './model.js'
export { recordAgents } from './recorder.js'
export { agentsTools } from './tools.js'
export { agentsTracing } from './tracing.js'
