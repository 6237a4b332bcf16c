// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { experimental, initAuthoringSync } from '../authoring/bundle.ts'
import module from './authoring.wasm'

export default experimental(() => initAuthoringSync(module))
