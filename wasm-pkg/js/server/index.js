// Servers for Node: one that answers as recordings did, and one that records what passes through it.
export { proxy } from './proxy.js'
export { serve } from './serve.js'
