// The calls of the package in a worker thread of Node, Deno or Bun. Options of the program, such as those for the text of --eval, are none of its.
import { Worker } from 'node:worker_threads'
import { createOffload } from '../worker/index.ts'

export { OffloadError } from '../worker/index.ts'
export const offload = createOffload(() => new Worker(new URL('./worker-thread.node.js', import.meta.url), { execArgv: [] }))
