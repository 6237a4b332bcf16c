// Cloudflare Workers have no workers of their own: this entry reports that.
import { poolFactory } from '../worker/index.ts'

export { WorkerPoolError } from '../worker/index.ts'
export const createWorkerPool = poolFactory()
