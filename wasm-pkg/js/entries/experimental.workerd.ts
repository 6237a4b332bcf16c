// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { initSync } from '../api/bundle.ts'
import { experimental, initAuthoringSync } from '../authoring/bundle.ts'
import authoringModule from './authoring.wasm'
import coreModule from './core.wasm'

export default experimental(
  () => initSync(coreModule),
  () => initAuthoringSync(authoringModule),
)
