import { misuse } from './misuse.ts'

/**
 * Runs `work` on a wasm module.
 *
 * A trap or a panic is a fault of this package: the error has what is needed to report it. Whatever
 * else the module throws is about the arguments.
 */
export const guarded = <Result>(work: () => Result) => {
  try {
    return work()
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError || text.startsWith('panicked')) {
      const message = `internal error of transcript-workbench, which is no fault of the transcript: ${text}`
      throw Object.assign(new Error(message, { cause: error }), { name: 'InternalError', code: 'ERR_TRANSCRIPT_INTERNAL' })
    }
    throw misuse(text, { cause: error })
  }
}

/** Checks the argument of a synchronous start. */
export const checkModule = (call: string, file: string, module: unknown) => {
  const isModule = module instanceof WebAssembly.Module
  if (!isModule && !(module instanceof ArrayBuffer) && !ArrayBuffer.isView(module)) {
    throw misuse(`${call}() takes a WebAssembly.Module or the bytes of ${file}`)
  }
}

/** Checks the argument of an asynchronous start. */
export const checkSource = (call: string, file: string, source: unknown) => {
  if (source === undefined) {
    throw misuse(`${call}() takes the address of ${file}, a Response, its bytes, or a WebAssembly.Module`)
  }
}
