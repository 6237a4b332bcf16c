// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { experimental, initAuthoringSync, useNode } from './authoring.js'
import authoringWasm from '#authoring.wasm'
import { files, proof } from './proof.node.js'
import { wasm } from './wasm.node.js'

useNode({ files, proof })

export default experimental(() => initAuthoringSync(wasm(authoringWasm)))
