// The authoring functions for Cloudflare Workers, where wasm may not be compiled at run time.
import { initAuthoringSync, operations } from '../authoring/bundle.ts'
import module from './authoring.wasm'

export default operations(() => initAuthoringSync(module))
