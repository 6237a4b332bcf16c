// The worker of `transcript-workbench/worker` in pages.
import * as experimental from './experimental.inline.js'
import * as workbench from './index.inline.js'
import { serveCalls } from './worker-answer.js'

serveCalls({
  post: (message) => self.postMessage(message),
  listen: (onMessage) => self.addEventListener('message', ({ data }) => onMessage(data)),
  calls: { ...workbench, ...experimental },
  inflates: true,
})
