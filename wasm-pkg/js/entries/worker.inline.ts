// The calls of the package in a worker of a page. Bundlers find the file of the worker by the form of this expression.
import { poolFactory } from '../worker/index.ts'

const start = () => new Worker(new URL('./worker-thread.inline.js', import.meta.url), { type: 'module' })

export { WorkerPoolError } from '../worker/index.ts'
export const createWorkerPool = poolFactory(typeof Worker === 'function' ? start : undefined)
