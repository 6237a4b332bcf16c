// Waits for code of the caller, which may never answer.
import type { Fields } from './fields.ts'

/** Returns the promise, or rejects with the reason of the signal as soon as it aborts. */
export const raceAbort = <Value>(promise: Promise<Value>, signal: AbortSignal | null | undefined): Promise<Value> => {
  if (signal === undefined || signal === null) return promise
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) {
      Promise.resolve(promise).catch(() => {})
      giveUp()
      return
    }
    signal.addEventListener('abort', giveUp, { once: true })
    const free = () => signal.removeEventListener('abort', giveUp)
    Promise.resolve(promise).then(
      (value) => {
        free()
        resolve(value)
      },
      (error) => {
        free()
        reject(error)
      },
    )
  })
}

/** Whether a value is an AbortSignal. */
export const isAbortSignal = (value: unknown): value is AbortSignal =>
  typeof (value as Fields)?.throwIfAborted === 'function' && typeof (value as AbortSignal).addEventListener === 'function'

/** A thrown value as plain data; this never throws. */
export const errorData = (thrown: unknown) => {
  const isError = thrown instanceof Error
  try {
    return { name: isError ? String(thrown.name) : 'Error', message: String(isError ? thrown.message : thrown) }
  } catch {
    return { name: 'Error', message: 'a value that cannot be described' }
  }
}
