// What answers a model's call, and a mock's answer in the form of a recorded one.
import type { Fields } from '../api/fields.ts'
import type { AgentTape, Json, MockModel, MockResponse, Tape, TapeResponse } from '../types/index.ts'

/** What answers for a model. */
export type ReplaySource = Tape | AgentTape | MockModel

/** A response of a mock with what it may carry. */
export interface DetailedResponse extends MockResponse {
  reasoning?: Json
  refusal?: Json
  usage?: { [key: string]: Json } | null
  chunks?: Json[]
  finish_reason?: string
  metadata?: { [key: string]: Json }
}

/** Whether something is a recording that is being played. */
export const isTape = (source: unknown): source is Tape | AgentTape =>
  typeof (source as Fields)?.request === 'function' && typeof (source as Tape).assertComplete === 'function'

/** Whether something is a mock model. */
export const isMock = (source: unknown): source is MockModel =>
  typeof (source as Fields)?.call === 'function' && typeof (source as MockModel).snapshot === 'function'

const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  const isParts = Array.isArray(content) && content.every((part) => typeof part?.type === 'string')
  return isParts ? content.map(({ text }) => text ?? '').join('') : JSON.stringify(content)
}

const thoughtText = (reasoning: unknown) => (reasoning === undefined || reasoning === null ? null : contentText(reasoning))

/** A response of a mock as a tape would give it. Ids follow from the call, so that a test sees the same ones every time. */
export const responseFromMock = (response: DetailedResponse, step: string): TapeResponse => ({
  step,
  response: {
    content: contentText(response.content),
    tool_calls: (response.tool_calls ?? []).map(({ id, name, arguments: input }, at) => ({
      id: id ?? `call_${step}_${at + 1}`,
      name,
      arguments: input ?? {},
    })),
    reasoning: thoughtText(response.reasoning),
    refusal: thoughtText(response.refusal),
    usage: response.usage ?? null,
    ...(response.chunks ? { chunks: response.chunks } : {}),
    ...(response.finish_reason ? { finish_reason: response.finish_reason } : {}),
    ...(response.metadata ? { metadata: response.metadata } : {}),
  },
})
