// The one door to the wasm module: whether it is ready, and what its failures mean.
import initAsync, { DocumentHandle, SessionHandle, initSync as initGlue } from '#glue'

let ready = false

/** Compiles and starts the core at once; takes a `WebAssembly.Module` or the bytes of `core.wasm`. */
export const initSync = (module) => {
  if (ready) return
  const isModule = module instanceof WebAssembly.Module
  if (!isModule && !(module instanceof ArrayBuffer) && !ArrayBuffer.isView(module)) {
    throw new TypeError('initSync() takes a WebAssembly.Module or the bytes of core.wasm')
  }
  initGlue({ module })
  ready = true
}

/** Fetches, compiles and starts the core; takes what `initSync` takes, a URL, a `Response`, or a promise of one. */
export const init = async (source) => {
  if (ready) return
  if (source === undefined) {
    throw new TypeError('init() takes the address of core.wasm, a Response, its bytes, or a WebAssembly.Module')
  }
  await initAsync({ module_or_path: source })
  ready = true
}

/**
 * Runs `work` on the core.
 *
 * A trap or a panic is a fault of this package: it says so, with what is needed to report it. Whatever
 * else the core throws is about the arguments.
 */
const guarded = (work) => {
  if (!ready) {
    throw new Error('transcript-workbench/slim is not started: call init() or initSync() with core.wasm first')
  }
  try {
    return work()
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError || text.startsWith('panicked')) {
      const message = `internal error of transcript-workbench, which is no fault of the transcript: ${text}`
      throw Object.assign(new Error(message, { cause: error }), { name: 'InternalError' })
    }
    throw new TypeError(text, { cause: error })
  }
}

export const openText = (text, file, limits) => guarded(() => DocumentHandle.open(text, file, limits))

export const openBytes = (bytes, file, limits) => guarded(() => DocumentHandle.openBytes(bytes, file, limits))

/** A stand-in for a document of `size` bytes that only says that it is too large; undefined when it is not. */
export const openTooLarge = (size, file, limits) =>
  guarded(() => DocumentHandle.tooLarge(Math.min(size, 0xffff_ffff), file, limits))

export const beginSession = (handle) => guarded(() => SessionHandle.begin(handle))

/** Calls a method of a handle. */
export const ask = (handle, method, ...args) => guarded(() => handle[method](...args))

/** Calls a method of a handle that answers JSON text, or nothing. */
export const askData = (handle, method, ...args) => {
  const text = ask(handle, method, ...args)
  return text === undefined ? null : JSON.parse(text)
}
