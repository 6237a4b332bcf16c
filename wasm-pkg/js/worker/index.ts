// The calls of the package in a worker, so that long ones block nothing and can be ended.
import { misuse } from '../api/misuse.ts'
import { checkNames, kindOf } from '../api/options.ts'
import type { PoolWorker } from '../types/worker.ts'
import { CALLS, PARTS } from './calls.ts'
import { NO_WORKERS } from './errors.ts'
import { WorkerPoolError } from './worker-pool-error.ts'
import { openInWorker } from './handle.ts'
import { Pool } from './pool.ts'
import { createCallRequest } from './call-request.ts'

export { WorkerPoolError }

/** The most workers of one pool: each has a wasm of its own. */
const MAX_WORKERS = 64

const HELP = 'call the functions of `transcript-workbench` directly, or pass `worker`, a function that makes a worker'

/** Returns `createWorkerPool`; `start` makes a worker where there are any. */
export const poolFactory =
  (start?: () => PoolWorker) =>
  (options: { workers?: number; worker?: () => PoolWorker } = {}) => {
    const { workers = 1, worker = start } = checkNames('createWorkerPool', options, ['workers', 'worker'])
    if (!Number.isSafeInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
      throw misuse(`the option \`workers\` of createWorkerPool() takes an integer from 1 to ${MAX_WORKERS}`)
    }
    if (worker === undefined) throw new WorkerPoolError(NO_WORKERS, `there are no workers here: ${HELP}`)
    if (typeof worker !== 'function') throw misuse(`the option \`worker\` of createWorkerPool() is a function, but got ${kindOf(worker)}`)
    const pool = new Pool(worker, workers)
    const callFunctions = (calls: { readonly [name: string]: number }, prefix = '') =>
      Object.fromEntries(
        Object.entries(calls).map(([name, arity]) => [
          name,
          async (...args: unknown[]) => pool.run(createCallRequest(`${prefix}${name}`, arity, args)),
        ]),
      )
    const close = () => pool.close()
    const api = {
      ...callFunctions(CALLS),
      ...Object.fromEntries(Object.entries(PARTS).map(([name, parts]) => [name, callFunctions(parts, `${name}.`)])),
      parse: async (...args: unknown[]) => openInWorker(pool, 'parse', createCallRequest('parse', 1, args), 'document'),
      readEvents: async (...args: unknown[]) => openInWorker(pool, 'readEvents', createCallRequest('readEvents', 1, args), 'log'),
      close,
    }
    if (typeof Symbol.asyncDispose === 'symbol')
      Object.defineProperty(api, Symbol.asyncDispose, { value: close, configurable: true, writable: true })
    return api
  }
