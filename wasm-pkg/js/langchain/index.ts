// Models and recorders for LangChain and LangGraph.
export { langChainModel } from './model.ts'
export { recordLangChain } from './recorder.ts'
export { langChainTools } from './tools.ts'
export type * from '../types/langchain.ts'
