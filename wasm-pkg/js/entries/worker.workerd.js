// Cloudflare Workers have no workers of their own: it says so.
import { createOffload } from './worker.js'

export { OffloadError } from './worker.js'
export const offload = createOffload()
