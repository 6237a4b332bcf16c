// Pages, workers and bundlers: the wasm compressed inside of a module, started without a request of its own.
import { ensureStarted, initSync, useStart } from '../api/bundle.ts'
import inlined from './core.wasm.deflate.js'
import { wasm } from './wasm.inline.ts'

useStart(() => initSync(wasm(inlined)))
ensureStarted()
