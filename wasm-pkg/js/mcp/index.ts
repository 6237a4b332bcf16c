// Tools of MCP servers, recorded and replayed by their transports. Nothing of an SDK is imported.
export { recordMcp } from './record.ts'
export { replayMcp } from './replay.ts'
export type * from '../types/mcp.ts'
