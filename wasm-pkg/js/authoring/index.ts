// What the package exports of the functions that write, change and compare documents: the one list of it.
export { TranscriptBuilder, transcript } from './builder.ts'
export { compact, complete, coverage, diff, edit, fix, format, hover, redact, runTwice, travel } from './documents.ts'
export { exportTranscript } from './export.ts'
export { generate } from './generate.ts'
export { GenerateError } from './generate-error.ts'
export { drift, importLog, promptHash, repairLog } from './import.ts'
export { simulate } from './simulate.ts'
export { timeTravel } from './travel.ts'
