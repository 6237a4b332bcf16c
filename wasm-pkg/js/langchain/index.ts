// Models and recorders for LangChain and LangGraph.
export { langchainModel } from './model.ts'
export { recordLangChain } from './recorder.ts'
export { langchainTools } from './tools.ts'
