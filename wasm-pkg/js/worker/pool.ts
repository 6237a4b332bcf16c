// The workers and their queue. A worker runs one call at a time, so that ending it ends nothing else.
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import type { WorkerCallOptions, WorkerProgress, PoolWorker } from '../types/worker.ts'
import { CLOSED, ENDED, START_FAILED, unpackError } from './errors.ts'
import { WorkerPoolError } from './worker-pool-error.ts'
import { findUncloneable } from './edge-cases.ts'
import type { Handle } from './handle.ts'
import type { HandleQuestion, SentQuestion, WorkerMessage } from './protocol.ts'
import { hasBlobs, readBlobs, transferable } from './sources.ts'

const STEPS = { unstarted: 'the worker could not be started', ended: 'the worker ended during a call' }

/** What to do where the file of the worker was not found, which its bundler has not seen. */
const HELP = "give `worker`, a function that makes a worker of a module with `import 'transcript-workbench/worker/thread'`"

const causeText = (cause: unknown) => (cause as Fields)?.message || (typeof cause === 'number' ? `with code ${cause}` : '')

/** A worker: of Node, with `on`, or of the browser's kind, with properties. */
interface AnyWorker extends PoolWorker {
  on?(event: string, listener: (value: never) => void): void
  removeAllListeners?(): void
  ref?(): void
  unref?(): void
  onmessage?: (event: { data: WorkerMessage }) => void
  onerror?: (event: { preventDefault?(): void }) => void
  onmessageerror?: (cause: unknown) => void
}

interface Listeners {
  onMessage(message: WorkerMessage): void
  onFault(cause: unknown): void
}

/** A worker of the browser's kind or of Node's, behind one face. */
const connect = (worker: AnyWorker, { onMessage, onFault }: Listeners) => {
  const isNode = typeof worker.on === 'function'
  if (isNode) {
    worker.on!('message', onMessage)
    worker.on!('error', onFault)
    worker.on!('messageerror', onFault)
    worker.on!('exit', onFault)
  } else {
    worker.onmessage = ({ data }) => onMessage(data)
    worker.onerror = (event) => {
      // The caller gets the error; the page need not see it as well.
      event.preventDefault?.()
      onFault(event)
    }
    worker.onmessageerror = onFault
  }
  const removeListeners = () => {
    if (isNode) {
      worker.removeAllListeners!()
      worker.on!('error', () => {})
    } else Object.assign(worker, { onmessage: null, onerror: null, onmessageerror: null })
  }
  return {
    post: (message: SentQuestion, transfer: ArrayBuffer[]) => worker.postMessage(message, transfer),
    /** Whether the program waits for it. */
    hold: (isHeld: boolean) => (isHeld ? worker.ref?.() : worker.unref?.()),
    end: async () => {
      removeListeners()
      await worker.terminate()
    },
  }
}

/** A request on its way. */
interface Job extends WorkerCallOptions {
  id?: number
  question: HandleQuestion
  handle: Handle | undefined
  isDone: boolean
  settle(done: 'resolve' | 'reject', value?: unknown): void
}

/** A slot for a worker, which is started when it is needed. `generation` distinguishes its workers. */
export class Slot {
  generation = 0
  port: ReturnType<typeof connect> | undefined
  isReady = false
  job: Job | undefined
  /** Whether the job was sent to the worker. */
  isSent = false
}

/** A slot within a call. */
type BusySlot = Slot & { job: Job }

export class Pool {
  #start: () => PoolWorker
  #slots: Slot[]
  #queue: Job[] = []
  #lastId = 0
  #isClosed = false

  constructor(start: () => PoolWorker, count: number) {
    this.#start = start
    this.#slots = Array.from({ length: count }, () => new Slot())
  }

  /** Runs a request; `own` are the options for the worker, `handle` is the open object that the request is for, if any. */
  run({ own: workerOptions, question }: { own: WorkerCallOptions; question: HandleQuestion }, handle?: Handle) {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#isClosed) throw new WorkerPoolError(CLOSED, 'the worker has been closed')
      const { signal } = workerOptions
      signal?.throwIfAborted()
      // What settles it is set below.
      const job = { ...workerOptions, question, handle, isDone: false } as Job
      const giveUp = () => this.#abort(job, signal!.reason)
      job.settle = (done, value) => {
        job.isDone = true
        signal?.removeEventListener('abort', giveUp)
        if (done === 'resolve') resolve(value)
        else reject(value)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#queue.push(job)
      this.#runNext()
    })
  }

  /** Frees an open object after all of its pending calls. One that is gone already is freed. */
  free(handle: Handle) {
    if (this.#isClosed || handle.slot === undefined) return
    const job: Job = { question: { isFree: true, args: [] }, handle, isDone: false, settle: () => {} }
    this.#queue.push(job)
    this.#runNext()
  }

  async close() {
    this.#isClosed = true
    const closed = () => new WorkerPoolError(CLOSED, 'the worker was closed during a call')
    const waiting = [...this.#queue, ...this.#slots.map(({ job }) => job)].filter((job) => job !== undefined)
    this.#queue = []
    const ended = this.#slots.map((slot) => this.#endWorker(slot))
    for (const job of waiting) job.settle('reject', closed())
    await Promise.all(ended)
  }

  /** Gives idle workers something to do, those first that are there already. */
  #runNext() {
    const idle = this.#slots.filter(({ job }) => job === undefined).sort((one, other) => Number(other.isReady) - Number(one.isReady))
    for (const slot of idle) {
      const at = this.#queue.findIndex(({ handle }) => (handle?.slot ?? slot) === slot)
      if (at < 0) continue
      const [job] = this.#queue.splice(at, 1) as [Job]
      slot.job = job
      slot.isSent = false
      if (job.question.isFree && !job.handle!.isIn(slot)) {
        this.#finish(slot, 'resolve')
        return
      }
      slot.port?.hold(true)
      if (slot.port === undefined) this.#startWorker(slot)
      else if (slot.isReady) void this.#send(slot)
    }
  }

  #startWorker(slot: Slot) {
    const { job } = slot
    slot.generation += 1
    slot.isReady = false
    const report = (done: number) => this.#reportProgress(slot, { phase: 'starting', done, total: 1 })
    report(0)
    // The progress callback may have aborted this call, and started the next one in this slot with its own worker.
    if (slot.job !== job || slot.port !== undefined) return
    const onMessage = (message: WorkerMessage) => {
      if (!message.isReady) {
        this.#receive(slot, message)
        return
      }
      slot.isReady = true
      report(1)
      if (slot.job === undefined) this.#runNext()
      else void this.#send(slot)
    }
    try {
      slot.port = connect(this.#start(), { onMessage, onFault: (cause) => this.#fail(slot, cause) })
    } catch (error) {
      this.#fail(slot, error)
    }
  }

  /** The message for a job: the object that it is for is opened first if it is not open in this worker. */
  #messageOf(slot: BusySlot): SentQuestion {
    const { id, question, handle } = slot.job as Job & { id: number }
    if (handle === undefined) return { id, ...question }
    if (handle.isIn(slot)) return { id, ...question, handle: handle.id }
    if (handle.isTransferred)
      throw new WorkerPoolError(ENDED, 'the worker that had this open has ended, and its bytes were transferred: open it again')
    return { id, ...question, handle: handle.id, opening: handle.opening }
  }

  async #send(slot: Slot) {
    const { job } = slot as BusySlot
    if (slot.isSent) return
    slot.isSent = true
    this.#lastId += 1
    job.id = this.#lastId
    const questions: HandleQuestion[] = [job.question, ...(job.handle?.isIn(slot) === false ? [job.handle.opening] : [])]
    const args = questions.flatMap((one) => one.args)
    const attempt = (transfer: ArrayBuffer[]) => slot.port!.post(this.#messageOf(slot as BusySlot), transfer)
    try {
      if (job.transfer !== true) attempt([])
      else {
        attempt(transferable(args))
        if (job.handle !== undefined) job.handle.isTransferred = true
      }
      return
    } catch (error) {
      if (error instanceof WorkerPoolError) {
        this.#finish(slot, 'reject', error)
        return
      }
    }
    try {
      // Memory that cannot be transferred is copied; a file that cannot be cloned is read here.
      if (hasBlobs(args)) for (const one of questions) one.args = await readBlobs(one.args)
      if (slot.job === job) attempt([])
    } catch (error) {
      if (slot.job !== job) return
      const uncloneable = questions
        .map(({ args: callArgs, options }) => findUncloneable(callArgs, options))
        .find((text) => text !== undefined)
      const message = `${questions.at(-1)!.name}() in a worker takes data alone: ${uncloneable ?? (error as Error).message}`
      this.#finish(slot, 'reject', misuse(message, { cause: error }))
    }
  }

  #reportProgress({ job }: Slot, progress: WorkerProgress) {
    if (job?.onProgress === undefined) return
    try {
      job.onProgress(progress)
    } catch (error) {
      this.#abort(job, error)
    }
  }

  #receive(slot: Slot, { id, progress, answer, error }: Exclude<WorkerMessage, { isReady: true }>) {
    if (slot.job?.id !== id) return
    if (progress !== undefined) {
      this.#reportProgress(slot, progress)
      return
    }
    if (error === undefined) {
      slot.job.handle?.openedIn(slot)
      this.#finish(slot, 'resolve', answer)
      return
    }
    const thrown = unpackError(error)
    // A module that has trapped is not used again.
    if ((thrown as Fields)?.name === 'InternalError') void this.#endWorker(slot, true)
    this.#finish(slot, 'reject', thrown)
  }

  #finish(slot: Slot, done: 'resolve' | 'reject', value?: unknown) {
    const { job } = slot as BusySlot
    slot.job = undefined
    slot.port?.hold(false)
    job.settle(done, value)
    this.#runNext()
  }

  /** Aborts a call: a queued one is dropped, a running one ends its worker. */
  #abort(job: Job, reason: unknown) {
    if (job.isDone) return
    const slot = this.#slots.find((one) => one.job === job)
    this.#queue = this.#queue.filter((one) => one !== job)
    if (slot !== undefined) {
      if (slot.isSent) void this.#endWorker(slot)
      else slot.port?.hold(false)
      slot.job = undefined
    }
    job.settle('reject', reason)
    this.#runNext()
  }

  #fail(slot: Slot, cause: unknown) {
    const { job, isReady } = slot
    void this.#endWorker(slot)
    const [code, what] = isReady ? ([ENDED, STEPS.ended] as const) : ([START_FAILED, STEPS.unstarted] as const)
    const text = causeText(cause)
    const help = isReady ? '' : `; where a bundler has not seen its file, ${HELP}`
    const message = `${what}${text === '' ? '' : `: ${text}`}${help}`
    job?.settle('reject', new WorkerPoolError(code, message, cause instanceof Error ? { cause } : undefined))
    this.#runNext()
  }

  /** Ends the worker of a slot, and with it what was open there; the next call makes another. */
  async #endWorker(slot: Slot, keepsJob = false) {
    const { port } = slot
    slot.port = undefined
    slot.isReady = false
    if (!keepsJob) slot.job = undefined
    await port?.end()
  }
}
