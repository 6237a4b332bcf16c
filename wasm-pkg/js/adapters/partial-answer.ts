// The part of an answer that arrived before its stream broke off. A recorded failure keeps it as `chunks`.
import type { RecordedModelError } from '../api/errors.ts'
import type { Fields } from '../api/fields.ts'

const KINDS = ['text', 'reasoning', 'refusal'] as const

type Kind = (typeof KINDS)[number]

/** A piece of a streamed answer. */
export interface Chunk {
  text?: string
  reasoning?: string
  refusal?: string
  tool_call_delta?: { index?: number; id?: string; name?: string; arguments?: string }
  at_ms?: number | undefined
}

/** A tool call as its pieces add up to it. */
export interface StreamedCall {
  id: string | undefined
  name: string
  arguments: string
}

/** The answer that chunks add up to. */
export interface PartialAnswer {
  content: string
  reasoning: string
  refusal: string
  tool_calls: StreamedCall[]
}

/** The kind of a chunk that has a single text, such as `text`. */
const kindOf = (chunk: Chunk) => KINDS.find((kind) => typeof chunk[kind] === 'string' && Object.keys(chunk).length === 1)

/** Adds a chunk to the earlier ones; consecutive texts of one kind become one chunk. */
export const appendChunk = (chunks: Chunk[], chunk: Chunk) => {
  const kind = kindOf(chunk)
  const last = chunks.at(-1)
  if (kind !== undefined && last !== undefined && kindOf(last) === kind) chunks[chunks.length - 1] = { [kind]: last[kind]! + chunk[kind]! }
  else chunks.push(chunk)
  return chunks
}

/** A failure with the chunks that arrived before it. */
export const withChunks = (error: string | object, chunks: readonly Chunk[] | undefined) => {
  if (chunks === undefined || chunks.length === 0) return error
  return { ...(typeof error === 'string' ? { type: 'api_error', message: error } : error), chunks }
}

/** The chunks before a recorded failure; undefined if there are none, or the error is no recorded failure. */
export const chunksOfError = (error: unknown) => {
  const chunks = (error as Fields)?.name === 'RecordedModelError' ? ((error as RecordedModelError).error as Fields)?.chunks : undefined
  if (!Array.isArray(chunks)) return undefined
  const found = chunks.filter((chunk): chunk is Chunk => typeof chunk === 'object' && chunk !== null)
  return found.length > 0 ? found : undefined
}

/** The texts of one kind in chunks. */
export const chunkTexts = (chunks: readonly Chunk[], kind: Kind) =>
  chunks.map((chunk) => chunk[kind]).filter((text): text is string => typeof text === 'string' && text !== '')

/** The answer that chunks add up to; the arguments of calls are texts. */
export const mergeChunks = (chunks: readonly Chunk[]): PartialAnswer => {
  const [content, reasoning, refusal] = KINDS.map((kind) => chunkTexts(chunks, kind).join('')) as [string, string, string]
  const calls = new Map<number, StreamedCall>()
  for (const { tool_call_delta: delta } of chunks) {
    if (typeof delta !== 'object' || delta === null) continue
    const { index = 0, id, name, arguments: more } = delta
    const call = calls.get(index) ?? { id, name: '', arguments: '' }
    calls.set(index, call)
    call.id ??= id
    // Some vendors repeat the name in every chunk.
    if (name && name !== call.name) call.name += name
    call.arguments += more ?? ''
  }
  const inOrder = [...calls].sort(([a], [b]) => a - b)
  return { content, reasoning, refusal, tool_calls: inOrder.map(([, call]) => call) }
}
