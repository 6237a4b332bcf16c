// The start of a wasm module: whether it has started, and what its failures mean.
import { guarded } from './guard.ts'
import { misuse } from './misuse.ts'
import { toLoadError } from './wasm-load-error.ts'

/** What a wasm module starts from. */
export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>

/**
 * A wasm module: its file, the module that all of its imports come from, what starts it, the names of the public calls that start
 * it, and the error of a call before that.
 * @internal
 */
interface StartOptions {
  file: string
  importsFrom: string
  startModule: (module: WebAssembly.Module) => unknown
  init: string
  initSync: string
  notStarted: string
}

const isAddress = (source: WasmSource): source is string | URL | Request =>
  typeof source === 'string' || source instanceof URL || (typeof Request === 'function' && source instanceof Request)

// The class of a buffer that comes from another realm, such as Jest's, is not the one here.
const isBytes = (source: unknown) => ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === '[object ArrayBuffer]'

const compile = async (found: Response | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module> => {
  if (found instanceof WebAssembly.Module) return found
  if (typeof Response !== 'function' || !(found instanceof Response)) return WebAssembly.compile(found as BufferSource)
  if (!found.ok) {
    const error = new Error(`${found.status} ${found.statusText} fetching '${found.url}'`)
    throw Object.assign(error, { help: 'pass the address at which the file of the package is served' })
  }
  // Only a response of this type can be compiled while it arrives.
  const isWasm = found.headers.get('content-type') === 'application/wasm'
  return isWasm && WebAssembly.compileStreaming ? WebAssembly.compileStreaming(found) : WebAssembly.compile(await found.arrayBuffer())
}

/**
 * The calls that start a wasm module, and `guarded`, which runs work on it.
 * @internal
 */
export const createStart = ({ file, importsFrom, startModule, ...names }: StartOptions) => {
  let ready = false
  let start = (): void => {
    throw misuse(names.notStarted)
  }
  const load = <Result>(work: () => Result) => {
    try {
      return work()
    } catch (error) {
      throw toLoadError(file, error)
    }
  }
  const begin = (call: string, module: WebAssembly.Module) => {
    // Another call may have started it in the meantime.
    if (ready) return
    if (WebAssembly.Module.imports(module).some((wanted) => wanted.module !== importsFrom)) {
      throw misuse(`${call}() takes ${file}, but got another module`)
    }
    load(() => startModule(module))
    ready = true
  }
  const ensureStarted = () => {
    if (!ready) load(start)
  }
  return {
    ensureStarted,
    useStart(work: () => void) {
      start = work
    },
    /** Has the module start again, from another source. */
    reset() {
      ready = false
    },
    initSync(module: WebAssembly.Module | BufferSource) {
      if (ready) return
      const isModule = module instanceof WebAssembly.Module
      if (!isModule && !isBytes(module)) {
        throw misuse(`${names.initSync}() takes a WebAssembly.Module or the bytes of ${file}`)
      }
      begin(names.initSync, isModule ? module : load(() => new WebAssembly.Module(module)))
    },
    async init(source: WasmSource) {
      if (ready) return
      const loaded = async () => {
        const found = await (isAddress(source) ? fetch(source) : source)
        const isResponse = typeof Response === 'function' && found instanceof Response
        if (!isResponse && !isBytes(found) && !(found instanceof WebAssembly.Module)) {
          throw misuse(`${names.init}() takes the address of ${file}, a Response, its bytes, or a WebAssembly.Module`)
        }
        return compile(found)
      }
      const module = await loaded().catch((error) => {
        throw toLoadError(file, error)
      })
      begin(names.init, module)
    },
    guarded<Result>(work: () => Result) {
      ensureStarted()
      return guarded(work)
    },
  }
}
