// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { initSync } from '../api/bundle.ts'
import { experimental, initAuthoringSync } from '../authoring/bundle.ts'
import authoringInlined from './authoring.wasm.deflate.js'
import coreInlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.ts'

export default experimental(
  () => initSync(wasm(coreInlined)),
  () => initAuthoringSync(wasm(authoringInlined)),
)
