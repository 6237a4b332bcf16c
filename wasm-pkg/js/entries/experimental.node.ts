// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { initSync } from '../api/bundle.ts'
import { experimental, initAuthoringSync, useNode } from '../authoring/bundle.ts'
import authoringWasm from '#authoring.wasm'
import coreWasm from '#core.wasm'
import { files, proof } from './proof.node.ts'
import { wasm } from './wasm.node.ts'

useNode({ files, proof })

export default experimental(
  () => initSync(wasm(coreWasm)),
  () => initAuthoringSync(wasm(authoringWasm)),
)
