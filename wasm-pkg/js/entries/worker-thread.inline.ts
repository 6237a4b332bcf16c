// The worker of `transcript-workbench/worker` in pages.
import * as experimental from './experimental.inline.ts'
import * as workbench from './index.inline.ts'
import { serveCalls } from '../worker/thread.ts'

serveCalls({
  post: (message) => self.postMessage(message),
  listen: (onMessage) => self.addEventListener('message', ({ data }) => onMessage(data)),
  calls: { ...workbench, ...experimental },
  inflates: true,
})
