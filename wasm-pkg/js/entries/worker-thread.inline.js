// The worker of `transcript-workbench/worker` in pages.
import * as experimental from './experimental.inline.js'
import * as workbench from './index.inline.js'
import { answer } from './worker-answer.js'

answer({
  post: (message) => self.postMessage(message),
  listen: (onMessage) => self.addEventListener('message', ({ data }) => onMessage(data)),
  calls: { ...workbench, ...experimental },
  inflates: true,
})
