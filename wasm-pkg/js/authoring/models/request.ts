// The request to a model that writes a transcript, and its answer.
import { classifyFinishReason } from '../../adapters/finish.ts'
import type { ReadExchangePart } from './http.ts'
import type { GenerateEndpoint, GenerateMessage, Json, ResponseFinish } from '../../types/index.ts'

/** A request to a model. */
export interface ModelRequest {
  messages: GenerateMessage[]
  /** The JSON Schema of a response that is JSON. */
  schema?: { [key: string]: Json } | undefined
  maxTokens?: number | undefined
  temperature?: number | undefined
  retries: number
  signal?: AbortSignal | undefined
  /** Whether the response comes in pieces. */
  stream: boolean
  /** Receives the text so far. */
  onText?: (text: string) => void
  /** Receives how long an endpoint is waited for. */
  onWait?: (ms: number, httpStatus: number) => void
}

/** The response of a model. */
export interface ReadModelResponse {
  text: string
  finish: ResponseFinish
  usage: unknown
}

/** Calls a model. */
export type CallModel = (request: ModelRequest) => Promise<ReadModelResponse>

/** Makes what calls the model at an endpoint. */
export type EndpointModel = (endpoint: GenerateEndpoint, readExchange: ReadExchangePart) => CallModel

/** Why a response ended: normally, cut off, or refused. Empty for any other reason, such as a tool call. */
export const responseFinish = (reason: unknown): ResponseFinish => {
  const kind = classifyFinishReason(reason)
  if (kind !== undefined) return kind === 'filter' ? 'refusal' : 'length'
  return ['stop', 'end_turn', 'stop_sequence'].includes(reason as string) ? 'stop' : ''
}
