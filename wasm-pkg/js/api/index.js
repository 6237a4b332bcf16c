// Everything that does not depend on where it runs. The entries start the core and export this.
export { init, initSync } from './core.js'
export { detect } from './detect.js'
export { parse } from './document.js'
export { RecordedModelError, TranscriptDivergence, TranscriptError } from './errors.js'
export { expand } from './expand.js'
export { readProject } from './project.js'
export { replay, useFiles } from './replay.js'
export { validate } from './validate.js'
