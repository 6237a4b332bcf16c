// Cloudflare Workers have no workers of their own: this entry reports that.
import { createOffload } from './worker.js'

export { OffloadError } from './worker.js'
export const offload = createOffload()
