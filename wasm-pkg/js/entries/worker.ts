/// <reference lib="esnext.disposable" />
import type { WorkerPool, PoolWorker } from '../types/worker.ts'

export { WorkerPoolError } from '../worker/worker-pool-error.ts'
export type * from '../types/worker.ts'

/**
 * The calls of the package in workers, which start at the first call.
 *
 * @param options.workers The maximum number of workers. Default: 1.
 * @param options.worker Makes a worker, where a bundler does not find the file of it: of a module that has
 *   `import 'transcript-workbench/worker/thread'` in it.
 * @example
 * const pool = createWorkerPool()
 * const { ok } = await pool.validate(file, { signal: AbortSignal.timeout(10_000) })
 * await pool.close()
 */
export declare const createWorkerPool: (options?: { workers?: number; worker?: () => PoolWorker }) => WorkerPool
