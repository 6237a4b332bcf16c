// Tools of MCP servers, recorded and replayed by their transports. Nothing of an SDK is imported.
export { recordMcp } from './record.js'
export { replayMcp } from './replay.js'
