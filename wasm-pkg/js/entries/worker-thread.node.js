// The worker of `transcript-workbench/worker` in Node, Deno and Bun.
import { parentPort } from 'node:worker_threads'
import * as experimental from './experimental.node.js'
import * as workbench from './index.node.js'
import { serveCalls } from './worker-answer.js'

serveCalls({
  post: (message) => parentPort.postMessage(message),
  listen: (onMessage) => parentPort.on('message', onMessage),
  calls: { ...workbench, ...experimental },
  inflates: false,
})
