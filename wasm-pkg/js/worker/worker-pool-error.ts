// The error of the workers themselves.
import { errorMark } from '../api/error-mark.ts'
import { MarkedError } from '../api/marked-error.ts'

/** What went wrong with a worker: it could not be started, it ended during a call, it was closed, or there are none here. */
export class WorkerPoolError extends MarkedError {
  declare readonly name: 'WorkerPoolError'
  declare readonly code:
    | 'ERR_TRANSCRIPT_WORKER_START'
    | 'ERR_TRANSCRIPT_WORKER_ENDED'
    | 'ERR_TRANSCRIPT_WORKER_CLOSED'
    | 'ERR_TRANSCRIPT_NO_WORKERS'

  /** @internal */
  static override mark() {
    return errorMark('WorkerPoolError', 'ERR_TRANSCRIPT')
  }

  constructor(code: WorkerPoolError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
