// A `fetch` for the clients of vendors: one that answers from a recording, and one that records.
export { recordFetch } from './record.ts'
export { replayFetch } from './replay.ts'
export type * from '../types/fetch.ts'
