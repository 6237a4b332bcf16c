// Servers for Node: one that answers as recordings did, and one that records what passes through it.
export { proxy } from './proxy.ts'
export { serve } from './serve.ts'
export type * from '../types/server.ts'
