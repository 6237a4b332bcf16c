// The worker of `transcript-workbench/worker` in Node, Deno and Bun.
import { parentPort } from 'node:worker_threads'
import * as experimental from './experimental.node.ts'
import * as workbench from './index.node.ts'
import { serveCalls } from '../worker/thread.ts'

serveCalls({
  post: (message) => parentPort!.postMessage(message),
  listen: (onMessage) => parentPort!.on('message', onMessage),
  calls: { ...workbench, ...experimental },
  inflates: false,
})
