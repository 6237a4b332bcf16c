// A recorded answer as a stream.
import type { Fields } from '../api/fields.ts'
import type { Chunk } from '../adapters/partial-answer.ts'
import type { AiSdkContent, AiSdkStreamPart, SpecificationVersion } from '../types/ai-sdk.ts'
import type { TapeResponse } from '../types/index.ts'
import type { GenerateResult } from './generate.ts'
import { splitIntoDeltas, textDeltas } from '../adapters/deltas.ts'

/** A part of a streamed answer, in the shape of any version. */
type StreamPart =
  | Exclude<AiSdkStreamPart<SpecificationVersion>, { type: 'finish' | 'tool-input-start' }>
  | { type: 'tool-input-start'; id: string; toolName?: string }
  | ({ type: 'finish' } & Pick<GenerateResult, 'finishReason' | 'usage' | 'providerMetadata'>)

const partEvents = (kind: 'text' | 'reasoning' | 'tool-input', id: string, deltas: readonly string[]): StreamPart[] => [
  { type: `${kind}-start`, id },
  ...deltas.map((delta) => ({ type: `${kind}-delta` as const, id, delta })),
  { type: `${kind}-end`, id },
]

const contentEvents = (part: AiSdkContent, at: number, recorded: TapeResponse['response']): StreamPart[] => {
  const { type } = part
  if (type !== 'tool-call') return partEvents(type, String(at), textDeltas(recorded, type, part.text))
  const { toolCallId: id, toolName, input } = part
  return [
    ...partEvents('tool-input', id, splitIntoDeltas(input)).map((piece) =>
      piece.type === 'tool-input-start' ? { ...piece, toolName } : piece,
    ),
    part,
  ]
}

const streamParts = (
  { content, finishReason, usage, warnings, response, providerMetadata }: GenerateResult,
  recorded: TapeResponse['response'],
): StreamPart[] => [
  { type: 'stream-start', warnings },
  { type: 'response-metadata', ...response },
  ...content.flatMap((part, at) => contentEvents(part, at, recorded)),
  { type: 'finish', finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) },
]

/** The parts of an interrupted answer: started blocks have no end. */
const interruptedParts = function* (chunks: readonly Chunk[]): Generator<StreamPart> {
  let open: { kind: 'reasoning' | 'text'; id: string } | undefined
  const startedCalls = new Map<number, string>()
  for (const chunk of chunks) {
    for (const kind of ['reasoning', 'text'] as const) {
      if (typeof chunk[kind] !== 'string' || chunk[kind] === '') continue
      if (open?.kind !== kind) {
        if (open !== undefined) yield { type: `${open.kind}-end`, id: open.id }
        open = { kind, id: open === undefined ? '0' : String(Number(open.id) + 1) }
        yield { type: `${kind}-start`, id: open.id }
      }
      yield { type: `${kind}-delta`, id: open.id, delta: chunk[kind] }
    }
    const { index = 0, id, name, arguments: delta } = chunk.tool_call_delta ?? {}
    if (id !== undefined && name !== undefined && !startedCalls.has(index)) {
      startedCalls.set(index, id)
      yield { type: 'tool-input-start', id, toolName: name }
    }
    if (startedCalls.has(index) && delta) yield { type: 'tool-input-delta', id: startedCalls.get(index)!, delta }
  }
}

/** A stream that gives the recorded chunks, if any, and then fails. */
export const failingStream = (error: unknown, chunks: readonly Chunk[] = [], modelId = '') => {
  const begin: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: `step-${(error as Fields)?.step}`, modelId, timestamp: new Date(0) },
  ]
  const waiting = chunks.length === 0 ? [].values() : [...begin, ...interruptedParts(chunks)].values()
  return new ReadableStream<StreamPart>({
    pull: (controller) => {
      const { done, value } = waiting.next()
      return done ? controller.error(error) : controller.enqueue(value)
    },
  })
}

/** The result of `doStream`; `result` is that of `doGenerate`, and `recorded` the answer that it is made of. */
export const streamResult = (result: GenerateResult, recorded: TapeResponse['response'], signal: AbortSignal | undefined) => {
  const waiting = streamParts(result, recorded)[Symbol.iterator]()
  const stream = new ReadableStream<StreamPart>({
    pull: (controller) => {
      if (signal?.aborted) return controller.error(signal.reason)
      const { done, value } = waiting.next()
      return done ? controller.close() : controller.enqueue(value)
    },
  })
  return { stream }
}
