// A recorded answer as a stream.
import { pieces } from '../wire/pieces.js'

const spread = (kind, id, text) => [
  { type: `${kind}-start`, id },
  ...pieces(text).map((delta) => ({ type: `${kind}-delta`, id, delta })),
  { type: `${kind}-end`, id },
]

const partsOf = (part, at) => {
  if (part.type !== 'tool-call') return spread(part.type, String(at), part.text)
  const { toolCallId: id, toolName, input } = part
  return [...spread('tool-input', id, input).map((piece) =>
    piece.type === 'tool-input-start' ? { ...piece, toolName } : piece), part]
}

const parts = ({ content, finishReason, usage, warnings, response, providerMetadata }) => [
  { type: 'stream-start', warnings },
  { type: 'response-metadata', ...response },
  ...content.flatMap(partsOf),
  { type: 'finish', finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) },
]

/** A stream that fails at once. */
export const erroring = (error) => new ReadableStream({ start: (controller) => controller.error(error) })

/** The result of `doStream`; `result` is that of `doGenerate`. */
export const streamResult = (result, signal) => {
  const waiting = parts(result)[Symbol.iterator]()
  const stream = new ReadableStream({
    pull: (controller) => {
      if (signal?.aborted) return controller.error(signal.reason)
      const { done, value } = waiting.next()
      return done ? controller.close() : controller.enqueue(value)
    },
  })
  return { stream }
}
