// What a program and its workers send each other.
import type { WorkerCallOptions, WorkerProgress } from '../types/worker.ts'

/** A call: the name of a function, or of a method of something that is open. */
export interface Question {
  name: string
  args: unknown[]
  options: unknown
  hasOptions: boolean
}

/** A call with the options for its worker, which are not sent. */
export interface CallRequest {
  own: WorkerCallOptions
  question: Question
}

/** What is requested of something that is open: a call; that it is opened alone; that it is freed. */
export type HandleQuestion =
  | (Question & { isFree?: undefined })
  | { name?: undefined; args: unknown[]; options?: undefined; hasOptions?: undefined; isFree?: true }

/** A request as it is sent; `handle` is the number of what it is for, and `opening` the call that opens that first. */
export type SentQuestion = HandleQuestion & { id: number; handle?: number; opening?: Question }

/** An error as data: what was thrown, where that is no error. */
export type PackedError =
  | { thrown: unknown }
  | {
      thrown?: undefined
      kind: string | undefined
      name: string
      message: string
      stack: string | undefined
      fields: object
      marks: string[]
      cause?: PackedError
    }

/** What a worker sends: that it is ready; how far a call is; its answer, or what it threw. */
export type WorkerMessage =
  | { isReady: true }
  | { isReady?: undefined; id: number; progress?: WorkerProgress; answer?: unknown; error?: PackedError }
