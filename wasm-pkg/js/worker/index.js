// The calls of the package in a worker, so that long ones keep nobody waiting and can be ended.
import { misuse } from '../api/misuse.ts'
import { checkNames, kindOf } from '../api/options.ts'
import { CALLS, PARTS } from './calls.js'
import { NO_WORKERS, OffloadError } from './errors.js'
import { openInWorker } from './handle.js'
import { Pool } from './pool.js'
import { createCallRequest } from './call-request.js'

export { OffloadError }

/** The most workers of one pool: each has a wasm of its own. */
const MAX_WORKERS = 64

const HELP = 'call the functions of `transcript-workbench` themselves, or give `worker`, a function that makes a worker'

/** Makes `offload`; `start` makes a worker where there are any. */
export const createOffload =
  (start) =>
  (options = {}) => {
    const { workers = 1, worker = start } = checkNames('offload', options, ['workers', 'worker'])
    if (!Number.isSafeInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
      throw misuse(`the option \`workers\` of offload() takes a whole number from 1 to ${MAX_WORKERS}`)
    }
    if (worker === undefined) throw new OffloadError(NO_WORKERS, `there are no workers here: ${HELP}`)
    if (typeof worker !== 'function') throw misuse(`the option \`worker\` of offload() is a function, but got ${kindOf(worker)}`)
    const pool = new Pool(worker, workers)
    const callFunctions = (calls, prefix = '') =>
      Object.fromEntries(
        Object.entries(calls).map(([name, arity]) => [
          name,
          async (...args) => pool.run(createCallRequest(`${prefix}${name}`, arity, args)),
        ]),
      )
    const close = () => pool.close()
    const api = {
      ...callFunctions(CALLS),
      ...Object.fromEntries(Object.entries(PARTS).map(([name, parts]) => [name, callFunctions(parts, `${name}.`)])),
      parse: async (...args) => openInWorker(pool, 'parse', createCallRequest('parse', 1, args), 'document'),
      readEvents: async (...args) => openInWorker(pool, 'readEvents', createCallRequest('readEvents', 1, args), 'log'),
      close,
    }
    if (typeof Symbol.asyncDispose === 'symbol')
      Object.defineProperty(api, Symbol.asyncDispose, { value: close, configurable: true, writable: true })
    return api
  }
