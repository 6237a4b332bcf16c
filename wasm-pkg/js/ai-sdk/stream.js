// A recorded answer as a stream.
import { pieces, piecesOf } from '../adapters/pieces.js'

const spread = (kind, id, deltas) => [
  { type: `${kind}-start`, id },
  ...deltas.map((delta) => ({ type: `${kind}-delta`, id, delta })),
  { type: `${kind}-end`, id },
]

const partsOf = (part, at, recorded) => {
  const { type } = part
  if (type !== 'tool-call') return spread(type, String(at), piecesOf(recorded, type, part.text))
  const { toolCallId: id, toolName, input } = part
  return [...spread('tool-input', id, pieces(input)).map((piece) =>
    piece.type === 'tool-input-start' ? { ...piece, toolName } : piece), part]
}

const parts = ({ content, finishReason, usage, warnings, response, providerMetadata }, recorded) => [
  { type: 'stream-start', warnings },
  { type: 'response-metadata', ...response },
  ...content.flatMap((part, at) => partsOf(part, at, recorded)),
  { type: 'finish', finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) },
]

/** A stream that fails at once. */
export const erroring = (error) => new ReadableStream({ start: (controller) => controller.error(error) })

/** The result of `doStream`; `result` is that of `doGenerate`, and `recorded` the answer that it is made of. */
export const streamResult = (result, recorded, signal) => {
  const waiting = parts(result, recorded)[Symbol.iterator]()
  const stream = new ReadableStream({
    pull: (controller) => {
      if (signal?.aborted) return controller.error(signal.reason)
      const { done, value } = waiting.next()
      return done ? controller.close() : controller.enqueue(value)
    },
  })
  return { stream }
}
