import type { Json } from '../types/index.ts'

/** An event of a stream as a vendor sends it. `at` is when it was recorded, in milliseconds; at a `cut` the connection broke off. */
export interface StreamEvent {
  event?: string
  data: Json
  at?: number
  cut?: string
}

/** The body of a response as a vendor sends it. */
export interface ResponseBody {
  id: string
  /** The items of Responses, or the blocks of Messages. */
  output: { [key: string]: Json }[]
  content: Json
  [field: string]: Json
}

/** What is sent for an answer. If its stream broke off it has no `response`, only `events`. */
export interface WrittenAnswer {
  response: ResponseBody
  events?: StreamEvent[]
}

export interface WriteResults {
  response: WrittenAnswer
  stream: WrittenAnswer
  error: Json
}

/** Writes the data of a vendor. */
export type WriteExchange = <Operation extends keyof WriteResults>(
  operation: Operation,
  format: string,
  data: unknown,
) => WriteResults[Operation]

/**
 * The method of tapes, mocks and recorders that writes what a vendor sends: `(operation, format, data)`. Modules of the package
 * that import nothing of the core find it by this symbol.
 */
export const WRITE_EXCHANGE: unique symbol = Symbol.for('transcript-workbench.writeExchange')
