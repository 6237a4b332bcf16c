// What may still change, and is exported by `transcript-workbench/experimental`: logs of events, their order, and the proof that
// they replay the same each time. The one list of it.
export {
  EventWriter,
  SCHEMA_URI,
  compareTraces,
  orderEvents,
  payloadHash,
  readEvents,
  verifyDeterminism,
  writeEvents,
} from './events.ts'
