// Models and recorders for LangChain and LangGraph.
export { langchainModel } from './model.js'
export { recordLangChain } from './recorder.js'
export { langchainTools } from './tools.js'
