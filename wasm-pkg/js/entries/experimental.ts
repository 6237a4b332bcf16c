// What may still change: logs of events, their order, and the proof that they replay the same each time.
export * from '../authoring/experimental.ts'
export type * from '../types/experimental.ts'
