/// <reference lib="esnext.disposable" />
import type { Offload, OffloadWorker } from '../types/worker.ts'

export { OffloadError } from '../worker/offload-error.ts'
export type * from '../types/worker.ts'

/**
 * The calls of the package in workers, which start at the first call.
 *
 * @param options.workers The maximum number of workers. Default: 1.
 * @param options.worker Makes a worker, where a bundler does not find the file of it: of a module that has
 *   `import 'transcript-workbench/worker/thread'` in it.
 * @example
 * const workbench = offload()
 * const { ok } = await workbench.validate(file, { signal: AbortSignal.timeout(10_000) })
 * await workbench.close()
 */
export declare const offload: (options?: { workers?: number; worker?: () => OffloadWorker }) => Offload
