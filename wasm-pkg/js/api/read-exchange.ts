import type { Json } from '../types/index.ts'
import type { Chunk } from '../adapters/partial-answer.ts'

/** A tool call of a recorded message or answer. Its arguments are data, or the text that the model wrote. */
export interface RecordedCall {
  id?: string | undefined
  name: string
  arguments: Json
}

/** A message of a request as it is recorded. */
export interface RecordedMessage {
  role: string
  content?: Json
  tool_calls?: RecordedCall[]
  tool_call_id?: string
  is_error?: boolean
  [field: string]: unknown
}

/** A request as it is recorded. */
export interface RecordedRequest {
  config: { [key: string]: Json }
  tools: Json[]
  settings_problem: string | null
  /** The instructions, where they are not in the list of messages. */
  head: RecordedMessage[]
  messages: RecordedMessage[]
  /** For each message, how many items of the list had been read after it. */
  ends: number[]
  messages_problem: string | null
}

/** An answer as it is recorded. `output` has the items or blocks to which a later request may refer. */
export interface ExchangeAnswer {
  id?: string
  content: string
  reasoning?: string
  refusal?: string
  tool_calls: RecordedCall[]
  output?: { [key: string]: Json }[]
  [field: string]: unknown
}

/** The error by which a call failed. */
export interface CallFailure {
  type: string
  message: string
  [field: string]: unknown
}

/** A response or a stream as it is recorded; `chunks` have the index of the event of each. */
export interface ExchangeResponse {
  answer: ExchangeAnswer | null
  failure: CallFailure | null
  unrecorded: string[]
  is_done: boolean
  chunks: [number, Chunk][]
}

export interface ReadResults {
  request: RecordedRequest
  response: ExchangeResponse
  stream: ExchangeResponse & { answer: ExchangeAnswer }
  /** Of the body of a response with an error status. */
  error: CallFailure
}

/** Reads the data of a vendor. */
export type ReadExchange = <Operation extends keyof ReadResults>(
  operation: Operation,
  format: string,
  data: unknown,
) => ReadResults[Operation]

/**
 * The method of recorders that reads what vendors are sent and answer: `(operation, format, data)`. Modules of the package that
 * import nothing of the core find it by this symbol.
 */
export const READ_EXCHANGE: unique symbol = Symbol.for('transcript-workbench.readExchange')
