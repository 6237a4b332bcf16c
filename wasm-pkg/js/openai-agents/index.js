// Models for the OpenAI Agents SDK.
export { agentsModel, agentsProvider } from './model.js'
