// Waiting for code of the caller, which may never answer.

/** The promise, or the reason of the signal as soon as that gives up. */
export const raceAbort = (promise, signal) => {
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
      (value) => { free(); resolve(value) },
      (error) => { free(); reject(error) },
    )
  })
}

/** Whether something is a signal that calls can be given up with. */
export const isAbortSignal = (value) => typeof value?.throwIfAborted === 'function' && typeof value.addEventListener === 'function'

/** What code threw, as data that cannot fail. */
export const errorData = (thrown) => {
  const isError = thrown instanceof Error
  try {
    return { name: isError ? String(thrown.name) : 'Error', message: String(isError ? thrown.message : thrown) }
  } catch {
    return { name: 'Error', message: 'something that cannot be told' }
  }
}
