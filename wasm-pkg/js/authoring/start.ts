// The start of the second part of the wasm module, which writes, changes and compares documents. The first call that needs it adds
// it to the core, so that a program that only replays never compiles it.
import { addAuthoring, ensureStarted } from '../api/bundle.ts'
import { checkModule, checkSource, guarded as guard } from '../api/guard.ts'
import type { WasmSource } from '../api/start.ts'

let compiled: WebAssembly.Module | undefined
let isAdded = false
let start = (): void => {
  throw new Error('authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first')
}

/**
 * Has `work` compile the module at the first call that needs it.
 * @internal
 */
export const useStart = (work: () => void) => {
  start = work
}

/** The same at once, from a compiled module or from the bytes of `transcript-workbench/authoring.wasm`. */
export const initAuthoringSync = (module: WebAssembly.Module | BufferSource): void => {
  if (compiled !== undefined) return
  checkModule('initAuthoringSync', 'authoring.wasm', module)
  compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module)
}

const compile = async (source: Response | BufferSource | WebAssembly.Module) => {
  if (source instanceof WebAssembly.Module) return source
  if (typeof Response !== 'function' || !(source instanceof Response)) return WebAssembly.compile(source as BufferSource)
  if (!source.ok) throw new Error(`failed to fetch authoring.wasm: ${source.status} ${source.statusText} fetching '${source.url}'`)
  // Only a response of this type can be compiled while it arrives.
  const isWasm = source.headers.get('content-type') === 'application/wasm'
  return isWasm && WebAssembly.compileStreaming ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer())
}

/**
 * Adds what writes, changes and compares documents to the core, from the `authoring.wasm` of the same version; a second call
 * does nothing.
 */
export const initAuthoring = async (source: WasmSource): Promise<void> => {
  if (compiled !== undefined) return
  checkSource('initAuthoring', 'authoring.wasm', source)
  const isAddress = typeof source === 'string' || source instanceof URL || (typeof Request === 'function' && source instanceof Request)
  const module = await compile(await (isAddress ? fetch(source) : source))
  compiled ??= module
}

const ensureAdded = () => {
  if (isAdded) return
  if (compiled === undefined) start()
  ensureStarted()
  addAuthoring(compiled!)
  isAdded = true
}

/**
 * Runs work on the core, to which the module is added before.
 * @internal
 */
export const guarded = <Result>(work: () => Result) => {
  ensureAdded()
  return guard(work)
}
