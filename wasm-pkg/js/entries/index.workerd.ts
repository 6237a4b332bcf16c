// Cloudflare Workers, where wasm may not be compiled at run time: the module comes compiled.
import { initSync } from '../api/bundle.ts'
import module from './core.wasm'

initSync(module)
