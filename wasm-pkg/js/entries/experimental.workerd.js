// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { experimental, initAuthoringSync } from './authoring.js'
import authoringModule from './authoring.wasm'
import { initSync, useStart } from './core.js'
import coreModule from './core.wasm'

export default experimental(() => {
  // The start of a core that another entry has not started.
  useStart(() => initSync(coreModule))
  initAuthoringSync(authoringModule)
})
