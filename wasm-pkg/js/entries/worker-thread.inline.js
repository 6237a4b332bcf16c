// The worker of `transcript-workbench/worker` in pages.
import * as experimental from './experimental.inline.js'
import * as workbench from './index.inline.js'
import { answer } from './worker-answer.js'

answer({
  post: (told) => self.postMessage(told),
  listen: (hear) => self.addEventListener('message', ({ data }) => hear(data)),
  calls: { ...workbench, ...experimental },
  inflates: true,
})
