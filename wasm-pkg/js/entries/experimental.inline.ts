// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { initSync, useStart } from '../api/bundle.ts'
import { experimental, initAuthoringSync } from '../authoring/bundle.ts'
import authoringInlined from './authoring.wasm.deflate.js'
import coreInlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.ts'

export default experimental(() => {
  // The start of a core that another entry has not started.
  useStart(() => initSync(wasm(coreInlined)))
  initAuthoringSync(wasm(authoringInlined))
})
