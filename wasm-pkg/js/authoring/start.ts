// The start of the second part of the wasm module, which writes, changes and compares documents. The first call that needs it adds
// it to the core, so that a program that only replays never compiles it.
import { addAuthoring, createStart, ensureStarted, guarded as guard } from '../api/bundle.ts'
import type { WasmSource } from '../api/wasm-start.ts'

let compiled: WebAssembly.Module | undefined

const compile = async (source: Response | BufferSource | WebAssembly.Module) => {
  if (source instanceof WebAssembly.Module) return source
  if (typeof Response !== 'function' || !(source instanceof Response)) return WebAssembly.compile(source as BufferSource)
  if (!source.ok) throw new Error(`failed to fetch authoring.wasm: ${source.status} ${source.statusText} fetching '${source.url}'`)
  // Only a response of this type can be compiled while it arrives.
  const isWasm = source.headers.get('content-type') === 'application/wasm'
  return isWasm && WebAssembly.compileStreaming ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer())
}

const isAddress = (source: WasmSource): source is string | URL | Request =>
  typeof source === 'string' || source instanceof URL || (typeof Request === 'function' && source instanceof Request)

const authoring = /* @__PURE__ */ createStart({
  file: 'authoring.wasm',
  async initGlue({ module_or_path: source }) {
    const module = await compile(await (isAddress(source) ? fetch(source) : source))
    compiled ??= module
  },
  initGlueSync({ module }) {
    compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module)
  },
  init: 'initAuthoring',
  initSync: 'initAuthoringSync',
  notStarted: 'authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first',
})

/**
 * Has `work` compile the module at the first call that needs it.
 * @internal
 */
export const useStart = authoring.useStart

/** Does the same as `initAuthoring` at once, from a compiled module or from the bytes of `transcript-workbench/authoring.wasm`. */
export const initAuthoringSync: (module: WebAssembly.Module | BufferSource) => void = authoring.initSync

/**
 * Adds the calls that write, change and compare documents to the core, from the `authoring.wasm` of the same version; a second
 * call does nothing.
 */
export const initAuthoring: (source: WasmSource) => Promise<void> = authoring.init

/**
 * Runs work on the core, to which the module is added before.
 * @internal
 */
export const guarded = <Result>(work: () => Result) => {
  authoring.ensureStarted()
  ensureStarted()
  addAuthoring(compiled!)
  return guard(work)
}
