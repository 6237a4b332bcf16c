// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { initSync, useStart } from '../api/bundle.ts'
import { experimental, initAuthoringSync } from '../authoring/bundle.ts'
import authoringModule from './authoring.wasm'
import coreModule from './core.wasm'

export default experimental(() => {
  // The start of a core that another entry has not started.
  useStart(() => initSync(coreModule))
  initAuthoringSync(authoringModule)
})
