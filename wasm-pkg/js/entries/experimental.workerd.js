// What may still change: logs of events, their order, and the proof that they replay the same each time.
import { experimental, initAuthoringSync } from './authoring.js'
import authoringModule from './authoring.wasm'
import { initSync } from './core.js'
import coreModule from './core.wasm'

export const {
  EventWriter, SCHEMA_URI, compareTraces, orderEvents, payloadHash, readEvents, verifyDeterminism, writeEvents,
} = experimental(() => {
  initSync(coreModule)
  initAuthoringSync(authoringModule)
})
