// The calls of the package in a worker thread of Node, Deno or Bun. Options of the program, such as those for the text of --eval, are none of its.
import { Worker } from 'node:worker_threads'
import { poolFactory } from '../worker/index.ts'

export { WorkerPoolError } from '../worker/index.ts'
export const createWorkerPool = poolFactory(() => new Worker(new URL('./worker-thread.node.js', import.meta.url), { execArgv: [] }))
