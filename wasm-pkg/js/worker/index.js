// The calls of the package in a worker, so that long ones keep nobody waiting and can be ended.
import { misuse } from '../api/misuse.js'
import { checkNames, kindOf } from '../api/options.js'
import { CALLS, PARTS } from './calls.js'
import { NONE, OffloadError } from './errors.js'
import { openIn } from './handle.js'
import { Pool } from './pool.js'
import { questionOf } from './call-request.js'

export { OffloadError }

/** The most workers of one pool: each has a wasm of its own. */
const MOST = 64

const HELP = 'call the functions of `transcript-workbench` themselves, or give `worker`, a function that makes a worker'

/** Makes `offload`; `start` makes a worker where there are any. */
export const offloading = (start) => (options = {}) => {
  const { workers = 1, worker = start } = checkNames('offload', options, ['workers', 'worker'])
  if (!Number.isSafeInteger(workers) || workers < 1 || workers > MOST) {
    throw misuse(`the option \`workers\` of offload() takes a whole number from 1 to ${MOST}`)
  }
  if (worker === undefined) throw new OffloadError(NONE, `there are no workers here: ${HELP}`)
  if (typeof worker !== 'function') throw misuse(`the option \`worker\` of offload() is a function, but got ${kindOf(worker)}`)
  const pool = new Pool(worker, workers)
  const called = (calls, of = '') => Object.fromEntries(Object.entries(calls).map(([name, arity]) => [
    name, async (...given) => pool.run(questionOf(`${of}${name}`, arity, given)),
  ]))
  const close = () => pool.close()
  const made = {
    ...called(CALLS),
    ...Object.fromEntries(Object.entries(PARTS).map(([name, parts]) => [name, called(parts, `${name}.`)])),
    parse: async (...given) => openIn(pool, 'parse', questionOf('parse', 1, given), 'document'),
    readEvents: async (...given) => openIn(pool, 'readEvents', questionOf('readEvents', 1, given), 'log'),
    close,
  }
  if (typeof Symbol.asyncDispose === 'symbol') Object.defineProperty(made, Symbol.asyncDispose, { value: close, configurable: true, writable: true })
  return made
}
