// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { experimental, initAuthoringSync } from '../authoring/bundle.ts'
import inlined from './authoring.wasm.deflate.js'
import { wasm } from './wasm.inline.ts'

export default experimental(() => initAuthoringSync(wasm(inlined)))
