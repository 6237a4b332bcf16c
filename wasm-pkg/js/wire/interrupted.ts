// An answer whose stream broke off: the part that arrived, and how it ended.
import type { RecordedModelError } from '../api/errors.ts'
import { type Chunk, mergeChunks } from '../adapters/partial-answer.ts'
import type { Json } from '../types/index.ts'

/** The part that arrived, as an answer with its failure as `interruption`. */
export const interruptedAnswer = ({ step, error }: RecordedModelError, chunks: readonly Chunk[]) => {
  const { tool_calls: calls, ...texts } = mergeChunks(chunks)
  const { type = 'api_error', message = 'the stream failed', code = null } = error as { type?: Json; message?: Json; code?: Json }
  return {
    step,
    ...texts,
    tool_calls: calls.map((call, at) => ({ ...call, id: call.id ?? `call_${at + 1}` })),
    usage: null,
    chunks,
    interruption: { type, message, code },
  }
}
