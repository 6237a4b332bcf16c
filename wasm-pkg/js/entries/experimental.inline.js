// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { experimental, initAuthoringSync } from './authoring.js'
import authoringInlined from './authoring.wasm.deflate.js'
import { initSync } from './core.js'
import coreInlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.js'

export const {
  EventWriter, SCHEMA_URI, compareTraces, orderEvents, payloadHash, readEvents, verifyDeterminism, writeEvents,
} = experimental(() => {
  initSync(wasm(coreInlined))
  initAuthoringSync(wasm(authoringInlined))
})
