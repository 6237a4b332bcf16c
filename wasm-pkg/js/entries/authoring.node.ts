// The authoring functions for Node, Deno and Bun, with their wasm compressed inside of a module. A bundler
// leaves all of it out of a program that uses none of them.
import { initAuthoringSync, operations } from '../authoring/bundle.ts'
import authoringWasm from '#authoring.wasm'
import { wasm } from './wasm.node.ts'

export default operations(() => initAuthoringSync(wasm(authoringWasm)))
