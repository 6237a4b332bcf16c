// The start of a wasm module: whether it has started, and what its failures mean.
import { guarded } from './guard.ts'
import { misuse } from './misuse.ts'

/** What a wasm module starts from. */
export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>

/**
 * A wasm module: its file, its glue, the names of the public calls that start it, and the error of a call before that.
 * @internal
 */
interface StartOptions {
  file: string
  initGlue: (options: { module_or_path: WasmSource }) => Promise<unknown>
  initGlueSync: (options: { module: WebAssembly.Module | BufferSource }) => unknown
  init: string
  initSync: string
  notStarted: string
}

/**
 * The calls that start a wasm module, and `guarded`, which runs work on it.
 * @internal
 */
export const createStart = ({ file, initGlue, initGlueSync, ...names }: StartOptions) => {
  let ready = false
  let start = (): void => {
    throw new Error(names.notStarted)
  }
  const ensureStarted = () => {
    if (!ready) start()
  }
  return {
    ensureStarted,
    useStart(work: () => void) {
      start = work
    },
    initSync(module: WebAssembly.Module | BufferSource) {
      if (ready) return
      const isModule = module instanceof WebAssembly.Module
      if (!isModule && !(module instanceof ArrayBuffer) && !ArrayBuffer.isView(module)) {
        throw misuse(`${names.initSync}() takes a WebAssembly.Module or the bytes of ${file}`)
      }
      initGlueSync({ module })
      ready = true
    },
    async init(source: WasmSource) {
      if (ready) return
      if (source === undefined) {
        throw misuse(`${names.init}() takes the address of ${file}, a Response, its bytes, or a WebAssembly.Module`)
      }
      await initGlue({ module_or_path: source })
      ready = true
    },
    guarded<Result>(work: () => Result) {
      ensureStarted()
      return guarded(work)
    },
  }
}
