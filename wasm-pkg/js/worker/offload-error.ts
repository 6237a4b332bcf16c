// The error of the workers themselves.

const MARK = Symbol.for('transcript-workbench.OffloadError')

/** What went wrong with a worker: it could not be started, it ended within a call, it was closed, or there are none here. */
export class OffloadError extends Error {
  declare readonly name: 'OffloadError'
  declare readonly code:
    | 'ERR_TRANSCRIPT_WORKER_START'
    | 'ERR_TRANSCRIPT_WORKER_ENDED'
    | 'ERR_TRANSCRIPT_WORKER_CLOSED'
    | 'ERR_TRANSCRIPT_NO_WORKERS'

  constructor(code: OffloadError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    Object.defineProperty(this, 'name', { value: 'OffloadError', configurable: true, writable: true })
    Object.defineProperty(this, MARK, { value: true })
  }

  // The class may exist twice in one program, as ES module and as CommonJS.
  /** @internal */
  static override [Symbol.hasInstance](value: unknown) {
    return typeof value === 'object' && value !== null && (value as { [MARK]?: unknown })[MARK] === true
  }
}
