// The functions that write, change and compare documents, for the command line; the first call adds their part to the core.
import authoringWasm from '#authoring.wasm'
import { importSessions, initAuthoringSync, operations } from '../authoring/bundle.ts'
import { wasm } from '../entries/wasm.node.ts'
import { compile } from './core.ts'

export { importSessions }

export const {
  GenerateError,
  compact,
  coverage,
  diff,
  exportTranscript,
  fix,
  format,
  generate,
  importLog,
  redact,
  repairLog,
  runTwice,
  simulate,
  travel,
} = operations(() => initAuthoringSync(compile(wasm(authoringWasm))))
