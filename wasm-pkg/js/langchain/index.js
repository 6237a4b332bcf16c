// Models for LangChain and LangGraph.
export { langchainModel } from './model.js'
