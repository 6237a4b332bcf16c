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
