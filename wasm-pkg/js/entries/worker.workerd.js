// Cloudflare Workers have no workers of their own: it says so.
import { offloading } from './worker.js'

export { OffloadError } from './worker.js'
export const offload = offloading()
