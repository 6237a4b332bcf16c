// Cloudflare Workers have no workers of their own: this entry reports that.
import { createOffload } from '../worker/index.ts'

export { OffloadError } from '../worker/index.ts'
export const offload = createOffload()
