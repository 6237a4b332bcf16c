// Cloudflare Workers, where wasm may not be compiled at run time: the module comes compiled.
import { initSync } from './core.js'
import module from './core.wasm'

initSync(module)
