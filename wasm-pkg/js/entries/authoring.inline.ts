// The authoring functions with their wasm compressed inside of a module. A bundler leaves all of it out of a
// program that uses none of them.
import { initAuthoringSync, operations } from '../authoring/bundle.ts'
import inlined from './authoring.wasm.deflate.js'
import { wasm } from './wasm.inline.ts'

export default operations(() => initAuthoringSync(wasm(inlined)))
